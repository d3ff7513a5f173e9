import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { describe, expect, it } from 'vitest';
import type { PromptRow } from './promptRow.ts';
import { parseRows } from './promptRows.ts';

const plain = ({ number, messages, variables, expected }: PromptRow) => ({
  number,
  messages,
  variables: Object.fromEntries(variables),
  expected,
});
const read = (text: string) => parseRows(text).rows.map(plain);

describe('JSONL', () => {
  it('takes the last answer of a chat row for what is expected', () => {
    const row = {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
        { role: 'assistant', content: 'a' },
      ],
    };
    expect(read(JSON.stringify(row))).toEqual([
      { number: 1, messages: row.messages.slice(0, 2), variables: {}, expected: 'a' },
    ]);
  });

  it('takes other fields for variables, whatever their type', () => {
    expect(read('{"name":"Ada","n":3,"o":{"a":1},"none":null,"expected":"yes"}')).toEqual([
      { number: 1, messages: null, variables: { name: 'Ada', n: '3', o: '{"a":1}', expected: 'yes' }, expected: 'yes' },
    ]);
  });

  it('keeps variables and an expectation beside messages', () => {
    expect(read('{"messages":[{"role":"user","content":"u"}],"id":7,"expected":"e"}')).toEqual([
      { number: 1, messages: [{ role: 'user', content: 'u' }], variables: { id: '7', expected: 'e' }, expected: 'e' },
    ]);
  });

  it('names what it can not read by its line, and keeps the rest', () => {
    const text = [
      '{"a":1}',
      '',
      '{"a":',
      '[1]',
      '{"messages":[{"role":"robot","content":""}]}',
      '{"messages":[{"role":"user","content":1}]}',
      '{"messages":[]}',
      '{"messages":[{"role":"user","content":"u"},{"role":"system","content":"s"}]}',
      '{"b":2}',
    ].join('\n');
    const { rows, problems } = parseRows(text);
    expect(rows.map((row) => Object.fromEntries(row.variables))).toEqual([{ a: '1' }, { b: '2' }]);
    expect(problems.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(problems[2]?.message).toContain('messages[0].role');
  });

  it('bounds the list of problems', () => {
    const { problems } = parseRows(`{"a":1}\n${'{\n'.repeat(100)}`);
    expect([problems.length, problems.at(-1)?.message]).toEqual([21, '80 more lines could not be read.']);
  });

  it('leaves the prototype alone', () => {
    expect(read('{"__proto__":"x","a":"y"}')[0]?.variables['a']).toBe('y');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('JSON', () => {
  const rows = [
    {
      messages: [
        { role: 'user', content: 'u' },
        { role: 'assistant', content: 'a' },
      ],
    },
    'Say b',
    { q: 'c', expected: 'd' },
  ];
  const wanted = [
    { number: 1, messages: [{ role: 'user', content: 'u' }], variables: {}, expected: 'a' },
    { number: 2, messages: null, variables: { prompt: 'Say b' }, expected: null },
    { number: 3, messages: null, variables: { q: 'c', expected: 'd' }, expected: 'd' },
  ];

  it.each([
    JSON.stringify(rows),
    JSON.stringify(rows, null, 2),
    `[\r\n${rows.map((row) => JSON.stringify(row)).join(',\r\n')}\r\n]`,
  ])('an array has a row for each entry: %j', (text) => expect(read(text)).toEqual(wanted));

  it('names entries that are no rows by their place', () => {
    const { rows: found, problems } = parseRows('[{"a":1}, 7, " ", ["x"], {"messages":[]}, {"a":2}]');
    expect(found.map(({ number, variables }) => [number, variables.get('a')])).toEqual([
      [1, '1'],
      [2, '2'],
    ]);
    expect(problems.map(({ entry, message }) => [entry, message])).toEqual([
      [2, 'The value 7; a row is an object or a text.'],
      [3, 'An empty text.'],
      [4, 'A list; a row is an object or a text.'],
      [5, 'No user message to answer at the end of messages.'],
    ]);
  });

  it('an object is one row, and so is a chat', () => {
    expect(read('{\n  "q": "c",\n  "expected": "d"\n}')).toEqual([{ ...wanted[2], number: 1 }]);
    expect(read('[{"role":"user","content":"u"},{"role":"assistant","content":"a"}]')).toEqual([wanted[0]]);
  });

  it.each([
    ['[\n  {"a": 1},\n  {"a": }\n]', 3, 'Invalid JSON at column 9: nothing fits from “}” on.'],
    ['[{"a": 1}', 1, 'Invalid JSON at column 10: it ends before it is complete.'],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 'Invalid JSON at column 3: nothing fits from “b: 2” on.'],
    ['{"a": 1} and more', 1, 'Invalid JSON at column 10'],
    ["[{'a': 1}]", 1, 'Invalid JSON at column 3'],
    ['[{"a": 1}]\n[{"a": 2}]', 2, 'Invalid JSON at column 1'],
  ])('%j is damaged, not prompts', (text, line, message) => {
    const { rows: found, problems, format } = parseRows(text);
    expect([format, found, problems.length]).toEqual(['json', [], 1]);
    expect(problems[0]).toMatchObject({ line, message: expect.stringContaining(message) as string });
  });
});

describe('CSV', () => {
  it('takes columns for variables', () => {
    expect(read('question,expected\r\n"What, ""really""?\nYes",42\n')).toEqual([
      { number: 1, messages: null, variables: { question: 'What, "really"?\nYes', expected: '42' }, expected: '42' },
    ]);
  });

  it('fills short records, refuses long ones, and names a column that occurs twice', () => {
    const { rows, problems } = parseRows('a,b,a\n1\n1,2,3,4\n5,6,7\n', 'csv');
    expect(rows.map((row) => Object.fromEntries(row.variables))).toEqual([
      { a: '', b: '' },
      { a: '7', b: '6' },
    ]);
    expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('counts lines, not records: quoted fields span lines, empty lines are skipped', () => {
    const { rows, problems } = parseRows(
      'a,b\r\n"one\r\ntwo\r\nthree",x\r\n\r\n1,2,3\r\n"4\r\n5",6,7\r\n8,9\r\n',
      'csv',
    );
    expect(rows.map((row) => row.variables.get('a'))).toEqual(['one\ntwo\nthree', '8']);
    expect(problems.map(({ line }) => line)).toEqual([6, 7]);
    expect(parseRows('a,b\n"1\n2",3\n"4,5', 'csv').problems[0]?.line).toBe(4);
  });

  it('says that a quote is never closed', () =>
    expect(parseRows('a,b\n"1,2\n3,4', 'csv').problems.length).toBeGreaterThan(0));
});

describe('lines', () => {
  it('takes each line for a prompt, whatever ends it', () => {
    expect(parseRows('one\r\ntwo\rthree\n\n').rows.map((row) => row.variables.get('prompt'))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});

it('never throws, and numbers rows from 1', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('json', 'jsonl', 'csv', 'lines', undefined),
      (text, format) => {
        expect(parseRows(text, format).rows.every((row, at) => row.number === at + 1)).toBe(true);
      },
    ),
  );
});

it('reads 10,000 rows', () => {
  const text = Array.from({ length: 10_000 }, (_, at) => JSON.stringify({ n: at })).join('\n');
  expect(parseRows(text).rows).toHaveLength(10_000);
});

const DEEP = `${'['.repeat(8000)}${']'.repeat(8000)}`;
const DEEP_TEXT = JSON.stringify(DEEP);

it.each([
  ['a value', `{"a":${DEEP}}`],
  ['a role', `{"role":"user","messages":[{"role":${DEEP},"content":"u"}]}`],
  ['a part of a text', `{"messages":[{"role":"user","content":[{"type":${DEEP}}]}]}`],
  [
    'expected arguments',
    `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f","arguments":${DEEP}}]}]}`,
  ],
  [
    'expected arguments as text',
    `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f","arguments":${DEEP_TEXT}}]}]}`,
  ],
  [
    'arguments as text',
    `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"f","arguments":${DEEP_TEXT}}]},{"role":"tool","content":"1"},{"role":"user","content":"u"}]}`,
  ],
])('says that a row nests too deeply, with the limit, and keeps the others: %s', (_what, row) => {
  for (const [text, format] of [
    [`${row}\n{"b":1}`, 'jsonl'],
    [`[${row}, {"b":1}]`, 'json'],
  ] as const) {
    const { rows, problems } = parseRows(text, format);
    expect([rows.length, problems.map(({ message }) => message)]).toEqual([
      1,
      [expect.stringContaining('nested too deeply: more than 100 levels')],
    ]);
  }
  expect(() => [parseRows(row), parseRows(row, 'csv'), parseRows(row, 'lines'), parseRows(`[${row}`)]).not.toThrow();
});

it('takes what nests as deeply as a request may', () => {
  const [open, close] = ['['.repeat(99), ']'.repeat(99)];
  expect([parseRows(`{"a":${open}${close}}`).rows.length, parseRows(`{"a":[${open}${close}]}`).rows.length]).toEqual([
    1, 0,
  ]);
});

it.each([90, 101, 8000])('never throws at %i levels, closed or not', (levels) => {
  for (const [start, end] of [
    ['{"a":', '}'],
    ['[', ']'],
    ['{"messages":[{"role":', '}]}'],
    ['{"prompt":"', '"}'],
  ] as const) {
    for (const inner of ['[{"b":'.repeat(levels), `${'[{"b":'.repeat(levels)}1${'}]'.repeat(levels)}${end}`]) {
      for (const format of ['json', 'jsonl', 'csv', 'lines', undefined] as const)
        expect(() => parseRows(start + inner, format)).not.toThrow();
    }
  }
});

it('says where a line of JSONL is damaged, in places of that line alone; a text by itself is a row', () => {
  const { rows, problems } = parseRows('{"q":"a"}\n{"q":"b\n"just text"\n[1]', 'jsonl');
  expect(problems).toEqual([
    { line: 2, message: 'Invalid JSON at column 6: nothing fits from “"b” on.' },
    { line: 4, message: 'A list; a row is an object or a text.' },
  ]);
  expect(rows.map(({ number, variables }) => [number, [...variables.values()]])).toEqual([
    [1, ['a']],
    [2, ['just text']],
  ]);
});
