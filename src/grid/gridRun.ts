// Works through the cells of a grid that wait or hold an answer to an earlier prompt, or through some of them, a few at a time, row by row.
// Requests and waiting come in. It must not know HTTP, storage or React.
import type { ChatRequest } from '../contract/chatRequest';
import { isEarlier, type CellAnswer, type GridBook, type GridCell } from './gridBook';
import { toCellRequest } from './gridRequest';

export type AskResult =
  | { readonly kind: 'answered'; readonly answer: CellAnswer }
  /** This cell's own failure. `text`: what had arrived. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  /** The service asked to come back later. */
  | { readonly kind: 'postponed'; readonly message: string; readonly waitMs: number }
  /** No other cell would fare better now: the studio is gone, or signed out. */
  | { readonly kind: 'halted'; readonly message: string };

export interface GridRunDeps {
  /** Never throws; an aborted request may give anything. */
  readonly ask: (request: ChatRequest, signal: AbortSignal) => Promise<AskResult>;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Cells asked for at the same time. */
  readonly places: number;
  /** Told how long the service asked to wait, and null when the wait is over. */
  readonly onHold?: (waitMs: number | null) => void;
}

/** How a run ended: null when all cells settled, or a person paused or stopped it; else why it paused by itself. */
export type RunEnd = string | null;

export interface GridRun {
  /** No new cells; those that run go on to their end. */
  readonly pause: () => void;
  /** No new cells, and those that run are given up and are as they were before. */
  readonly stop: () => void;
  /** Resolves when nothing runs any more: all cells settled, paused, or stopped. */
  readonly finished: Promise<RunEnd>;
}

/** A cell is put off this often before it fails. */
const MAX_POSTPONED = 8;
/** So many cells that fail in a row, all with one message, say that the next would as well. */
const MAX_ALIKE = 20;

/** `only`: the places of the cells to ask for, in order; without it all are looked at. */
export function startGridRun(book: GridBook, { ask, wait, places, onHold = () => undefined }: GridRunDeps, only: readonly number[] = [...book.cells.keys()]): GridRun {
  const controller = new AbortController();
  const { signal } = controller;
  const { rows, columns, prompt } = book.setup;
  let next = 0;
  let isPaused = false;
  let end: RunEnd = null;
  let alike = { message: '', count: 0 };
  /** While the service asks to wait, no place begins another cell. */
  let pauseUntilFree: Promise<void> | null = null;

  function takeNext(): number | null {
    while (next < only.length) {
      const at = only[next] ?? 0;
      next += 1;
      const cell = book.cells[at];
      if (cell && (cell.state === 'waiting' || isEarlier(cell))) return at;
    }
    return null;
  }

  async function hold(ms: number): Promise<void> {
    onHold(ms);
    await wait(ms, signal);
    pauseUntilFree = null;
    onHold(null);
  }

  function halt(message: string): void {
    end ??= message;
    isPaused = true;
  }

  /** An answer to an earlier prompt stays beside the failure: what has failed has replaced nothing. */
  function setFailed(at: number, before: GridCell, message: string, text: string): void {
    book.setCell(at, { state: 'failed', message, text, ...(isEarlier(before) && { kept: before }) });
  }

  function fail(at: number, before: GridCell, message: string, text: string): void {
    setFailed(at, before, message, text);
    alike = { message, count: alike.message === message ? alike.count + 1 : 1 };
    if (alike.count >= MAX_ALIKE) halt(`${MAX_ALIKE} cells in a row failed with the same message: ${message}`);
  }

  async function runCell(at: number): Promise<void> {
    const row = rows[Math.floor(at / columns.length)];
    const column = columns[at % columns.length];
    const before = book.cells[at];
    if (!row || !column || !before) return;
    const giveUp = (): void => book.setCell(at, before);
    const made = toCellRequest(column, row, prompt);
    if (!made.ok) return setFailed(at, before, made.message, '');
    book.setCell(at, { state: 'running', ...(isEarlier(before) && { kept: before }) });
    for (let tries = 0; ; tries += 1) {
      const result = await ask(made.request, signal);
      if (signal.aborted) return giveUp();
      if (result.kind === 'answered') {
        alike = { message: '', count: 0 };
        return book.setCell(at, { state: 'done', answer: result.answer });
      }
      if (result.kind === 'halted') {
        halt(result.message);
        return giveUp();
      }
      if (result.kind === 'failed') return fail(at, before, result.message, result.text);
      if (tries === MAX_POSTPONED) return fail(at, before, result.message, '');
      // Put off while the run is being paused: it waits for the next run instead.
      if (isPaused) return giveUp();
      pauseUntilFree ??= hold(result.waitMs);
      await pauseUntilFree;
      if (signal.aborted) return giveUp();
    }
  }

  const isHeld = (): boolean => isPaused || signal.aborted;

  async function work(): Promise<void> {
    while (!isHeld()) {
      if (pauseUntilFree) await pauseUntilFree;
      if (isHeld()) return;
      const at = takeNext();
      if (at === null) return;
      await runCell(at);
    }
  }

  const finished = Promise.all(Array.from({ length: places }, work)).then(() => end);
  return { pause: () => void (isPaused = true), stop: () => controller.abort(), finished };
}
