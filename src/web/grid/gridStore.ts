// The page's one grid. The store holds plain data and a pulse; the cells stand beside it in the book, which changes in
// place, and components read them again at each pulse.
import { create } from 'zustand';
import type { CheckSpec } from '#shared/evaluation/checks.ts';
import { later } from '#web/ui/timing/timedWorker.ts';
import { openGridBook, type GridBook, type GridCell, type GridSetup } from '#web/grid/cells/gridBook.ts';
import { openCheckClient } from '#web/grid/workers/checkClient.ts';
import type { HoldCause } from '#web/grid/cells/gridHold.ts';
import { openGridScorer, type GridScorer } from './gridScorer.ts';
import { EMPTY_SETUP } from '#web/grid/cells/gridSetup.ts';
import { openGridTally, type GridTally, type RowFilter } from '#web/grid/cells/gridTally.ts';
import { openCheckWorker } from '#web/grid/workers/openCheckWorker.ts';

export interface RunState {
  readonly phase: 'idle' | 'running' | 'pausing';
  /** Unix milliseconds; null while nothing runs. */
  readonly startedAt: number | null;
  /** Cells that had settled when the run began. */
  readonly settledBefore: number;
  /** Cells that a retry asks for; null: a run asks for all that are left. */
  readonly retries: number | null;
  /** Why nothing is asked for now, and the Unix milliseconds at which it goes on. */
  readonly held: { readonly cause: HoldCause; readonly isAsked: boolean; readonly until: number } | null;
  /** Why the run paused by itself. */
  readonly notice: string | null;
}

/** What of the grid is on show: it outlives the panel, which goes when the chat is shown. */
export interface GridView {
  readonly filter: RowFilter;
  readonly query: string;
  /** Id of the column that the others are compared with; null: the first. */
  readonly referenceId: string | null;
}

interface GridState {
  readonly isLoaded: boolean;
  /** Why the grid does not survive a reload, or did not. */
  readonly problem: string | null;
  /** Under which the grid is stored, what a person called it, and the project that it belongs to; null: none yet. */
  readonly kept: { readonly id: string; readonly name: string; readonly project: string | null };
  readonly setup: GridSetup;
  readonly checks: readonly CheckSpec[];
  readonly run: RunState;
  readonly view: GridView;
  /** Counts up when cells or verdicts have changed, at most four times a second. */
  readonly pulse: number;
}

export const IDLE: RunState = {
  phase: 'idle',
  startedAt: null,
  settledBefore: 0,
  retries: null,
  held: null,
  notice: null,
};
const PULSE_MS = 250;

export const useGrid = create<GridState>(() => ({
  isLoaded: false,
  problem: null,
  kept: { id: '', name: '', project: null },
  setup: EMPTY_SETUP,
  checks: [],
  run: IDLE,
  view: { filter: 'all', query: '', referenceId: null },
  pulse: 0,
}));

let book: GridBook = openGridBook(EMPTY_SETUP);
let tally: GridTally = openGridTally(book);
let scorer: GridScorer = openScorer();
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<(places: readonly number[]) => void>();

const beat = (): void => useGrid.setState(({ pulse }) => ({ pulse: pulse + 1 }));

function pulseSoon(): void {
  timer ??= setTimeout(() => {
    timer = null;
    beat();
  }, PULSE_MS);
}

function openScorer(): GridScorer {
  return openGridScorer(book, tally, {
    openClient: (specs) => openCheckClient(specs, { openWorker: openCheckWorker, later }),
    onChange: pulseSoon,
  });
}

export const readBook = (): GridBook => book;
export const readTally = (): GridTally => tally;

/**
 * Another book with these cells, as after an edit or after loading. What can't be opened leaves the book of before as
 * it is.
 */
export function setBook(setup: GridSetup, known: ReadonlyMap<number, GridCell>): void {
  const opened = openGridBook(setup, known);
  const counted = openGridTally(opened);
  scorer.close();
  [book, tally] = [opened, counted];
  scorer = openScorer();
  const scored = scorer;
  opened.subscribe((places) => {
    counted.update(places);
    scored.update(places);
    for (const listener of listeners) listener(places);
    pulseSoon();
  });
  useGrid.setState(({ pulse }) => ({ setup, pulse: pulse + 1 }));
  scorer.setChecks(useGrid.getState().checks);
}

/** Replaces the checks: every answer is checked anew. */
export function applyChecks(checks: readonly CheckSpec[]): void {
  useGrid.setState({ checks });
  scorer.setChecks(checks);
}

/** Shows at once what has changed, as after a click. */
export const pulseNow = beat;

export const setRun = (patch: Partial<RunState>): void =>
  useGrid.setState(({ run }) => ({ run: { ...run, ...patch } }));

export const setView = (patch: Partial<GridView>): void =>
  useGrid.setState(({ view }) => ({ view: { ...view, ...patch } }));

/** Calls `listener` with the places of cells that changed in the book of the moment. */
export function subscribeCells(listener: (places: readonly number[]) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
