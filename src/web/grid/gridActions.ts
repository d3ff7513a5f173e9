// What a person can do with the grid, as plain functions; the only place that changes it.
import type { CheckSpec } from '#shared/evaluation/checks.ts';
import { watchPageLeaving } from '#web/session/leaving.ts';
import { formatCounted } from '#web/ui/format.ts';
import { wait } from '#web/ui/timing/wait.ts';
import { showToast } from '#web/ui/toast.ts';
import {
  countAnswers,
  toKind,
  type GridBook,
  type GridCell,
  type GridColumn,
  type GridSetup,
} from '#web/grid/cells/gridBook.ts';
import type { Hold } from '#web/grid/cells/gridHold.ts';
import { startGridRun, type GridRun, type GridRunDeps, type RunEnd } from './gridRun.ts';
import { carryOver } from '#web/grid/cells/gridSetup.ts';
import { applyChecks, IDLE, pulseNow, readBook, setBook, setRun, useGrid } from './gridStore.ts';

export type Ask = GridRunDeps['ask'];

/** The page streams four answers at a time: the chat keeps one. */
const PLACES = 3;

let current: GridRun | null = null;

export const isRunning = (): boolean => useGrid.getState().run.phase !== 'idle';

/** The latest of several waits is the one that counts. */
function tellHold(hold: Hold | null): void {
  if (hold === null) return setRun({ held: null });
  const until = Date.now() + hold.ms;
  const { held } = useGrid.getState().run;
  return held !== null && held.until >= until
    ? undefined
    : setRun({ held: { cause: hold.cause, isAsked: hold.isAsked, until } });
}

/** Starts asking, and tells of waits. */
const startRun = (book: GridBook, ask: Ask, isLeaving: () => boolean, only?: readonly number[]): GridRun =>
  startGridRun(
    book,
    {
      async ask(request, signal) {
        const result = await ask(request, signal);
        return result.kind !== 'answered' && isLeaving()
          ? { kind: 'halted', message: 'The page was being left.' }
          : result;
      },
      wait,
      places: PLACES,
      onHold: tellHold,
    },
    only,
  );

/**
 * Resolves to why a run ended, also where the studio itself fails: then what still runs is given up, to be asked for
 * again.
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
 * Asks for every cell that waits or holds an answer to an earlier prompt; with `only` for those at these places. Goes
 * on when the grid leaves the view.
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
  // A request that breaks off because the page goes has not failed: its cell is asked for again.
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

/** Asks again for the cells that failed, and for no other: what waits goes on waiting. */
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

const toGoneText = (gone: number): string => `${formatCounted(gone, 'answer')} removed: their requests have changed`;

/** Setups that came about by following the panes, each with the one that a person had made. */
const followed = new WeakMap<GridSetup, GridSetup>();
const findMade = (setup: GridSetup): GridSetup => followed.get(setup) ?? setup;

/** Offers the way back for as long as a person has changed nothing else. */
function offerUndo(text: string, next: GridSetup, undo: () => void): void {
  const onSelect = (): void => {
    if (findMade(useGrid.getState().setup) === findMade(next) && !isRunning()) undo();
    else showToast('The grid has changed since, so that can’t be undone any more.', { tone: 'bad' });
  };
  showToast(text, { action: { label: 'Undo', onSelect } });
}

/** How many answers of `book` are not among those carried over. */
const countGone = ({ counts }: GridBook, carried: ReadonlyMap<number, GridCell>): number =>
  countAnswers(counts) - carried.size;

/** How many answers would go if the grid were changed so. */
export const countLost = (next: GridSetup): number => countGone(readBook(), carryOver(readBook(), next));

/**
 * Brings back a setup with its cells. What was asked for since stays; where it has no place there, it can be had back
 * in turn.
 */
function restore(setup: GridSetup, before: ReadonlyMap<number, GridCell>): void {
  const book = readBook();
  if (book.setup === setup) {
    book.setCells(new Map([...before].filter(([at]) => book.cells[at]?.state === 'waiting')));
    pulseNow();
    return;
  }
  const carried = carryOver(book, setup);
  const gone = countGone(book, carried);
  const since = new Map<number, GridCell>(book.cells.entries());
  setBook(setup, new Map([...before, ...carried]));
  if (gone > 0) offerUndo(toGoneText(gone), setup, () => restore(book.setup, since));
}

/**
 * Other rows, another prompt or other columns. Answers stay where their request stays but for the prompt; with `text`,
 * or when answers go, it can be undone.
 */
export function changeSetup(next: GridSetup, text: string | null = null): void {
  const book = readBook();
  if (isRunning() || next === book.setup) return;
  const before = new Map<number, GridCell>(book.cells.entries());
  const known = carryOver(book, next);
  const gone = countGone(book, known);
  setBook(next, known);
  if (text === null && gone <= 0) return;
  const answers = gone > 0 ? toGoneText(gone) : '';
  offerUndo([text, answers].filter(Boolean).join('. '), next, () => restore(book.setup, before));
}

export const setPrompt = (prompt: string): void => changeSetup({ ...useGrid.getState().setup, prompt });
export const setColumns = (columns: readonly GridColumn[]): void =>
  changeSetup({ ...useGrid.getState().setup, columns });

/**
 * Takes the panes' columns over by itself: an undo that was offered before brings the earlier ones back along with
 * their answers.
 */
export function followPanes(columns: readonly GridColumn[]): void {
  const { setup } = useGrid.getState();
  const next = { ...setup, columns };
  followed.set(next, findMade(setup));
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
