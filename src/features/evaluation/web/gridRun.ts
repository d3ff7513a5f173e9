// Requests the answers of a grid, a few at a time, row by row: the cells that wait or hold an answer to an earlier
// prompt. Callers pass the transport and the timer.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { isEarlier, type CellAnswer, type GridBook } from '#features/evaluation/web/grid/gridBook.ts';
import { openAwayModels, type AwayModels } from '#features/evaluation/web/grid/unavailableModels.ts';
import { toBackOff } from '#features/evaluation/shared/backOff.ts';
import { openGridHold, type HoldCause, type OnHold } from '#features/evaluation/web/grid/gridBackoff.ts';
import { toCellRequest } from '#features/evaluation/web/grid/gridRequest.ts';

export type AskResult =
  | { readonly kind: 'answered'; readonly answer: CellAnswer }
  /** Only this cell fails. `text`: the part of the answer that arrived. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  /** The service is busy or does not answer. `waitMs` null: it did not say how long to wait. */
  | { readonly kind: 'postponed'; readonly cause: HoldCause; readonly message: string; readonly waitMs: number | null }
  /** A fault of the service (500), or an answer that broke off: it may pass. `text`: the part that arrived. */
  | { readonly kind: 'faulty'; readonly message: string; readonly text: string; readonly waitMs: number | null }
  /** Every other cell would fail as well, and waiting doesn't help: signed out. */
  | { readonly kind: 'halted'; readonly message: string };

export interface GridRunDeps {
  /** Never throws. The result of an aborted request is ignored. */
  readonly ask: (request: ChatRequest, signal: AbortSignal) => Promise<AskResult>;
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Number of cells that are requested at the same time. */
  readonly places: number;
  /** Called when the whole run or a model waits, with the cause and the duration, and with null when it continues. */
  readonly onHold?: OnHold;
  /** From 0 up to 1, excluding 1; default: `Math.random`. */
  readonly random?: () => number;
}

/** Why the run paused by itself; null: all cells are settled, or a person paused or stopped the run. */
export type RunEnd = string | null;

export interface GridRun {
  /** Starts no new cells; running cells finish. */
  readonly pause: () => void;
  /** Starts no new cells, aborts the running ones, and restores what they held before. */
  readonly stop: () => void;
  /** Resolves when no cell is running any more. */
  readonly finished: Promise<RunEnd>;
}

/** Extra tries after a fault. */
const MAX_FAULTS = 2;
const FAULT_MS = 1_000;
/** After this many failures in a row with one message, the next cell would fail as well. */
const MAX_SAME_FAILURES = 20;

/** A cell that a run requests. */
interface RunCell {
  readonly built: ReturnType<typeof toCellRequest>;
  readonly setRunning: () => void;
  readonly setDone: (answer: CellAnswer) => void;
  /** Keeps an answer to an earlier prompt beside the failure, because a failure replaces nothing. */
  readonly setFailed: (message: string, text: string) => void;
  /** Puts back what the cell held before. */
  readonly restore: () => void;
}

/** null: there is no such cell. */
function openCell(book: GridBook, at: number): RunCell | null {
  const { rows, columns, prompt } = book.setup;
  const row = rows[Math.floor(at / columns.length)];
  const column = columns[at % columns.length];
  const before = book.cells[at];
  if (!row || !column || !before) return null;
  const kept = isEarlier(before) && { kept: before };
  return {
    built: toCellRequest(column, row, prompt),
    setRunning: () => book.setCell(at, { state: 'running', ...kept }),
    setDone: (answer) => book.setCell(at, { state: 'done', answer }),
    setFailed: (message, text) => book.setCell(at, { state: 'failed', message, text, ...kept }),
    restore: () => book.setCell(at, before),
  };
}

/** Gives the place of the next cell that can be requested now; null: there is none. */
function openQueue(
  { setup: { columns }, cells }: GridBook,
  only: readonly number[],
  away: AwayModels,
): () => number | null {
  let next = 0;
  const modelOf = (at: number): string => columns[at % columns.length]?.request.model ?? '';
  const isOpen = (at: number): boolean => {
    const cell = cells[at];
    return cell !== undefined && (cell.state === 'waiting' || isEarlier(cell));
  };
  return () => {
    const ready = away.takeReady();
    if (ready !== null) return ready;
    while (next < only.length) {
      const at = only[next] ?? 0;
      next += 1;
      if (isOpen(at) && !away.addIfAway(modelOf(at), at)) return at;
    }
    return null;
  };
}

/** `only`: the places of the cells to request, in order; default: all cells. */
export function startGridRun(
  book: GridBook,
  { ask, wait, places, onHold = () => undefined, random = Math.random }: GridRunDeps,
  only: readonly number[] = [...book.cells.keys()],
): GridRun {
  const controller = new AbortController();
  const { signal } = controller;
  /** Aborted once no cell is to be started any more. It ends all waits. */
  const ending = new AbortController();
  const isEnding = (): boolean => ending.signal.aborted;
  let end: RunEnd = null;
  let sameFailures = { message: '', count: 0 };
  /** Number of answers in this run. */
  let answered = 0;
  /** While the service asks to wait, no worker starts another cell. */
  const hold = openGridHold({ wait, random, onHold, signal: ending.signal });
  /** Cells of models that do not answer while others do. They wait apart, so they delay no other cell. */
  const waiting = openAwayModels({ wait, random, onHold, signal: ending.signal });
  const takeNext = openQueue(book, only, waiting);

  const pause = (): void => ending.abort();

  function halt(message: string): void {
    end ??= message;
    pause();
  }

  function fail(cell: RunCell, message: string, text: string): void {
    cell.setFailed(message, text);
    sameFailures = { message, count: sameFailures.message === message ? sameFailures.count + 1 : 1 };
    if (sameFailures.count >= MAX_SAME_FAILURES)
      halt(`${MAX_SAME_FAILURES} cells one after another got no answer, for the same reason: ${message}`);
  }

  async function runCell(at: number): Promise<void> {
    const cell = openCell(book, at);
    if (!cell) return;
    const { built } = cell;
    if (!built.ok) return cell.setFailed(built.message, '');
    const { model } = built.request;
    let answeredBefore = answered;
    for (let faults = 0; ;) {
      cell.setRunning();
      const result = await ask(built.request, signal);
      if (signal.aborted) return cell.restore();
      if (result.kind === 'answered') {
        sameFailures = { message: '', count: 0 };
        answered += 1;
        hold.reset();
        waiting.onAnswer(model);
        return cell.setDone(result.answer);
      }
      if (result.kind === 'halted') {
        halt(result.message);
        return cell.restore();
      }
      if (result.kind !== 'postponed') waiting.onAnswer(model);
      if (result.kind === 'failed') return fail(cell, result.message, result.text);
      if (result.kind === 'faulty' && faults >= MAX_FAULTS) return fail(cell, result.message, result.text);
      // A cell that is not on its way waits again, also for the next run if this one was paused in the meantime.
      cell.restore();
      if (isEnding()) return undefined;
      const isPassedOver = answered > answeredBefore;
      answeredBefore = answered;
      if (result.kind === 'faulty') {
        await waitAlone(result.waitMs, faults);
        faults += 1;
      } else if (isPassedOver || waiting.isAway(model)) return waiting.defer(model, at, result);
      else await hold.start(result);
      if (isEnding()) return undefined;
    }
  }

  /** A fault of one cell delays no other cell. */
  const waitAlone = (waitMs: number | null, tries: number): Promise<void> =>
    wait(waitMs ?? toBackOff(FAULT_MS, tries, random()), ending.signal);

  async function work(): Promise<void> {
    while (!isEnding()) {
      if (hold.isOn()) await hold.waitUntilOver();
      if (isEnding()) return;
      const at = takeNext();
      if (at !== null) await runCell(at);
      else if (waiting.isEmpty()) return;
      else await waiting.change();
    }
  }

  function stop(): void {
    controller.abort();
    pause();
  }

  const finished = Promise.all(Array.from({ length: places }, work)).then(() => end);
  return { pause, stop, finished };
}
