import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CHECK, openCheck, type CheckSpec } from './checks.ts';
import { isJsonEqual } from './jsonEqual.ts';

const run = (spec: Partial<CheckSpec>, answer: string, expected: string | null = null): string =>
  openCheck({ ...DEFAULT_CHECK, ...spec })(answer, expected).state;

describe('exact and contains', () => {
  it.each<[Partial<CheckSpec>, string, string | null, string]>([
    [{}, ' Paris\n', 'Paris', 'pass'],
    [{}, 'paris', 'Paris', 'fail'],
    [{ isCaseSensitive: false }, 'paris', 'Paris', 'pass'],
    [{}, 'Paris', null, 'no-check'],
    [{}, '', '', 'no-check'],
    [{}, 'Rome', ' \n', 'no-check'],
    [{ expected: 'yes' }, 'yes', 'no', 'pass'],
    [{ kind: 'contains' }, 'It is Paris.', 'Paris', 'pass'],
    [{ kind: 'contains' }, 'It is Rome.', 'Paris', 'fail'],
    [{ kind: 'contains' }, 'It is Rome.', ' ', 'no-check'],
    [{ kind: 'contains', expected: '' }, 'It is Rome.', 'Rome', 'no-check'],
    [{ expected: ' \n' }, '', null, 'no-check'],
    [{ kind: 'contains', isCaseSensitive: false }, 'It is PARIS.', 'Paris', 'pass'],
  ])('%j of %j with %j: %s', (spec, answer, expected, state) => expect(run(spec, answer, expected)).toBe(state));
});

it.each(['exact', 'contains', 'json-equal', 'number', 'tool-calls'] as const)(
  '%s compares with no empty or absent expected answer, and says why',
  (kind) => {
    for (const expected of ['', ' \n'])
      expect(openCheck({ ...DEFAULT_CHECK, kind })('Rome', expected)).toEqual({
        state: 'no-check',
        reason: expect.stringMatching(/expected answer is empty, which counts as none/),
      });
    expect(openCheck({ ...DEFAULT_CHECK, kind })('Rome', null)).toEqual({
      state: 'no-check',
      reason: expect.stringMatching(/has no expected answer/),
    });
  },
);

describe('regex', () => {
  it.each([
    ['^\\d{3}$', '123', 'pass'],
    ['^\\d{3}$', '1234', 'fail'],
    ['(', 'x', 'no-check'],
    ['', 'x', 'no-check'],
    [' ', 'a b', 'pass'],
    ['a', 'x'.repeat(20_001), 'no-check'],
  ])('%s in %.10s: %s', (expected, answer, state) => expect(run({ kind: 'regex', expected }, answer)).toBe(state));

  it('may ignore case', () =>
    expect(run({ kind: 'regex', expected: 'paris', isCaseSensitive: false }, 'PARIS')).toBe('pass'));
});

const DEEP = `${'[{"a":'.repeat(20_000)}0${'}]'.repeat(20_000)}`;

describe('json', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', 'pass'],
    ['```json\n{"a":1}\n```', '{"a":1}', 'pass'],
    ['{"a":"1"}', '{"a":1}', 'fail'],
    ['[2,1]', '[1,2]', 'fail'],
    ['{"a":1,"c":2}', '{"a":1}', 'fail'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567891}', 'fail'],
    ['{"id":12345678901234567890}', '{ "id": 1234567890123456789e1 }', 'pass'],
    ['nonsense', '{"a":1}', 'fail'],
    ['{"a":1}', 'nonsense', 'no-check'],
    ['{"__proto__":1}', '{}', 'fail'],
  ])('%s equals %s: %s', (answer, expected, state) =>
    expect(run({ kind: 'json-equal' }, answer, expected)).toBe(state),
  );

  it.each([
    ['json-equal', '{"a":1}'],
    ['json-schema', '{"type":"object"}'],
  ] as const)(
    '%s passes what stands in a code fence and says so, or fails it where that is wanted',
    (kind, expected) => {
      const fenced = '```json\n{"a":1}\n```';
      const check = (isStrict: boolean, answer: string) =>
        openCheck({ ...DEFAULT_CHECK, kind, expected, isStrict })(answer, null);
      expect(check(false, fenced)).toEqual({ state: 'pass', note: expect.stringContaining('in a code fence') });
      expect(check(true, fenced)).toEqual({ state: 'fail', reason: expect.stringContaining('code fence') });
      expect([check(true, '{"a":1}'), check(false, '{"a":1}')]).toEqual([{ state: 'pass' }, { state: 'pass' }]);
      expect(check(false, fenced.replace('{', '[').replace('}', ']')).state).toBe('fail');
    },
  );

  it('compares what nests for thousands of levels', () => {
    expect([
      run({ kind: 'json-equal' }, DEEP, DEEP),
      run({ kind: 'json-equal' }, DEEP, DEEP.replace('0', '1')),
    ]).toEqual(['pass', 'fail']);
  });

  it('is reflexive over all JSON, and sees a change', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isJsonEqual(value, JSON.parse(JSON.stringify(value)))).toBe(
          isJsonEqual(JSON.parse(JSON.stringify(value)), value),
        );
        expect(isJsonEqual({ value }, { value, more: 1 })).toBe(false);
      }),
    );
  });

  it.each([
    ['{"type":"object","required":["a"]}', '{"a":1}', 'pass'],
    ['{"type":"object","required":["a"]}', '{}', 'fail'],
    ['{"type":"object"}', 'no', 'fail'],
    ['{', '{}', 'no-check'],
    ['', '{}', 'no-check'],
    ['{"$ref":"#/none"}', '{}', 'no-check'],
  ])('schema %s on %s: %s', (expected, answer, state) =>
    expect(run({ kind: 'json-schema', expected }, answer)).toBe(state),
  );
});

describe('number', () => {
  it.each([
    ['0.3', '0.2', 0.1, 'pass'],
    ['It is 41', '42', 1, 'pass'],
    ['It is 40', '42', 1, 'fail'],
    ['none', '42', 1, 'fail'],
    ['42', 'none', 1, 'no-check'],
    // Equal tails are no equal numbers.
    ['The sum is 2,500.', '1,500', 0, 'fail'],
    ['12,345', '345', 0, 'fail'],
    ['It is 1,234 in all.', '1234', 0, 'pass'],
    ['1234', '1,234', 0, 'pass'],
    ['It takes 3-5 days: 4 on average', '-5', 0, 'fail'],
    ['v1.2.3', '3', 0, 'fail'],
    ['Item-7', '7', 0, 'fail'],
    ['3/4', '4', 0, 'fail'],
    ['3/4', '0.75', 0, 'pass'],
    ['10 000', '10000', 0, 'pass'],
    ['1.5 million', '1500000', 0, 'pass'],
    // What could be meant otherwise is no verdict on the model.
    ['1,234', '1.234', 0, 'no-check'],
    ['1.234', '1234', 0, 'no-check'],
    ['100 200 300', '300', 0, 'no-check'],
    ['1.5 million', '1.5', 0, 'no-check'],
    ['10 000', '10 000', 0, 'pass'],
  ])('%s near %s by %s: %s', (answer, expected, tolerance, state) =>
    expect(run({ kind: 'number', tolerance }, answer, expected)).toBe(state),
  );

  it.each([
    '{"a":1}',
    'Bob has 3',
    '1, 2, 3',
    '3 of 4',
    '5-10',
    'none',
    '[1]',
    'x = 3',
    '2024-01-01',
    '3 is wrong here',
  ])('does not compare with an expected answer that is no number: %s', (expected) =>
    expect(openCheck({ ...DEFAULT_CHECK, kind: 'number' })('{"a":1,} 3', expected)).toEqual({
      state: 'no-check',
      reason: 'Not checked: the expected answer is not a number.',
    }),
  );

  it.each([
    ['42.', '42'],
    ['$5', '5'],
    ['5 USD', '5'],
    ['USD 5', '5'],
    ['€ 3,50', '3.5'],
    ['50 %', '50%'],
    ['50 percent', '50'],
    ['5 kg', '5'],
    ['90 km/h', '90'],
    ['-20 °C', 'It is −20'],
    ['12 square miles', '12'],
    ['1.5 million', '1500000'],
    ['3/4', '0.75'],
    ['\\boxed{42}', '42'],
    ['**42**', '42'],
    ['It takes 6 and 7.\n#### 42', 'So 42'],
  ])('takes the expected number with what belongs to it: %s', (expected, answer) =>
    expect(run({ kind: 'number' }, answer, expected)).toBe('pass'),
  );

  it('says that units differ', () => {
    const check = openCheck({ ...DEFAULT_CHECK, kind: 'number' });
    expect(check('It is 50%.', '0.5')).toEqual({
      state: 'fail',
      reason:
        '50%, expected 0.5: the units differ, one is a percentage, the other a plain number. ' +
        'Write the expected answer as 50%, ' +
        'or ask for the other unit.',
    });
    expect(check('0.25', '50 percent')).toEqual({
      state: 'fail',
      reason: '0.25, expected 50%: the units differ, one is a plain number, the other a percentage.',
    });
    expect(check('50%', '50').state).toBe('pass');
  });

  it('says how a number can be read', () => {
    expect(openCheck({ ...DEFAULT_CHECK, kind: 'number' })('It is 1,234', '1.234')).toEqual({
      state: 'no-check',
      reason:
        'The answer has “1,234”, which can be read as 1234 or as 1.234. Judge it yourself, or ask for plain digits.',
    });
  });

  it('fails no correct answer for the way it is grouped, and passes none with another number', () => {
    const grouped = fc.constantFrom('en-US', 'de-CH', 'fr-FR', 'sv-SE', 'en-IN');
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 10 ** 12 }),
        fc.integer({ min: 1000, max: 10 ** 12 }),
        grouped,
        (right, wrong, locale) => {
          const say = (value: number): string => `So the total is ${value.toLocaleString(locale)} units.`;
          expect(run({ kind: 'number' }, say(right), String(right))).toBe('pass');
          if (right !== wrong) expect(run({ kind: 'number' }, say(wrong), String(right))).not.toBe('pass');
        },
      ),
    );
  });
});

it('calls that stand in the text, as without tools, are compared too, and the pass says so', () => {
  const check = openCheck({ ...DEFAULT_CHECK, kind: 'tool-calls' });
  const expected = '[{"name":"cancel_order","arguments":{"order_id":"7"}}]';
  const answer = (id: string): string =>
    `<tool_call>{"name": "cancel_order", "arguments": {"order_id": "${id}"}}</tool_call>`;
  expect(check(answer('7'), expected)).toMatchObject({
    state: 'pass',
    note: expect.stringContaining('The calls stand in the text'),
  });
  expect(check(answer('8'), expected)).toMatchObject({ state: 'fail' });
  expect(check('<tool_call>{"name": "cancel', expected)).toMatchObject({
    state: 'fail',
    reason: 'The answer calls no tool; expected: cancel_order.',
  });
});
