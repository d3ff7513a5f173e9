import { expect, it } from 'vitest';
import { findCheckProblem, openCheckSet } from './checkSet.ts';
import { DEFAULT_CHECK, type CheckSpec } from './checks.ts';
import { parseListedCalls, parseToolCalls, toCallsJson, toCallsKey, toExpectedJson } from './toolCalls.ts';

const CHECK: CheckSpec = { ...DEFAULT_CHECK, kind: 'tool-calls' };
const call = (name: string, args: string) => ({ name, arguments: args });
const DEEP = `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`;
const EXPECTED = '[{"name":"f","arguments":{"a":1,"b":[2]}}]';

it.each([
  [EXPECTED],
  ['{"name":"f","arguments":"{\\"b\\":[2],\\"a\\":1}"}'],
  [
    '{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{\\"a\\":1,\\"b\\":[2]}"}}]}',
  ],
  ['<tool_call>\n{"name":"f","arguments":{"a":1,"b":[2]}}\n</tool_call>'],
  ['```json\n{"name":"f","arguments":{"a":1,"b":[2]}}\n```'],
])('an answer that calls the same passes, however the row writes it: %s', (expected) => {
  expect(openCheckSet([CHECK])('', expected, [call('f', ' {"b": [2], "a": 1}')])).toEqual({ state: 'pass' });
});

it.each<[string, string | null, readonly ReturnType<typeof call>[], string, string]>([
  ['no call', EXPECTED, [], 'fail', 'The answer calls no tool; expected: f.'],
  ['another tool', EXPECTED, [call('g', '{}')], 'fail', 'The answer calls g; expected: f.'],
  [
    'one too many',
    EXPECTED,
    [call('f', '{"a":1,"b":[2]}'), call('f', '{}')],
    'fail',
    'The answer calls f, f; expected: f.',
  ],
  [
    'other arguments',
    EXPECTED,
    [call('f', '{"a":"1","b":[2]}')],
    'fail',
    'f with {"a":"1","b":[2]}; expected: {"a":1,"b":[2]}',
  ],
  [
    'one twice',
    '[{"name":"f"},{"name":"g"}]',
    [call('g', '{}'), call('g', '{}')],
    'fail',
    'The answer calls g, g; expected: f, g.',
  ],
  [
    'the same call twice',
    '[{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":2}}]',
    [call('f', '{"a":2}'), call('f', '{"a":2}')],
    'fail',
    'f with {"a":2}; expected: {"a":1}',
  ],
  ['fenced arguments', EXPECTED, [call('f', '```json\n{"a":1,"b":[2]}\n```')], 'fail', 'f: its arguments are not JSON'],
  [
    'arguments of 8,001 levels',
    EXPECTED,
    [call('f', DEEP)],
    'fail',
    'f: its arguments are nested too deeply: more than 100 levels',
  ],
  [
    'a row that expects arguments of 8,001 levels',
    `[{"name":"f","arguments":${DEEP}}]`,
    [call('f', DEEP)],
    'no-check',
    'nested too deeply: more than 100 levels',
  ],
  ['broken arguments', EXPECTED, [call('f', '{"a":')], 'fail', 'f: its arguments are not JSON'],
  [
    'a row that expects a text',
    'Paris',
    [call('f', '{}')],
    'no-check',
    'The expected answer holds no tool call: it is not JSON',
  ],
  ['a row that expects other JSON', '{"a":1}', [call('f', '{}')], 'no-check', 'it names no tool'],
  ['a row that expects nothing', null, [call('f', '{}')], 'no-check', 'The row has no expected answer.'],
])('%s', (_what, expected, calls, state, reason) => {
  const result = openCheckSet([CHECK])('', expected, calls);
  expect(result).toEqual({ state, reason: expect.stringContaining(reason) as string });
});

it('calls of one answer pass in any order, each as often as it is expected', () => {
  const wanted = '[{"name":"f","arguments":{"a":1}},{"name":"f","arguments":{"a":2}},{"name":"g","arguments":{}}]';
  const [one, two, three] = [call('f', '{"a": 1}'), call('f', '{"a":2}'), call('g', '')];
  for (const calls of [
    [one, two, three],
    [three, two, one],
    [two, three, one],
  ])
    expect(openCheckSet([CHECK])('', wanted, calls)).toEqual({ state: 'pass' });
});

it('two calls pass with and without arguments', () => {
  expect(
    openCheckSet([{ ...CHECK, expected: '[{"name":"f","arguments":{}},{"name":"g","arguments":{"x":1}}]' }])(
      'text beside',
      null,
      [call('f', ''), call('g', '{"x":1.0}')],
    ),
  ).toEqual({ state: 'pass' });
});

it('a text of the check must hold calls', () => {
  expect(findCheckProblem({ ...CHECK, expected: 'f' })).toContain('Write the calls as JSON');
  expect([findCheckProblem({ ...CHECK, expected: EXPECTED }), findCheckProblem(CHECK)]).toEqual([null, null]);
});

it('calls are written as they are read; arguments that are no JSON stay', () => {
  const read = parseToolCalls(EXPECTED);
  expect(read.ok && toExpectedJson(read.value)).toBe(EXPECTED);
  expect(toCallsJson([call('f', '{"a":1}'), call('g', '{"a'), call('h', '')])).toBe(
    '[{"name":"f","arguments":{"a":1}},{"name":"g","arguments":"{\\"a"},{"name":"h","arguments":{}}]',
  );
});

it('arguments that nest too deeply stay the text that they are', () => {
  expect(JSON.parse(toCallsJson([call('f', DEEP), call('g', '[1]')]))).toEqual([
    call('f', DEEP),
    { name: 'g', arguments: [1] },
  ]);
  expect(JSON.parse(toCallsKey([call('f', DEEP)]))).toEqual([call('f', DEEP)]);
});

it.each(['"7"', '7', '"{}"', 'null', '', '"no \\"JSON"', '[{"b":1}]'])(
  'arguments that say %s are the same after any way through a row',
  (args) => {
    const expected = parseToolCalls(JSON.stringify([call('f', args)]));
    const written = expected.ok ? toExpectedJson(expected.value) : '';
    expect(parseToolCalls(written)).toEqual(expected);
    expect(openCheckSet([CHECK])('', written, [call('f', args)])).toEqual({ state: 'pass' });
    expect(openCheckSet([CHECK])('', toCallsJson([call('f', args)]), [call('f', args)])).toEqual({ state: 'pass' });
  },
);

it('a text is no number', () => {
  expect(openCheckSet([CHECK])('', '{"name":"f","arguments":"\\"7\\""}', [call('f', '7')])).toMatchObject({
    state: 'fail',
  });
});

it('the same calls have the same key, in whatever order their arguments stand', () => {
  const [one, other] = ['{"a":1,"b":{"c":[1,2],"d":2}}', ' {"b": {"d": 2.0, "c": [1, 2]}, "a": 1}'];
  expect(toCallsKey([call('f', one)])).toBe(toCallsKey([call('f', other)]));
  expect(toCallsKey([call('f', '{"id":12345678901234567890}')])).not.toBe(
    toCallsKey([call('f', '{"id":12345678901234567891}')]),
  );
  expect(toCallsKey([call('f', '{"a":[1,2]}')])).not.toBe(toCallsKey([call('f', '{"a":[2,1]}')]));
  expect(toCallsKey([call('f', one), call('g', '{}')])).toBe(toCallsKey([call('g', '{}'), call('f', other)]));
  expect(toCallsKey([call('f', one), call('f', one)])).not.toBe(toCallsKey([call('f', one)]));
});

it.each<[string, number | null]>([
  [EXPECTED, 1],
  ['[{"arguments":"{}","name":"f"}, {"name":"g","arguments":{}}]', 2],
  ['[{"name":"Ada","age":36}]', null],
  ['[{"name":"Ada"}]', null],
  ['[{"name":"f","arguments":{}},{"name":"Ada","age":36}]', null],
  ['[{"name":"f","arguments":{},"id":"x"}]', null],
  ['[{"name":"f","arguments":"{"}]', null],
  ['[{"name":"f","arguments":{}', null],
  ['{"name":"f","arguments":{}}', null],
  ['Paris', null],
])('%s is a list of calls: %j', (text, count) => expect(parseListedCalls(text)?.length ?? null).toBe(count));
