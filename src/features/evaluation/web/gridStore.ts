// The page's one grid. The store holds plain data and `pulse`. The book holds the cells and changes in place;
// components read them again at each pulse.
import { create } from 'zustand';
import type { CheckSpec } from '#features/evaluation/shared/checks.ts';
import { workerOpener } from '#ui/timing/timedWorker.ts';
import { openGridBook, type GridBook, type GridCell, type GridSetup } from '#features/evaluation/web/grid/gridBook.ts';
import { openCheckClient } from '#features/evaluation/web/workers/checkClient.ts';
import type { HoldNotice } from '#features/evaluation/web/grid/gridBackoff.ts';
import { runFunctions } from './runFunctions.ts';
import { openGridScorer, type GridScorer } from './gridScorer.ts';
import { EMPTY_SETUP } from '#features/evaluation/web/grid/gridSetup.ts';
import { openGridTally, type GridTally } from '#features/evaluation/web/grid/gridTally.ts';

export interface RunState {
  readonly phase: 'idle' | 'running' | 'pausing';
  /** Unix milliseconds; null while no run is active. */
  readonly startedAt: number | null;
  /** Number of settled cells when the run began. */
  readonly settledBefore: number;
  /** Number of cells that a retry requests; null: the run requests all remaining cells. */
  readonly retries: number | null;
  /** Why the run waits, and until when (Unix milliseconds); null: it doesn't wait. */
  readonly hold: HoldNotice | null;
  /** Why the run paused by itself. */
  readonly notice: string | null;
}

/** The view of the grid. It outlives the panel, which unmounts when the chat is shown. */
export interface GridView {
  /** The key of a filter: see `toFilterKey`. */
  readonly filter: string;
  readonly query: string;
  /** Id of the reference column; null: the first column. */
  readonly referenceId: string | null;
}

/** What a grid is opened with. */
export const WHOLE_VIEW: GridView = { filter: 'all', query: '', referenceId: null };

interface GridState {
  readonly isLoaded: boolean;
  /** Why the grid will not survive, or did not survive, a reload. */
  readonly problem: string | null;
  /** The id that the grid is stored under, its name, and its project; null: none yet. */
  readonly storedAs: { readonly id: string; readonly name: string; readonly project: string | null };
  readonly setup: GridSetup;
  readonly checks: readonly CheckSpec[];
  readonly run: RunState;
  readonly view: GridView;
  /** Increases when cells or verdicts have changed, at most four times a second. */
  readonly pulse: number;
}

export const IDLE: RunState = {
  phase: 'idle',
  startedAt: null,
  settledBefore: 0,
  retries: null,
  hold: null,
  notice: null,
};
const PULSE_MS = 250;

export const useGrid = create<GridState>(() => ({
  isLoaded: false,
  problem: null,
  storedAs: { id: '', name: '', project: null },
  setup: EMPTY_SETUP,
  checks: [],
  run: IDLE,
  view: WHOLE_VIEW,
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
    openClient: (specs) =>
      openCheckClient(specs, {
        runFunctions,
        openWorker: workerOpener(
          () => new Worker(new URL('./workers/checkWorker.ts', import.meta.url), { type: 'module' }),
        ),
      }),
    onChange: pulseSoon,
  });
}

export const readBook = (): GridBook => book;
export const readTally = (): GridTally => tally;

/** Replaces the book, after an edit or after loading. If it throws, the previous book stays. */
export function setBook(setup: GridSetup, known: ReadonlyMap<number, GridCell>): void {
  const opened = openGridBook(setup, known);
  const counted = openGridTally(opened);
  scorer.close();
  [book, tally] = [opened, counted];
  scorer = openScorer();
  const scored = scorer;
  opened.subscribe((places) => {
    scored.update(places);
    for (const listener of listeners) listener(places);
    pulseSoon();
  });
  useGrid.setState(({ pulse }) => ({ setup, pulse: pulse + 1 }));
  scorer.setChecks(useGrid.getState().checks);
}

/** Replaces the checks and checks every answer again. */
export function applyChecks(checks: readonly CheckSpec[]): void {
  useGrid.setState({ checks });
  scorer.setChecks(checks);
}

/** Renders changes at once, for example after a click. */
export const pulseNow = beat;

export const setRun = (patch: Partial<RunState>): void =>
  useGrid.setState(({ run }) => ({ run: { ...run, ...patch } }));

export const setView = (patch: Partial<GridView>): void =>
  useGrid.setState(({ view }) => ({ view: { ...view, ...patch } }));

/** Calls `listener` with the places of changed cells in the current book. */
export function subscribeCells(listener: (places: readonly number[]) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
