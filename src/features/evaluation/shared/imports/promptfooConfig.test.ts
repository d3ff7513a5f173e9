import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isRule } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { toCheckSpec } from '#features/evaluation/shared/wireChecks.ts';
import type { ImportedEvaluation } from './importedEvaluation.ts';
import { readImport, toByteSource } from './readImport.ts';

const read = (config: unknown): Promise<ImportedEvaluation> =>
  readImport(
    toByteSource(Buffer.from(typeof config === 'string' ? config : JSON.stringify(config))),
    'promptfooconfig',
  );
const readTests = (tests: readonly unknown[], more: object = {}): Promise<ImportedEvaluation> =>
  read({ prompts: ['Q: {{q}}'], tests, ...more });
const checksOf = ({ checks }: ImportedEvaluation): readonly unknown[] =>
  checks
    .filter(isRule)
    .map(toCheckSpec)
    .map(({ kind, expected, isCaseSensitive }) => [kind, expected, isCaseSensitive]);

describe('a configuration of promptfoo', () => {
  it('with several prompts has each row with each of them', async () => {
    const config = readFileSync(new URL('../../../../../e2e/real/evaluations/promptfoo.yaml', import.meta.url), 'utf8');
    const read1 = await read(config);
    expect(read1).toMatchObject({ name: 'Capitals', prompt: null, models: ['echoes', 'fixed'], answers: [] });
    expect(read1.rows).toHaveLength(6);
    expect(read1.rows[3]).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Capital of France?' },
      ],
      expected: 'Paris',
      tags: { prompt: 'chat', continent: 'Europe' },
    });
    expect(await read(parse(config))).toEqual(read1);
  });

  it('with one prompt keeps it as a template, with its system message', async () => {
    const one = await readTests([
      { vars: { q: 'a' } },
      { vars: { q: ['b', 'c'] }, metadata: { kind: 'list', _own: 1 } },
    ]);
    expect(one).toMatchObject({ prompt: 'Q: {{q}}', system: null });
    expect(one.rows.map(({ variables, tags }) => [variables, tags])).toEqual([
      [{ q: 'a' }, {}],
      [{ q: 'b' }, { kind: 'list' }],
      [{ q: 'c' }, { kind: 'list' }],
    ]);
    const chat = await read({
      prompts: ['- role: system\n  content: Be {{how}}.\n- role: user\n  content: "{{q}}"'],
      tests: [{}],
    });
    expect(chat).toMatchObject({ prompt: '{{q}}', system: 'Be {{how}}.' });
  });

  it('has values that name other values, parts of objects, and lists that are not expanded', async () => {
    const { rows } = await readTests([
      {
        vars: { q: 'Hello {{user.name}}', user: { name: 'Ada' }, n: 3, list: [1, 2] },
        options: { disableVarExpansion: true },
      },
    ]);
    expect(rows[0]?.variables).toEqual({
      q: 'Hello Ada',
      user: '{"name":"Ada"}',
      'user.name': 'Ada',
      n: '3',
      list: '[1,2]',
    });
  });

  it.each([
    [{ type: 'equals', value: 'a' }, ['exact', 'a', true]],
    [{ type: 'equals', value: { a: 1 } }, ['json-equal', '{"a":1}', true]],
    [{ type: 'contains', value: 'a' }, ['contains', 'a', true]],
    [{ type: 'icontains', value: 'a' }, ['contains', 'a', false]],
    [{ type: 'starts-with', value: 'a.b' }, ['regex', '^a\\.b', true]],
    [{ type: 'regex', value: '^\\d+$' }, ['regex', '^\\d+$', true]],
    [{ type: 'contains-any', value: ['a', 'b+'] }, ['regex', '(?:a|b\\+)', true]],
    [{ type: 'icontains-any', value: 'a, b' }, ['regex', '(?:a|b)', false]],
    [{ type: 'is-json' }, ['json-schema', '{}', true]],
    [{ type: 'is-json', value: { type: 'object' } }, ['json-schema', '{"type":"object"}', true]],
  ])('has the assert %j as a check', async (assert, check) => {
    const config = await readTests([{ vars: { q: 'x' }, assert: [assert] }]);
    expect(checksOf(config)).toEqual([check]);
    expect(config.problems).toEqual([]);
  });

  it.each([
    ['not-contains', 'b', 'abc', 'xyz'],
    ['not-icontains', 'B', 'abc', 'xyz'],
    ['not-equals', 'abc', 'abc', 'abcd'],
    ['not-regex', 'b.', 'abc', 'xyz'],
    ['not-starts-with', 'a', 'abc', 'xabc'],
  ])('judges by %s as promptfoo does', async (type, value, wrong, right) => {
    const { checks } = await readTests([{ vars: { q: 'x' }, assert: [{ type, value }] }]);
    const { openCheck } = await import('#features/evaluation/shared/checks.ts');
    const check = openCheck(checks.filter(isRule).map(toCheckSpec)[0]!);
    expect([check(wrong, null).state, check(right, null).state]).toEqual(['fail', 'pass']);
  });

  it('has an assert whose text differs between tests as a check against the expected answer of the row', async () => {
    const config = await readTests(
      [
        { vars: { q: 'x', a: '1' } },
        { vars: { q: 'y', a: '2' } },
        { vars: { q: 'z', a: '3' }, options: { disableDefaultAsserts: true } },
      ],
      { defaultTest: { assert: [{ type: 'equals', value: '{{a}}' }] } },
    );
    expect(checksOf(config)).toEqual([['exact', null, true]]);
    expect(config.rows.map(({ expected }) => expected)).toEqual(['1', '2', null]);
  });

  it('names what has no place here, and where it stands', async () => {
    const config = await readTests(
      [
        {
          vars: { q: 'x' },
          assert: [
            { type: 'llm-rubric', value: 'is kind' },
            { type: 'equals', value: 'a' },
            { type: 'icontains', value: 'a', provider: 'x', weight: 2 },
            { type: 'latency' },
            'is kind',
          ],
        },
        {
          vars: { q: 'y' },
          assert: [
            { type: 'llm-rubric', value: 'is kind' },
            { type: 'contains', value: 'b' },
          ],
          threshold: 0.5,
        },
        {
          vars: { q: 'z' },
          assert: [
            { type: 'equals', value: 'c', transform: 'output.trim()' },
            { type: 'regex', value: '(' },
          ],
        },
        'file://more.yaml',
        { vars: { q: 'file://long.txt' } },
      ],
      {
        scenarios: [{ config: [] }],
        derivedMetrics: [{ name: 'f1' }],
        providers: [{ id: 'openai:gpt-5', config: { temperature: 1 } }],
      },
    );
    expect(config.rows).toHaveLength(3);
    expect(config.models).toEqual(['openai:gpt-5']);
    const problems = config.problems.join('\n');
    for (const words of [
      'Test 1: “provider” of “icontains” is not read',
      'Test 1: The weight of “icontains” is not read',
      'Test 1: An assert is no object',
      'Test 1: “latency” has no threshold',
      '“scenarios” is not read',
      '“derivedMetrics” is not read',
      'Test 2: “threshold” is not read',
      'Test 4: It is in another file (file://more.yaml)',
      'Test 5: The value of “q” is in another file',
      'Test 1, Test 2: “llm-rubric” has no check here',
      'Test 2: “contains” differs between tests',
      'Test 3: The value of “equals” is in another file, or is none that can be read',
      'Test 3: “regex” was left out. “(” is not a regular expression',
      'Settings of providers are not read',
    ])
      expect(problems).toContain(words);
  });

  it.each([
    ['output.length > 3', 'return output.length > 3;'],
    ["const n = output.length; n > 'a;b'.length", "const n = output.length; return n > 'a;b'.length;"],
    ['const s = output; [s].some((x) => { return x; })', 'const s = output; return [s].some((x) => { return x; });'],
    ['const n = output.length; return n > 3;', 'const n = output.length; return n > 3;'],
    ['output.includes("import") // process', null],
    ['if (output) {\n  return 1;\n}', 'if (output) {\n  return 1;\n}'],
    ['await fetch("x")', null],
    ['require("fs")', null],
    ['context.prompt.length', null],
    ['', null],
  ])('with the function %j runs it as promptfoo does, or says what it needs', async (value, body) => {
    const { checks, problems } = await readTests([{ vars: { q: 'x' }, assert: [{ type: 'javascript', value }] }]);
    expect(checks.map((check) => 'expected' in check && check.expected?.includes(`{${body}\n}`))).toEqual(
      body === null ? [] : [true],
    );
    expect(problems).toHaveLength(body === null ? 1 : 0);
  });

  it('takes asserts of sets and by reference, and gives checks ids of their own', async () => {
    const config = await readTests(
      [
        {
          vars: { q: 'x' },
          assert: [
            { $ref: '#/assertionTemplates/short' },
            {
              type: 'assert-set',
              assert: [
                { type: 'contains', value: 'a' },
                { type: 'contains', value: 'b', weight: 0 },
              ],
            },
          ],
        },
      ],
      { assertionTemplates: { short: { type: 'regex', value: '^.{1,9}$', metric: 'Short answer' } } },
    );
    expect(config.checks.map(({ id, name, counts }) => [id, name, counts])).toEqual([
      ['short-answer', 'Short answer', true],
      ['contains', 'contains', true],
      ['contains-2', 'contains', false],
    ]);
  });

  it.each([
    [{ prompts: ['file://p.txt'], tests: [{}] }, /no prompt that can be read.*in another file \(file:\/\/p\.txt\)/],
    [{ prompts: ['prompts/one.txt'], tests: [{}] }, /in another file/],
    [{ prompts: ['{% if a %}x{% endif %}'], tests: [{}] }, /more than \{\{name\}\} of the template language/],
    [{ prompts: ['{{ a | upper }}'], tests: [{}] }, /template language/],
    [{ prompts: [''], tests: [{}] }, /has no text/],
    [{ prompts: ['a'], tests: 'tests.csv' }, /no test that can be read.*tests\.csv/],
    [
      {
        prompts: ['a'],
        tests: [{ vars: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, Array(100).fill(1)])) }],
      },
      /too many tests/,
    ],
  ])('%j is refused with what is wrong', async (config, message) => {
    await expect(read(config)).rejects.toThrow(message);
  });

  it('does not unfold aliases without end', async () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`,
    );
    await expect(read(`a0: &a0 x\n${lines.join('\n')}\nprompts: [x]\ntests: [{}]`)).rejects.toThrow(
      /neither JSON nor YAML/,
    );
  });
});
