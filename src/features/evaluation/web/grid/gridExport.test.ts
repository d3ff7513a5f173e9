import { expect, it } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { openGridBook, type CellAnswer, type GridCell } from './gridBook.ts';
import { toGridCsv, toGridJsonl, type GridResults } from './gridExport.ts';

const ANSWER: CellAnswer = {
  text: 'a',
  toolCalls: [],
  finish_reason: 'stop',
  prompt_tokens: 9,
  completion_tokens: 1,
  asked_at: Date.UTC(2026, 10, 22),
  ms: 10.4,
};
const done = (text: string): GridCell => ({ state: 'done', answer: { ...ANSWER, text } });
const SYSTEM = { role: 'system', content: 'Be {{tone}}.' } as const;
const tools = [{ type: 'function' as const, function: { name: 'f' } }];
const rows = [
  ...parseRows('q,tone,expected\n=1,kind,a\n2,dry,b\n', 'csv').rows,
  ...parseRows('{"messages":[{"role":"user","content":"Hi"}]}', 'jsonl').rows,
];
const columns = [
  { id: 'x', label: 'same', request: { model: 'x', messages: [SYSTEM], temperature: 0.2, tools, stream: true } },
  { id: 'y', label: 'same', request: { model: 'y', messages: [] } },
];

function toResults(cells: readonly GridCell[]): GridResults {
  const book = openGridBook({ id: 'g', prompt: 'Say {{q}}', rows, columns }, new Map(cells.entries()));
  return {
    book,
    checks: [DEFAULT_CHECK],
    verdictOf: (at) =>
      at === 0
        ? { state: 'pass' }
        : at === 1
          ? { state: 'fail', reason: 'The text differs from the expected text.' }
          : null,
  };
}

const RESULTS = toResults([
  done('a'),
  done('c'),
  { ...done('old'), state: 'done', answer: ANSWER, earlier: '{{q}}?' },
  { state: 'failed', message: 'no model', text: 'half' },
]);
const linesOf = (places: readonly number[], results = RESULTS) =>
  [...toGridJsonl(results, places)]
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('JSONL has a line per answer that says what was asked, how, and what came', () => {
  const lines = linesOf([0]);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toEqual({
    row: 1,
    column: 'same',
    model: 'x',
    sampling: 'sampled',
    system_prompt: 'Be kind.',
    parameters: { temperature: 0.2, tools },
    prompt: 'Say {{q}}',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Say =1' },
    ],
    variables: { q: '=1', tone: 'kind', expected: 'a' },
    expected: 'a',
    state: 'done',
    text: 'a',
    tool_calls: null,
    finish_reason: 'stop',
    prompt_tokens: 9,
    completion_tokens: 1,
    asked_at: '2026-11-22T00:00:00.000Z',
    ms: 10,
    check: 'passed',
    reason: null,
    checks: [DEFAULT_CHECK],
  });
  expect(lines[1]).toMatchObject({
    column: 'same (2)',
    model: 'y',
    system_prompt: null,
    text: 'c',
    check: 'not passed',
    reason: 'The text differs from the expected text.',
  });
});

it('an answer to an earlier prompt says so, with what it answers', () => {
  const [earlier, failed] = linesOf([1]);
  expect(earlier).toMatchObject({
    state: 'earlier prompt',
    prompt: '{{q}}?',
    messages: [{ content: 'Be dry.' }, { content: '2?' }],
    check: null,
  });
  expect(failed).toMatchObject({ state: 'no answer', reason: 'no model', text: 'half', prompt: 'Say {{q}}' });
});

it('a chat has its own messages, and what waits has its line', () => {
  expect(linesOf([2])[1]).toMatchObject({
    row: 1,
    state: 'not run',
    prompt: null,
    messages: [{ role: 'user', content: 'Hi' }],
    text: null,
  });
  // Without a value for {{tone}} it can't be sent.
  expect(linesOf([2])[0]).toMatchObject({ messages: null });
});

it('CSV has what was asked and how the answer ended, and escapes what a spreadsheet would run', () => {
  const [header = '', first = '', second = ''] = [...toGridCsv(RESULTS, [0, 1])].join('').split('\r\n');
  const facts = (name: string): string =>
    [
      'state',
      'check',
      'reason',
      'finish_reason',
      'prompt_tokens',
      'completion_tokens',
      'ms',
      'asked_at',
      'tool_calls',
      'sampling',
    ]
      .map((fact) => `${name}: ${fact}`)
      .join(',');
  expect(header).toBe(
    `row,messages,q,tone,rendered prompt,expected,same,${facts('same')},same (2),${facts('same (2)')}`,
  );
  expect(first).toBe(
    "1,,'=1,kind,Say =1,a,a,done,passed,,stop,9,1,10,2026-11-22T00:00:00.000Z,,sampled,c,done,not passed,The text differs from " +
      'the expected text.,stop,9,1,10,2026-11-22T00:00:00.000Z,,default',
  );
  expect(second).toContain(',Say 2,b,a,earlier prompt,,,stop');
});

it('CSV tells how many texts are not exactly as they were, and is read back as they were', () => {
  const results = toResults([done('-1'), done('=1\n2'), done('- a'), done('b')]);
  const [parts, ends]: [string[], number[]] = [[], []];
  for (const format of [toGridCsv, toGridJsonl]) {
    const texts = format(results, [0, 1]);
    let part = texts.next();
    for (; part.done !== true; part = texts.next()) if (format === toGridCsv) parts.push(part.value);
    ends.push(part.value);
  }
  expect(ends).toEqual([3, 0]);
  const read = parseRows(parts.join(''), 'csv').rows;
  expect(read.map(({ variables }) => ['q', 'same', 'same (2)'].map((name) => variables.get(name)))).toEqual([
    ['=1', '-1', '=1\n2'],
    ['2', '- a', 'b'],
  ]);
  expect(parts.join('')).toContain(',-1,done,');
});

it('calls of tools are exported beside a text and without one', () => {
  const toolCalls = [{ name: 'f', arguments: '{"a":1}' }];
  const results = toResults([
    { state: 'done', answer: { ...ANSWER, toolCalls } },
    { state: 'done', answer: { ...ANSWER, text: '', toolCalls } },
  ]);
  expect(linesOf([0], results).map(({ text, tool_calls }) => [text, tool_calls])).toEqual([
    ['a', toolCalls],
    ['', toolCalls],
  ]);
  const [, line = ''] = [...toGridCsv(results, [0])].join('').split('\r\n');
  const calls = '"[{""name"":""f"",""arguments"":""{\\""a\\"":1}""}]"';
  expect(line).toContain(
    `,a,done,passed,,stop,9,1,10,2026-11-22T00:00:00.000Z,${calls},sampled,${calls},done,not passed,`,
  );
});
