import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { toGreedy, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { EMPTY_SETUP, withoutRows } from '#features/evaluation/web/grid/gridSetup.ts';
import { readToasts } from '#ui/kit/toast.ts';
import { setChecks, setSampling } from './gridActions.ts';
import * as gridList from './gridList.ts';
import { IDLE, readBook, setBook, setRun, useGrid } from './gridStore.ts';
import { takeHeldOutRows } from './heldOutActions.ts';

const REQUEST = { model: 'm', messages: [], temperature: 0.7 };
const GREEDY = { id: 'c', label: 'm', sampling: 'greedy', request: toGreedy(REQUEST) } as const;
const OFFER: ColumnOffer = {
  neutral: { id: 'c', label: 'm', sampling: 'neutral', request: { model: 'm', messages: [], temperature: 0 } },
  pane: { own: { id: 'c', label: 'm', sampling: 'pane', request: REQUEST }, greedy: GREEDY },
  problem: null,
};
const toRows = (expected: readonly string[]): readonly PromptRow[] =>
  expected.map((text, at) => ({
    number: at + 1,
    messages: [{ role: 'user', content: `Question ${at}` }],
    variables: new Map(),
    expected: text,
  }));
const JSON_ROWS = toRows(['{"a":1}', '{"a":2}']);
const kinds = (): readonly string[] => useGrid.getState().checks.map(({ kind }) => kind);

/** A check worker that never answers: no verdict matters here. */
class SilentWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('Worker', SilentWorker);
  vi.stubGlobal('navigator', {});
  setBook({ ...EMPTY_SETUP, columns: [GREEDY] }, new Map());
  setChecks([]);
});
afterEach(() => {
  setRun(IDLE);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const ANSWER = { text: '{"a":1}', toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 } as const;
const CONTAINS = { ...DEFAULT_CHECK, kind: 'contains' } as const;

/** A grid with an answer and a person's own check. */
function fillGrid(): void {
  setBook({ ...EMPTY_SETUP, rows: JSON_ROWS, columns: [GREEDY] }, new Map([[0, { state: 'done', answer: ANSWER }]]));
  setChecks([CONTAINS]);
}
const readGrid = () => {
  const { setup, checks } = useGrid.getState();
  return { setup, checks, done: readBook().counts.done };
};

it('rows come with their source and the check that fits; another snapshot changes both', async () => {
  await takeHeldOutRows('Ticket triage · Snapshot 1', JSON_ROWS);
  expect([useGrid.getState().setup.source, kinds()]).toEqual(['Ticket triage · Snapshot 1', ['json-equal']]);
  const calls = toRows(['[{"name":"f","arguments":{}}]']);
  await takeHeldOutRows('Order tools · Snapshot 1', calls);
  expect([useGrid.getState().setup.source, kinds()]).toEqual(['Order tools · Snapshot 1', ['tool-calls']]);
  await takeHeldOutRows('Polite replies · Snapshot 1', toRows(['Dear Ines, thank you.', 'Hello.']));
  expect(kinds()).toEqual([]);
});

it('validation rows make a grid an evaluation, without what was chosen for the rows before', async () => {
  setBook({ ...EMPTY_SETUP, columns: [GREEDY], sampling: { c: 'pane' } }, new Map());
  await takeHeldOutRows('Ticket triage · Snapshot 1', JSON_ROWS);
  const { setup } = useGrid.getState();
  expect([setup.isEvaluation, setup.sampling]).toEqual([true, undefined]);
  const { isEvaluation, source, rows } = withoutRows(setup);
  expect([isEvaluation, source, rows]).toEqual([undefined, undefined, []]);
});

it("a person's own checks stay", async () => {
  await takeHeldOutRows('Ticket triage · Snapshot 1', JSON_ROWS);
  setChecks([{ ...DEFAULT_CHECK, kind: 'contains' }]);
  await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[{"name":"f","arguments":{}}]']));
  expect(kinds()).toEqual(['contains']);
});

it('a grid with answers stays as it is when no new grid can be opened', async () => {
  fillGrid();
  const before = readGrid();
  vi.spyOn(gridList, 'newGrid').mockResolvedValueOnce(gridList.NO_DATABASE);
  expect(await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[]']))).toBe(
    'This browser does not let the page store anything, so there is no other grid. Export the answers and clear them first.',
  );
  expect(readGrid()).toEqual(before);
  vi.spyOn(gridList, 'newGrid').mockResolvedValue('It could not be stored.');
  expect(await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[]']))).toBe('It could not be stored.');
  expect(readGrid()).toEqual(before);
});

it('a run keeps its rows and its checks, also one that begins while the grid is stored', async () => {
  setBook({ ...EMPTY_SETUP, rows: JSON_ROWS, columns: [GREEDY] }, new Map());
  setRun({ phase: 'running' });
  const before = readGrid();
  expect(await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[]']))).toBe('Pause the run first.');
  expect(readGrid()).toEqual(before);
  setRun(IDLE);
  fillGrid();
  const filled = readGrid();
  vi.spyOn(gridList, 'newGrid').mockImplementation(async () => (setRun({ phase: 'running' }), null));
  expect(await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[]']))).toBe('Pause the run first.');
  expect(readGrid()).toEqual(filled);
});

it("a new grid gets a person's own checks", async () => {
  fillGrid();
  vi.spyOn(gridList, 'newGrid').mockImplementation(async () => {
    setChecks([]);
    setBook(EMPTY_SETUP, new Map());
    return null;
  });
  expect(await takeHeldOutRows('Order tools · Snapshot 1', toRows(['[{"name":"f","arguments":{}}]']))).toBeNull();
  expect([useGrid.getState().setup.source, kinds()]).toEqual(['Order tools · Snapshot 1', ['contains']]);
});

it('the sampling of a column is a choice that can be undone, with its answers', async () => {
  setBook({ ...EMPTY_SETUP, rows: JSON_ROWS, columns: [GREEDY] }, new Map());
  const answer = { text: '{"a":1}', toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 };
  readBook().setCell(0, { state: 'done', answer });
  setSampling([OFFER], 'c', 'pane');
  const { columns, sampling } = useGrid.getState().setup;
  expect([columns[0]?.request.temperature, sampling, readBook().counts.done]).toEqual([0.7, { c: 'pane' }, 0]);
  readToasts().at(-1)?.action?.onSelect();
  expect([useGrid.getState().setup.columns[0]?.request.temperature, readBook().counts.done]).toEqual([0, 1]);
  setSampling([OFFER], 'gone', 'pane');
  expect(useGrid.getState().setup.columns).toEqual([GREEDY]);
});
