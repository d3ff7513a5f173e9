import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { readToasts } from '#ui/kit/toast.ts';
import {
  changeSetup,
  clearAnswers,
  countRemovedBy,
  followPanes,
  pauseGrid,
  retryFailed,
  runGrid,
  setColumns,
  setPrompt,
  stopGrid,
  type Ask,
} from './gridActions.ts';
import type { CellAnswer } from '#features/evaluation/web/grid/gridBook.ts';
import type { AskResult } from './gridRun.ts';
import { EMPTY_SETUP, replaceRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { readBook, setBook, subscribeCells, useGrid } from './gridStore.ts';

const SETUP = {
  ...EMPTY_SETUP,
  rows: parseRows('a\nb\nc\nd\ne', 'lines').rows,
  columns: [{ id: 'c', label: 'm', request: { model: 'm', messages: [] } }],
};
const ANSWER: CellAnswer = { text: 'yes', toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 };
const ok: Ask = async () => ({ kind: 'answered', answer: ANSWER });
const states = (): string =>
  readBook()
    .cells.map(({ state }) => state[0])
    .join('');
const undo = (): void => readToasts().at(-1)?.action?.onSelect();

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  setBook(SETUP, new Map());
});
afterEach(() => void vi.unstubAllGlobals());

it('runs to the end, and says when it paused by itself', async () => {
  await runGrid(ok);
  expect([states(), useGrid.getState().run]).toEqual([
    'ddddd',
    expect.objectContaining({ phase: 'idle', notice: null, startedAt: null }),
  ]);
  clearAnswers();
  await runGrid(async () => ({ kind: 'halted', message: 'The studio is gone.' }));
  expect([states(), useGrid.getState().run.notice]).toEqual(['wwwww', 'The studio is gone.']);
});

it('ends and says why when the studio itself fails; what was on its way is asked for again', async () => {
  const deep = {
    ...ANSWER,
    text: '',
    toolCalls: [{ name: 'f', arguments: `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}` }],
  };
  await runGrid(async () => ({ kind: 'answered', answer: deep }));
  expect([states(), useGrid.getState().run.notice]).toEqual(['ddddd', null]);
  clearAnswers();
  const stop = subscribeCells(([at = 0]) => {
    if (readBook().cells[at]?.state === 'done') throw new RangeError('Maximum call stack size exceeded');
  });
  let asked = 0;
  const slow: Ask = (_request, signal) =>
    new Promise((resolve) => void signal.addEventListener('abort', () => resolve({ kind: 'halted', message: '' })));
  await runGrid((...request) => ((asked += 1) === 1 ? ok(...request) : slow(...request)));
  stop();
  expect(useGrid.getState().run).toMatchObject({
    phase: 'idle',
    startedAt: null,
    notice: 'An answer could not be put in its cell (Maximum call stack size exceeded).',
  });
  await Promise.resolve();
  expect([states(), asked]).toEqual(['dwwww', 3]);
  await runGrid(ok);
  expect([states(), useGrid.getState().run.notice]).toEqual(['ddddd', null]);
});

it('retries what failed, and only that', async () => {
  let asked = 0;
  await runGrid(async () =>
    (asked += 1) === 2
      ? { kind: 'failed', message: 'no', text: '' }
      : ok({ model: '', messages: [] }, new AbortController().signal),
  );
  expect(states()).toBe('dfddd');
  await retryFailed(async (...request) => ((asked += 1), ok(...request)));
  expect([states(), asked]).toEqual(['ddddd', 6]);
});

it('a retry in a grid that is paused leaves it paused: what waited waits', async () => {
  const results: readonly AskResult[] = [
    { kind: 'failed', message: 'no', text: '' },
    { kind: 'answered', answer: ANSWER },
    { kind: 'failed', message: 'no', text: '' },
  ];
  let asked = 0;
  await runGrid(async () => results[asked++] ?? { kind: 'halted', message: 'gone' });
  expect(states()).toBe('fdfww');
  asked = 0;
  const run = retryFailed(async (...request) => ((asked += 1), ok(...request)));
  expect(useGrid.getState().run).toMatchObject({ phase: 'running', retries: 2, settledBefore: 1 });
  await run;
  expect([states(), asked]).toEqual(['dddww', 2]);
  expect(useGrid.getState().run).toMatchObject({ phase: 'idle', retries: null, notice: null });
  await runGrid(ok);
  expect(states()).toBe('ddddd');
});

it('pauses and stops; meanwhile nothing is changed or run twice', async () => {
  let asked = 0;
  const waiting: (() => void)[] = [];
  const ask: Ask = (_request, signal) =>
    new Promise((resolve) => {
      asked += 1;
      const end = (): void => resolve({ kind: 'answered', answer: ANSWER });
      waiting.push(end);
      signal.addEventListener('abort', end);
    });
  const run = runGrid(ask);
  await Promise.resolve();
  await runGrid(ask);
  clearAnswers();
  setPrompt('other');
  expect([asked, readBook().setup]).toEqual([3, SETUP]);
  pauseGrid();
  expect(useGrid.getState().run.phase).toBe('pausing');
  for (const end of waiting) end();
  await run;
  expect([asked, states()]).toEqual([3, 'dddww']);
  const again = runGrid(ask);
  await Promise.resolve();
  stopGrid();
  await again;
  expect([asked, states()]).toEqual([5, 'dddww']);
});

it('answers that go can be brought back', async () => {
  await runGrid(ok);
  clearAnswers();
  expect([states(), readToasts().at(-1)?.text]).toEqual(['wwwww', '5 answers cleared']);
  undo();
  expect(states()).toBe('ddddd');
});

it('says how many answers would go, and takes none', async () => {
  await runGrid(ok);
  expect([
    countRemovedBy(replaceRows(SETUP, parseRows('a\nb', 'lines').rows)),
    countRemovedBy(replaceRows(SETUP, SETUP.rows.slice(1))),
    countRemovedBy({ ...SETUP, prompt: 'x' }),
  ]).toEqual([5, 1, 0]);
  expect(states()).toBe('ddddd');
});

it('another prompt takes no answer away; the old one has them back, the next run asks anew', async () => {
  await runGrid(ok);
  const toasts = readToasts().length;
  setPrompt('Say {{prompt}}');
  expect([{ ...readBook().counts }, readToasts().length, readBook().setup.columns]).toEqual([
    { waiting: 0, running: 0, done: 0, failed: 0, earlier: 5 },
    toasts,
    SETUP.columns,
  ]);
  setPrompt('{{prompt}}');
  expect([readBook().counts.done, readBook().counts.earlier]).toEqual([5, 0]);
  setPrompt('Say {{prompt}}');
  await runGrid(async () => ({ kind: 'answered', answer: { ...ANSWER, text: 'new' } }));
  expect(readBook().cells).toEqual(SETUP.rows.map(() => ({ state: 'done', answer: { ...ANSWER, text: 'new' } })));
});

/** Requests that fail when the test says so, or when they are aborted. */
function openBroken() {
  const ends: (() => void)[] = [];
  const ask: Ask = (_request, signal) =>
    new Promise((resolve) => {
      const end = (): void => resolve({ kind: 'failed', message: 'The connection was lost.', text: 'ha' });
      ends.push(end);
      signal.addEventListener('abort', end);
    });
  return { ends, ask };
}

it.each([
  ['is about to go', 'beforeunload', 'The page was being left.'],
  ['goes', 'pagehide', null],
])('what breaks off because the page %s has not failed: it is asked for again', async (_what, type, notice) => {
  const { ends, ask } = openBroken();
  const run = runGrid(ask);
  window.dispatchEvent(new Event(type));
  if (type === 'beforeunload') for (const end of ends) end();
  await run;
  expect([states(), ends.length, useGrid.getState().run.notice]).toEqual(['wwwww', 3, notice]);
});

it('what breaks off by itself has failed', async () => {
  const { ends, ask } = openBroken();
  const run = runGrid(ask);
  pauseGrid();
  for (const end of ends) end();
  await run;
  expect(states()).toBe('fffww');
});

it('does not bring back what would undo later changes', async () => {
  await runGrid(ok);
  clearAnswers();
  const { action } = readToasts().at(-1) ?? {};
  setPrompt('two');
  action?.onSelect();
  expect([readBook().setup.prompt, readToasts().at(-1)?.text]).toEqual([
    'two',
    expect.stringMatching(/can’t be undone/),
  ]);
});

it('says how many answers of twin columns go, and brings them back', async () => {
  const [column] = SETUP.columns;
  const twins = [
    { ...column!, id: 'p1' },
    { ...column!, id: 'p2' },
  ];
  setBook({ ...SETUP, columns: twins }, new Map());
  let asked = 0;
  await runGrid(async () => ({ kind: 'answered', answer: { ...ANSWER, text: String((asked += 1)) } }));
  const all = [...readBook().cells];
  setColumns(twins.slice(1));
  expect([readBook().cells, readToasts().at(-1)?.text]).toEqual([
    all.filter((_, at) => at % 2 === 1),
    '5 answers removed: their requests have changed',
  ]);
  undo();
  expect(readBook().cells).toEqual(all);
});

it.each([
  ['answers that were cleared', () => clearAnswers()],
  ['rows that were replaced', () => changeSetup(replaceRows(SETUP, parseRows('x\ny', 'lines').rows), '2 rows read')],
])('brings back %s after the columns have followed the panes', async (_what, act) => {
  await runGrid(ok);
  const other = (model: string) => [{ id: 'c', label: model, request: { model, messages: [] } }];
  act();
  const { action } = readToasts().at(-1) ?? {};
  followPanes(other('n'));
  followPanes(other('o'));
  expect([states().replaceAll('w', ''), readBook().setup.columns]).toEqual(['', other('o')]);
  action?.onSelect();
  expect([states(), readBook().setup]).toEqual(['ddddd', SETUP]);
});

it('an undo that costs newer answers can be undone', async () => {
  await runGrid(ok);
  clearAnswers();
  const { action } = readToasts().at(-1) ?? {};
  followPanes([{ id: 'c', label: 'n', request: { model: 'n', messages: [] } }]);
  await runGrid(async () => ({ kind: 'answered', answer: { ...ANSWER, text: 'newer' } }));
  const newer = [...readBook().cells];
  action?.onSelect();
  expect([readBook().cells[0], readToasts().at(-1)?.text]).toEqual([
    { state: 'done', answer: ANSWER },
    '5 answers removed: their requests have changed',
  ]);
  undo();
  expect([readBook().cells, readBook().setup.columns[0]?.label]).toEqual([newer, 'n']);
});

it('does not bring back answers over columns that a person chose since', async () => {
  await runGrid(ok);
  clearAnswers();
  const { action } = readToasts().at(-1) ?? {};
  setColumns([{ id: 'c', label: 'n', request: { model: 'n', messages: [] } }]);
  action?.onSelect();
  expect([states(), readToasts().at(-1)?.text]).toEqual(['wwwww', expect.stringMatching(/can’t be undone/)]);
});
