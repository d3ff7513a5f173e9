import { expect, it } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import type { GridCell, GridSetup } from './gridBook.ts';
import { parseCell, parseGridRecord, toCellRecord, toGridRecord, toStored } from './gridRecords.ts';
import { isSameColumns } from './gridSetup.ts';

const SETUP: GridSetup = {
  id: 'grid',
  prompt: 'Say {{q}}',
  rows: [
    ...parseRows('q,expected,__proto__\na,b,c\n', 'csv').rows,
    {
      ...parseRows('{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}],"x":"y"}', 'jsonl')
        .rows[0]!,
      number: 2,
    },
  ],
  columns: [
    {
      id: 'p1',
      label: 'm · Temperature 0',
      sampling: 'greedy',
      request: { model: 'm', messages: [{ role: 'system', content: 's' }], temperature: 0, stream: true },
    },
  ],
};

it('a grid comes back as it was, also through JSON', () => {
  const stored = {
    setup: SETUP,
    checks: [
      { ...DEFAULT_CHECK, kind: 'number' as const, tolerance: 0.5 },
      { ...DEFAULT_CHECK, kind: 'json-fields' as const, fields: ['a', 'b.c'], isStrict: true },
      { ...DEFAULT_CHECK, kind: 'similarity' as const, measure: 'chrf' as const, threshold: 0 },
      { ...DEFAULT_CHECK, kind: 'length' as const, unit: 'tokens' as const, min: 0, max: 9 },
    ],
    prompts: ['Say {{r}}'],
    savedAt: 7,
  };
  expect(parseGridRecord(toGridRecord(stored))).toEqual(stored);
  expect(parseGridRecord(JSON.parse(JSON.stringify(toGridRecord(stored))))).toEqual(stored);
});

it('remembers where rows come from and how columns sample; older columns keep the sampling of their answers', () => {
  const toStoredSetup = (setup: GridSetup): GridSetup | undefined =>
    parseGridRecord(toGridRecord({ setup, checks: [], prompts: [], savedAt: 7 }))?.setup;
  const chosen: GridSetup = {
    ...SETUP,
    source: 'Ticket triage · Snapshot 1',
    isEvaluation: true,
    sampling: { p1: 'pane', p2: 'neutral' },
  };
  expect(toStoredSetup(chosen)).toEqual(chosen);
  const older: GridSetup = { ...SETUP, columns: SETUP.columns.map(({ sampling: _sampling, ...column }) => column) };
  expect(toStoredSetup(older)).toEqual({ ...older, sampling: { p1: 'pane' } });
});

it.each<[string, object]>([
  [
    'fields in an order of its own',
    { stream: true, temperature: 0, messages: [{ content: 's', role: 'system' }], model: 'm' },
  ],
  [
    'fields that nobody knows',
    {
      model: 'm',
      messages: [],
      top_k: 4,
      tools: [
        { type: 'function', function: { name: 'f', 'x-origin': 'catalogue', parameters: { b: 1, a: 2 } }, cache: true },
      ],
    },
  ],
  [
    'more than a service takes',
    { model: 'm'.repeat(300), messages: [], stop: Array.from({ length: 70 }, (_, at) => `stop ${at}`), temperature: 9 },
  ],
])('a request stays what it was: %s', (_what, request) => {
  const record: unknown = JSON.parse(
    JSON.stringify({ version: 1, prompt: '', rows: [], columns: [{ id: 'c', label: 'l', request }] }),
  );
  const grid = parseGridRecord(record);
  expect(grid?.setup.columns).toEqual([{ id: 'c', label: 'l', request }]);
  const again = grid && parseGridRecord(JSON.parse(JSON.stringify(toGridRecord(grid))));
  expect(isSameColumns(grid?.setup.columns ?? [], again?.setup.columns ?? [])).toBe(true);
});

it('keeps the calls and results of a chat', () => {
  const row = {
    messages: [
      { role: 'user', content: 'u' },
      { role: 'assistant', tool_calls: [{ name: 'f', arguments: '{}' }] },
      { role: 'tool', content: '7' },
      { role: 'assistant', content: 'a' },
    ],
  };
  const { rows } = parseRows(JSON.stringify(row), 'jsonl');
  expect(rows[0]?.messages).toHaveLength(3);
  const back = parseGridRecord(
    JSON.parse(
      JSON.stringify(
        toGridRecord({
          setup: { ...SETUP, rows },
          checks: [{ ...DEFAULT_CHECK, kind: 'tool-calls' }],
          prompts: [],
          savedAt: 7,
        }),
      ),
    ),
  );
  expect([back?.setup.rows, back?.checks[0]?.kind]).toEqual([rows, 'tool-calls']);
});

it('keeps what a column is called beside its label', () => {
  const columns = [
    {
      id: 'c',
      label: 'ft-1',
      name: 'Experiment 1 · LoRA',
      request: { model: 'ft-1', messages: [] },
      values: { company: 'Acme' },
    },
  ];
  const record: unknown = JSON.parse(JSON.stringify({ version: 1, prompt: '', rows: [], columns }));
  expect(parseGridRecord(record)?.setup.columns).toEqual(columns);
});

it('columns equal those they were stored from', () => {
  const back = parseGridRecord(
    JSON.parse(JSON.stringify(toGridRecord({ setup: SETUP, checks: [], prompts: [], savedAt: 7 }))),
  );
  expect(isSameColumns(back?.setup.columns ?? [], SETUP.columns)).toBe(true);
});

it.each([
  ['nothing', undefined],
  ['another version', { version: 2, prompt: '', rows: [], columns: [] }],
  ['a row that is none', { version: 1, prompt: '', rows: [3], columns: [] }],
  [
    'a message that is none',
    {
      version: 1,
      prompt: '',
      rows: [
        {
          messages: [
            { role: 'user', content: 'u' },
            { role: 'robot', content: 'x' },
          ],
          variables: [],
        },
      ],
      columns: [],
    },
  ],
  ['messages that are none', { version: 1, prompt: '', rows: [{ messages: 'u', variables: [] }], columns: [] }],
  [
    'a call of another type',
    {
      version: 1,
      prompt: '',
      rows: [
        {
          messages: [
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ id: 'c', type: 'custom', function: { name: 'f', arguments: '{}' } }],
            },
          ],
          variables: [],
        },
      ],
      columns: [],
    },
  ],
  [
    'a variable that is none',
    {
      version: 1,
      prompt: '',
      rows: [
        {
          messages: null,
          variables: [
            ['q', 'a'],
            ['r', 7],
          ],
        },
      ],
      columns: [],
    },
  ],
  ['a column without a model', { version: 1, prompt: '', rows: [], columns: [{ id: 'x', request: {} }] }],
  [
    'a column whose messages are none',
    { version: 1, prompt: '', rows: [], columns: [{ id: 'x', request: { model: 'm', messages: ['s'] } }] },
  ],
  ['a column without messages', { version: 1, prompt: '', rows: [], columns: [{ id: 'x', request: { model: 'm' } }] }],
])('does not guess: %s', (_what, value) => expect(parseGridRecord(value)).toBeNull());

const DONE = {
  state: 'done',
  answer: {
    text: 'x',
    toolCalls: [{ name: 'f', arguments: '{}' }],
    finish_reason: null,
    prompt_tokens: 7,
    completion_tokens: null,
    asked_at: 5,
    ms: 3,
  },
} as const;

/** Writes a cell to its record and reads it back. */
function toBack(cell: GridCell): GridCell | null {
  const prompts: string[] = [];
  const record: unknown = JSON.parse(JSON.stringify(toCellRecord(cell, (prompt) => prompts.push(prompt) - 1)));
  return parseCell(record, prompts);
}

it('keeps settled cells, and asks again for others', () => {
  const failed: GridCell = { state: 'failed', message: 'no', text: 'half' };
  expect([toBack(DONE), toBack(failed)]).toEqual([DONE, failed]);
  expect([
    toBack({ state: 'running' }),
    toStored(undefined),
    parseCell({ state: 'done' }, []),
    parseCell(4, []),
  ]).toEqual([null, null, null, null]);
});

it('keeps which prompt an answer is to, also beside an attempt that has replaced nothing', () => {
  const earlier = { ...DONE, earlier: 'Say {{q}}' };
  const failed: GridCell = { state: 'failed', message: 'no', text: '', kept: earlier };
  expect([toBack(earlier), toBack(failed), toBack({ state: 'running', kept: earlier })]).toEqual([
    earlier,
    failed,
    earlier,
  ]);
  // Its prompt is unknown, so it must not count as the current one.
  expect([parseCell({ ...DONE, earlier: 3 }, ['a']), parseCell({ ...DONE, earlier: 'a' }, ['a'])]).toEqual([
    null,
    null,
  ]);
});
