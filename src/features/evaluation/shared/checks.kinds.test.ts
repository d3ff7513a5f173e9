import { describe, expect, it } from 'vitest';
import { findCheckProblem, openCheckList, openCheckSet } from './checkSet.ts';
import { loadCheckTools } from './checkTools.ts';
import { DEFAULT_CHECK, openCheck, type AnswerFacts, type CheckSpec } from './checks.ts';
import { openFieldTallies } from './fieldTallies.ts';

const check = (spec: Partial<CheckSpec>, answer: string, expected: string | null = null, facts: AnswerFacts = {}) =>
  openCheck({ ...DEFAULT_CHECK, ...spec })(answer, expected, [], facts);

describe('JSON by field', () => {
  const EXPECTED = '{"name": "Ann", "address": {"city": "Bonn", "zip": 53111}, "tags": ["a", "b"]}';

  it('judges each field by itself, nested ones by their path', () => {
    const answer = '{"tags": ["a","b"], "address": {"city": "Köln", "zip": 53111.0}, "age": 3}';
    expect(check({ kind: 'json-fields' }, answer, EXPECTED)).toEqual({
      state: 'fail',
      score: 2 / 5,
      reason: 'name: missing, expected "Ann"; address.city: "Köln", expected "Bonn"; age: 3, not expected',
      parts: [
        { name: 'name', state: 'fail', expected: '"Ann"', actual: null },
        { name: 'address.city', state: 'fail', expected: '"Bonn"', actual: '"Köln"' },
        { name: 'address.zip', state: 'pass', expected: '53111', actual: '53111' },
        { name: 'tags', state: 'pass', expected: '["a","b"]', actual: '["a","b"]' },
        { name: 'age', state: 'fail', expected: null, actual: '3' },
      ],
    });
  });

  it.each([
    [['address'], '{"address": {"city": "Bonn", "zip": 53111}}', 'pass'],
    [['address.city', ' '], '{"address": {"city": "Bonn", "zip": 1}}', 'pass'],
    [['addr'], '{}', 'no-check'],
    [[], EXPECTED, 'pass'],
    [[], `\`\`\`json\n${EXPECTED}\n\`\`\``, 'pass'],
    [[], '[1]', 'fail'],
  ])('of the fields %j alone: %s, %s', (fields, answer, state) =>
    expect(check({ kind: 'json-fields', fields }, answer, EXPECTED).state).toBe(state),
  );

  it('lacks every field where the answer is no JSON, and no code fence where that is wanted', () => {
    expect(check({ kind: 'json-fields' }, 'Ann', '{"name":"Ann"}')).toMatchObject({
      state: 'fail',
      score: 0,
      parts: [{ name: 'name', actual: null }],
    });
    const fenced = '```json\n{"name":"Ann"}\n```';
    expect(check({ kind: 'json-fields', isStrict: true }, fenced, '{"name":"Ann"}').state).toBe('fail');
  });

  it('tells a name with a dot from a nested one', () =>
    expect(check({ kind: 'json-fields' }, '{"a": {"b": 1}}', '{"a.b": 1}').state).toBe('fail'));

  it('gives the rate of each field, and what its values are taken for', () => {
    const parts = ['"yes"', '"yes"', '"no"', '"maybe"', null].map((actual, at) => {
      const answer = actual === null ? '{}' : `{"spam": ${actual}, "id": ${at}}`;
      return check({ kind: 'json-fields' }, answer, `{"spam": ${at < 3 ? '"yes"' : '"no"'}, "id": ${at}}`).parts ?? [];
    });
    const tallies = openFieldTallies(parts.length);
    for (const [row, own] of parts.entries()) tallies.add(row, own);
    const [spam, id] = tallies.read().fields;
    expect(spam).toMatchObject({ name: 'spam', passed: 2, total: 5, estimate: { value: 0.4, rows: 5 } });
    expect(spam?.confusion).toEqual({
      values: ['"yes"', '"no"'],
      counts: [
        [2, 1, 0, 0],
        [0, 0, 1, 1],
      ],
    });
    expect(id).toMatchObject({ passed: 4, total: 5, confusion: { values: { length: 5 } } });
  });

  it('says how many fields it leaves out, each once and not more than a thousand', () => {
    const tallies = openFieldTallies(2);
    const add = (row: number, count: number) =>
      tallies.add(
        row,
        Array.from({ length: count }, (_, at) => ({ name: `f${at}`, state: 'fail', expected: null, actual: '1' })),
      );
    add(0, 100);
    expect(tallies.read()).toMatchObject({ fields: { length: 100 }, leftOut: 0 });
    add(0, 120);
    add(1, 120);
    expect(tallies.read()).toMatchObject({ fields: { length: 100 }, leftOut: 20 });
    add(1, 2_000);
    expect(tallies.read().leftOut).toBe(1_000);
  });

  it('has no table of what more than twenty values are taken for', () => {
    const tallies = openFieldTallies(21);
    for (let row = 0; row < 21; row += 1) {
      expect(tallies.read().fields[0]?.confusion?.values ?? []).toHaveLength(row);
      tallies.add(row, [{ name: 'id', state: 'pass', expected: `${row}`, actual: `${row}` }]);
    }
    expect(tallies.read().fields).toMatchObject([{ passed: 21, total: 21, confusion: null }]);
  });
});

describe('tool calls by argument', () => {
  const judge = (calls: readonly (readonly [string, string])[], expected: string) =>
    openCheck({ ...DEFAULT_CHECK, kind: 'tool-arguments' })(
      '',
      expected,
      calls.map(([name, given]) => ({ name, arguments: given })),
    );
  const toLines = (result: ReturnType<typeof judge>) =>
    (result.parts ?? []).map(({ name, state, expected, actual }) => `${name} ${state} ${expected} ${actual}`);
  const EXPECTED =
    '[{"name":"weather","arguments":{"city":"Bonn","days":2}},{"name":"weather","arguments":{"city":"Rome"}}]';

  it('pairs each expected call with the one that is most like it', () => {
    const result = judge(
      [
        ['weather', '{"city":"Rome"}'],
        ['weather', '{"city":"Bonn","days":3}'],
      ],
      EXPECTED,
    );
    expect(toLines(result)).toEqual([
      'tool pass weather weather',
      'weather.city pass "Bonn" "Bonn"',
      'weather.days fail 2 3',
      'tool pass weather weather',
      'weather.city pass "Rome" "Rome"',
    ]);
    expect(result).toMatchObject({ state: 'fail', score: 0.8, reason: 'weather.days: 3, expected 2' });
  });

  it('says which tool was called instead, and fails calls that are not expected and arguments that are no JSON', () => {
    expect(toLines(judge([['time', '{}']], '{"name":"weather","arguments":{"city":"Bonn"}}'))).toEqual([
      'tool fail weather time',
      'weather.city fail "Bonn" null',
    ]);
    const call = '{"name":"weather","arguments":{}}';
    expect(
      toLines(
        judge(
          [
            ['weather', '{}'],
            ['time', '{}'],
          ],
          call,
        ),
      ).at(-1),
    ).toBe('tool fail null time');
    expect(toLines(judge([['weather', '{bad']], '{"name":"weather","arguments":{"city":"Bonn"}}')).at(-1)).toBe(
      'weather.city fail "Bonn" null',
    );
    expect(judge([], 'nothing').state).toBe('no-check');
  });

  it('reads calls in the text of the answer', () => {
    const text = '<tool_call>{"name":"weather","arguments":{"city":"Bonn"}}</tool_call>';
    const result = openCheck({ ...DEFAULT_CHECK, kind: 'tool-arguments' })(
      text,
      '{"name":"weather","arguments":{"city":"Bonn"}}',
    );
    expect(result).toMatchObject({ state: 'pass', score: 1, note: expect.stringContaining('stand in the text') });
  });
});

it.each<[Partial<CheckSpec>, string, string | null, AnswerFacts, string]>([
  [{ kind: 'similarity' }, 'kitten', 'sitting', {}, 'fail'],
  [{ kind: 'similarity', threshold: 0.57 }, 'kitten', 'sitting', {}, 'pass'],
  [{ kind: 'similarity', isCaseSensitive: false }, 'ABCDE', 'abcde', {}, 'pass'],
  [{ kind: 'similarity' }, 'ABCDE', 'abcde', {}, 'fail'],
  [{ kind: 'similarity', measure: 'rouge-l' }, 'a b c d e f g h i j', 'a b c d e f g h i k', {}, 'pass'],
  [{ kind: 'similarity' }, 'x'.repeat(20_001), 'x', {}, 'no-check'],
  [{ kind: 'similarity' }, 'x', null, {}, 'no-check'],
  [{ kind: 'length', max: 2 }, 'Two words.', null, {}, 'pass'],
  [{ kind: 'length', max: 2 }, 'Three short words', null, {}, 'fail'],
  [{ kind: 'length', min: 3 }, 'Two words.', null, {}, 'fail'],
  [{ kind: 'length', max: 4 }, '今日は天気がいい', null, {}, 'fail'],
  [{ kind: 'length', unit: 'characters', min: 2, max: 2 }, ' 😀é ', null, {}, 'pass'],
  [{ kind: 'length', unit: 'tokens', max: 5 }, 'x', null, { completionTokens: 6 }, 'fail'],
  [{ kind: 'length', unit: 'tokens', max: 5 }, 'x', null, {}, 'no-check'],
  [{ kind: 'length' }, 'x', null, {}, 'no-check'],
  [{ kind: 'latency', max: 500 }, '', null, { ms: 500 }, 'pass'],
  [{ kind: 'latency', max: 500 }, '', null, { ms: 500.4 }, 'fail'],
  [{ kind: 'latency', max: 500 }, '', null, {}, 'no-check'],
  [{ kind: 'latency' }, '', null, { ms: 1 }, 'no-check'],
])('%j of %.20s with %j and %j: %s', (spec, answer, expected, facts, state) =>
  expect(check(spec, answer, expected, facts).state).toBe(state),
);

it.each([
  ['en', 'The quick brown fox jumps over the lazy dog.', null, 'pass'],
  ['DE', 'Der schnelle braune Fuchs springt über den faulen Hund.', null, 'pass'],
  ['fr', 'The quick brown fox jumps over the lazy dog.', null, 'fail'],
  [null, 'Der schnelle braune Fuchs springt über den Hund.', 'Das Wetter ist heute schön und warm.', 'pass'],
  [null, 'Der schnelle braune Fuchs springt über den Hund.', 'The weather is nice and warm today.', 'fail'],
  [null, 'Der schnelle braune Fuchs springt über den Hund.', 'ok', 'no-check'],
  ['en', 'ok', null, 'no-check'],
])('language %s of %.20s with %s: %s', async (code, answer, expected, state) => {
  const spec: CheckSpec = { ...DEFAULT_CHECK, kind: 'language', expected: code };
  expect(openCheck(spec, await loadCheckTools([spec]))(answer, expected).state).toBe(state);
  expect(openCheck(spec)(answer, 'Something that is long enough').state).toBe('no-check');
});

describe('an own function', () => {
  const SPEC: CheckSpec = { ...DEFAULT_CHECK, kind: 'function', expected: 'f' };
  const judge = (value: unknown, threshold?: number) =>
    openCheck({ ...SPEC, threshold })('a', null, [], { functions: { f: { ok: true, value } } });

  it.each([
    [true, { state: 'pass' }],
    [false, { state: 'fail', reason: 'The function gave false.' }],
    [0.5, { state: 'pass', score: 0.5 }],
    [0.4, { state: 'fail', score: 0.4, reason: 'The function gave 0.4; it passes from 0.5 on.' }],
    [
      { pass: true, score: 0.1, reason: 'fine' },
      { state: 'pass', score: 0.1, note: 'fine' },
    ],
    [
      { pass: false, reason: ' too long ' },
      { state: 'fail', reason: 'too long' },
    ],
    [{ score: 0.9 }, { state: 'pass', score: 0.9 }],
  ])('that gives %j: %j', (value, result) => expect(judge(value)).toEqual(result));

  it.each([7, 'yes', null, undefined, {}, { pass: 'no' }, { score: Number.NaN }, [true]])(
    'that gives %j has given no verdict',
    (value) =>
      expect(judge(value)).toEqual({
        state: 'no-check',
        reason: expect.stringContaining('has to return true or false'),
      }),
  );

  it('passes from a threshold of its own on, and says why it gave nothing', () => {
    expect(judge(0.6, 0.7).state).toBe('fail');
    expect(openCheck(SPEC)('', null, [], { functions: { f: { ok: false, reason: 'It threw.' } } })).toEqual({
      state: 'no-check',
      reason: 'It threw.',
    });
    expect(openCheck(SPEC)('', null, [], { functions: {} }).state).toBe('no-check');
    expect(openCheck({ ...SPEC, expected: ' ' })('', null).state).toBe('no-check');
  });
});

it.each<[Partial<CheckSpec>, RegExp | null]>([
  [{ kind: 'length' }, /least or the most/],
  [{ kind: 'length', min: 5, max: 3 }, /more than the most/],
  [{ kind: 'length', min: -1 }, /from 0/],
  [{ kind: 'length', min: 1 }, null],
  [{ kind: 'latency', min: 1 }, /least or the most/],
  [{ kind: 'similarity', threshold: 80 }, /from 0 to 1/],
  [{ kind: 'similarity', threshold: 0.8 }, null],
  [{ kind: 'language', expected: 'German' }, /two letters/],
  [{ kind: 'language', expected: 'de' }, null],
  [{ kind: 'language' }, null],
  [{ kind: 'json-fields', expected: '{' }, /as JSON/],
  [{ kind: 'tool-arguments', expected: '{' }, /Write the calls as JSON/],
  [{ kind: 'function' }, /write the function/],
  [{ kind: 'function', expected: 'x => true' }, null],
])('%j has the problem %s', (spec, problem) => {
  const found = findCheckProblem({ ...DEFAULT_CHECK, ...spec });
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

describe('several checks', () => {
  const SPECS: readonly CheckSpec[] = [
    { ...DEFAULT_CHECK, kind: 'similarity' },
    { ...DEFAULT_CHECK, kind: 'latency', max: 100 },
    { ...DEFAULT_CHECK, kind: 'length' },
  ];

  it('give a result each, without those that nobody has finished', () => {
    const outcomes = openCheckList(SPECS)('same', 'same', [], { ms: 200 });
    expect(outcomes.map(({ kind, result }) => [kind, result.state])).toEqual([
      ['similarity', 'pass'],
      ['latency', 'fail'],
    ]);
    expect(openCheckSet(SPECS)('same', 'same', [], { ms: 200 })).toEqual({
      state: 'fail',
      reason: 'latency: 200 ms, expected at most 100',
    });
  });
});
