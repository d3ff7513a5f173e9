// The actions of a grid, as plain functions. Only this file changes the grid.
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import { watchPageLeaving } from '#ui/storage/leaving.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { wait } from '#ui/timing/wait.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  countAnswers,
  toKind,
  type GridBook,
  type GridCell,
  type GridColumn,
  type GridSetup,
  type Sampling,
} from '#features/evaluation/web/grid/gridBook.ts';
import { openHoldNotices } from '#features/evaluation/web/grid/gridBackoff.ts';
import { startGridRun, type GridRun, type GridRunDeps, type RunEnd } from './gridRun.ts';
import { carryOver } from '#features/evaluation/web/grid/gridSetup.ts';
import { chooseColumns, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { applyChecks, IDLE, pulseNow, readBook, setBook, setRun, useGrid } from './gridStore.ts';

export type Ask = GridRunDeps['ask'];

/** The page streams at most four answers at a time, and leaves one of them to the chat. */
const MAX_CONCURRENT = 3;

let current: GridRun | null = null;

export const isRunning = (): boolean => useGrid.getState().run.phase !== 'idle';

function startRun(book: GridBook, ask: Ask, isLeaving: () => boolean, only?: readonly number[]): GridRun {
  const toNotice = openHoldNotices(Date.now);
  return startGridRun(
    book,
    {
      async ask(request, signal) {
        const result = await ask(request, signal);
        return result.kind !== 'answered' && isLeaving()
          ? { kind: 'halted', message: 'The page was being left.' }
          : result;
      },
      wait,
      places: MAX_CONCURRENT,
      onHold: (hold, model) => setRun({ hold: toNotice(hold, model) }),
    },
    only,
  );
}

/**
 * Resolves to the reason why a run ended. If the studio itself throws, the run stops, and its running cells wait again.
 */
async function awaitEnd({ finished, stop }: GridRun): Promise<RunEnd> {
  try {
    return await finished;
  } catch (error) {
    stop();
    return `An answer could not be put in its cell (${error instanceof Error ? error.message : String(error)}).`;
  }
}

/**
 * Requests every cell that waits or holds an answer to an earlier prompt; with `only`, the cells at these places.
 * Continues when the grid is hidden.
 */
async function run(ask: Ask, only?: readonly number[]): Promise<void> {
  if (isRunning()) return;
  const book = readBook();
  setRun({
    ...IDLE,
    phase: 'running',
    startedAt: Date.now(),
    settledBefore: book.counts.done + book.counts.failed,
    retries: only?.length ?? null,
  });
  // A request that breaks off because the page unloads is no failure: its cell waits again.
  const { isLeaving, close } = watchPageLeaving(window, stopGrid);
  let notice: RunEnd = null;
  try {
    current = startRun(book, ask, isLeaving, only);
    notice = await awaitEnd(current);
  } finally {
    close();
    current = null;
    setRun({ ...IDLE, notice });
    pulseNow();
  }
}

export const runGrid = (ask: Ask): Promise<void> => run(ask);

export function pauseGrid(): void {
  current?.pause();
  if (isRunning()) setRun({ phase: 'pausing' });
}

export function stopGrid(): void {
  current?.stop();
  if (isRunning()) setRun({ phase: 'pausing' });
}

/** Requests the failed cells again, and no others. Waiting cells keep waiting. */
export function retryFailed(ask: Ask): Promise<void> {
  if (isRunning()) return Promise.resolve();
  const book = readBook();
  const failed = [...book.cells.entries()].flatMap(([at, cell]) => (toKind(cell) === 'failed' ? [at] : []));
  book.retryFailed();
  return run(ask, failed);
}

export const setChecks = (checks: readonly CheckSpec[]): void => applyChecks(checks);
export const dismissNotice = (): void => setRun({ notice: null });
export const dismissProblem = (): void => useGrid.setState({ problem: null });

const toRemovedText = (removed: number): string =>
  `${formatCounted(removed, 'answer')} removed: their requests have changed`;

/** Maps a setup that followed the panes to the last setup that a person made. */
const manualSetups = new WeakMap<GridSetup, GridSetup>();
const findManualSetup = (setup: GridSetup): GridSetup => manualSetups.get(setup) ?? setup;

/** Offers an undo. It works as long as a person has changed nothing else. */
function offerUndo(text: string, next: GridSetup, undo: () => void): void {
  const onSelect = (): void => {
    if (findManualSetup(useGrid.getState().setup) === findManualSetup(next) && !isRunning()) undo();
    else showToast('The grid has changed since, so that can’t be undone any more.', { tone: 'error' });
  };
  showToast(text, { action: { label: 'Undo', onSelect } });
}

/** How many answers of `book` are missing in `carried`. */
const countRemoved = ({ counts }: GridBook, carried: ReadonlyMap<number, GridCell>): number =>
  countAnswers(counts) - carried.size;

/** How many answers this change would remove. */
export const countRemovedBy = (next: GridSetup): number => countRemoved(readBook(), carryOver(readBook(), next));

/** Restores a setup with its cells. Newer answers stay; if they don't fit the setup, another undo brings them back. */
function restore(setup: GridSetup, before: ReadonlyMap<number, GridCell>): void {
  const book = readBook();
  if (book.setup === setup) {
    book.setCells(new Map([...before].filter(([at]) => book.cells[at]?.state === 'waiting')));
    pulseNow();
    return;
  }
  const carried = carryOver(book, setup);
  const removed = countRemoved(book, carried);
  const since = new Map<number, GridCell>(book.cells.entries());
  setBook(setup, new Map([...before, ...carried]));
  if (removed > 0) offerUndo(toRemovedText(removed), setup, () => restore(book.setup, since));
}

/**
 * Changes rows, prompt or columns. Answers stay if their request differs in nothing but the prompt. Offers an undo if
 * answers are removed, or with `text`.
 */
export function changeSetup(next: GridSetup, text: string | null = null): void {
  const book = readBook();
  if (isRunning() || next === book.setup) return;
  const before = new Map<number, GridCell>(book.cells.entries());
  const carried = carryOver(book, next);
  const removed = countRemoved(book, carried);
  setBook(next, carried);
  if (text === null && removed <= 0) return;
  const answers = removed > 0 ? toRemovedText(removed) : '';
  offerUndo([text, answers].filter(Boolean).join('. '), next, () => restore(book.setup, before));
}

export const setPrompt = (prompt: string): void => changeSetup({ ...useGrid.getState().setup, prompt });
export const setColumns = (columns: readonly GridColumn[]): void =>
  changeSetup({ ...useGrid.getState().setup, columns });

/** Chooses what of its pane's settings a column sends. The other columns stay. */
export function setSampling(offers: readonly ColumnOffer[], id: string, sampling: Sampling): void {
  const { setup } = useGrid.getState();
  const next = { ...setup, sampling: { ...setup.sampling, [id]: sampling } };
  const changed = chooseColumns(offers, next).find((column) => column.id === id);
  if (!changed) return;
  const columns = setup.columns.map((column) => (column.id === id ? changed : column));
  changeSetup({ ...next, columns });
}

/**
 * Adopts the panes' columns automatically. An undo that was offered before still restores the earlier columns with
 * their answers.
 */
export function followPanes(columns: readonly GridColumn[]): void {
  const { setup } = useGrid.getState();
  const next = { ...setup, columns };
  manualSetups.set(next, findManualSetup(setup));
  changeSetup(next);
}

export function clearAnswers(): void {
  const book = readBook();
  if (isRunning()) return;
  const before = book.clear(new Set(['done', 'failed', 'earlier']));
  pulseNow();
  if (before.size > 0)
    offerUndo(`${formatCounted(before.size, 'answer')} cleared`, book.setup, () => restore(book.setup, before));
}
