// Requests the answers of a grid, a few at a time, row by row: the cells that wait or hold an answer to an earlier
// prompt. Callers pass the transport and the timer.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { isEarlier, type CellAnswer, type GridBook, type GridCell } from '#web/grid/cells/gridBook.ts';
import { openGridHold, toBackOff, type Hold, type HoldCause } from '#web/grid/cells/gridHold.ts';
import { toCellRequest } from '#web/grid/cells/gridRequest.ts';

export type AskResult =
  | { readonly kind: 'answered'; readonly answer: CellAnswer }
  /** Only this cell fails. `text`: the part of the answer that arrived. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  /** The service is busy or does not answer. `waitMs` null: it did not say how long to wait. */
  | { readonly kind: 'postponed'; readonly cause: HoldCause; readonly message: string; readonly waitMs: number | null }
  /** A fault of the service (500), which may pass. */
  | { readonly kind: 'faulty'; readonly message: string; readonly waitMs: number | null }
  /** Every other cell would fail as well, and waiting doesn't help: signed out. */
  | { readonly kind: 'halted'; readonly message: string };

export interface GridRunDeps {
  /** Never throws. The result of an aborted request is ignored. */
  readonly ask: (request: ChatRequest, signal: AbortSignal) => Promise<AskResult>;
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Number of cells that are requested at the same time. */
  readonly places: number;
  /** Called when the whole run waits, with the cause and the duration, and with null when it continues. */
  readonly onHold?: (hold: Hold | null) => void;
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

/**
 * A cell is postponed this often. Then it fails if other cells get answers; if not, the run pauses. That takes about
 * eight minutes if the service never says how long to wait.
 */
const MAX_POSTPONED = 12;
/** Extra tries after a fault, or while the service answers other cells but not this one. */
const MAX_FAULTS = 2;
const FAULT_MS = 1_000;
/** After this many failures in a row with one message, the next cell would fail as well. */
const MAX_SAME_FAILURES = 20;

/**
 * Whether a postponed cell has no tries left, so that it fails. `passedOver`: how often other cells were answered in
 * the meantime.
 */
function isOutOfTries(
  result: Extract<AskResult, { kind: 'postponed' | 'faulty' }>,
  tries: number,
  passedOver: number,
): boolean {
  if (result.kind === 'faulty') return tries >= MAX_FAULTS;
  return passedOver > 0 && (result.cause === 'away' ? passedOver >= MAX_FAULTS : tries >= MAX_POSTPONED);
}

/** `only`: the places of the cells to request, in order; default: all cells. */
export function startGridRun(
  book: GridBook,
  { ask, wait, places, onHold = () => undefined, random = Math.random }: GridRunDeps,
  only: readonly number[] = [...book.cells.keys()],
): GridRun {
  const controller = new AbortController();
  const { signal } = controller;
  const { rows, columns, prompt } = book.setup;
  let next = 0;
  let isPaused = false;
  let end: RunEnd = null;
  let sameFailures = { message: '', count: 0 };
  /** Number of answers in this run. */
  let answered = 0;
  /** Models that did not answer while others did. Their other cells fail at once, as long as other models answer. */
  const awayModels = new Set<string>();
  let failedSinceAnswer = 0;
  /** While the service asks to wait, no worker starts another cell. */
  const holdController = new AbortController();
  const hold = openGridHold({ wait, random, onHold, signal: holdController.signal });
  const isEnding = (): boolean => isPaused || signal.aborted;

  function takeNext(): number | null {
    while (next < only.length) {
      const at = only[next] ?? 0;
      next += 1;
      const cell = book.cells[at];
      if (cell && (cell.state === 'waiting' || isEarlier(cell))) return at;
    }
    return null;
  }

  /** Starts nothing new and ends all waits. */
  function pause(): void {
    isPaused = true;
    holdController.abort();
  }

  function halt(message: string): void {
    end ??= message;
    pause();
  }

  /** Keeps an answer to an earlier prompt beside the failure, because a failure replaces nothing. */
  function setFailed(at: number, before: GridCell, message: string, text: string): void {
    book.setCell(at, { state: 'failed', message, text, ...(isEarlier(before) && { kept: before }) });
  }

  function fail(at: number, before: GridCell, message: string, text: string): void {
    setFailed(at, before, message, text);
    sameFailures = { message, count: sameFailures.message === message ? sameFailures.count + 1 : 1 };
    if (sameFailures.count >= MAX_SAME_FAILURES)
      halt(`${MAX_SAME_FAILURES} cells in a row failed with the same message: ${message}`);
  }

  async function runCell(at: number): Promise<void> {
    const row = rows[Math.floor(at / columns.length)];
    const column = columns[at % columns.length];
    const before = book.cells[at];
    if (!row || !column || !before) return;
    const restoreCell = (): void => book.setCell(at, before);
    const built = toCellRequest(column, row, prompt);
    if (!built.ok) return setFailed(at, before, built.message, '');
    book.setCell(at, { state: 'running', ...(isEarlier(before) && { kept: before }) });
    /**
     * `answeredBefore`: the number of answers when this cell was last postponed. `passedOver`: how often this cell was
     * postponed again although others were answered since then.
     */
    let [answeredBefore, passedOver] = [answered, 0];
    for (let tries = 0; ; tries += 1) {
      const result = await ask(built.request, signal);
      if (signal.aborted) return restoreCell();
      if (result.kind === 'answered') {
        sameFailures = { message: '', count: 0 };
        answered += 1;
        failedSinceAnswer = 0;
        hold.reset();
        awayModels.delete(built.request.model);
        return book.setCell(at, { state: 'done', answer: result.answer });
      }
      if (result.kind === 'halted') {
        halt(result.message);
        return restoreCell();
      }
      if (result.kind === 'failed') return fail(at, before, result.message, result.text);
      if (tries > 0 && answered > answeredBefore) passedOver += 1;
      answeredBefore = answered;
      const { model } = built.request;
      const isAway = result.kind === 'postponed' && result.cause === 'away';
      const isKnownAway = isAway && awayModels.has(model) && failedSinceAnswer < places * 2;
      if (isKnownAway || isOutOfTries(result, tries, passedOver)) {
        if (isAway) awayModels.add(model);
        failedSinceAnswer += 1;
        return fail(at, before, result.message, '');
      }
      if (tries >= MAX_POSTPONED) halt(result.message);
      // The run was paused in the meantime: the cell waits for the next run.
      if (isPaused) return restoreCell();
      await (result.kind === 'postponed' ? hold.start(result.cause, result.waitMs) : waitAlone(result.waitMs, tries));
      if (isEnding()) return restoreCell();
    }
  }

  /** A fault of one cell delays no other cell. */
  const waitAlone = (waitMs: number | null, tries: number): Promise<void> =>
    wait(waitMs ?? toBackOff(FAULT_MS, tries, random()), holdController.signal);

  async function work(): Promise<void> {
    while (!isEnding()) {
      if (hold.isOn()) await hold.waitUntilOver();
      if (isEnding()) return;
      const at = takeNext();
      if (at === null) return;
      await runCell(at);
    }
  }

  function stop(): void {
    controller.abort();
    holdController.abort();
  }

  const finished = Promise.all(Array.from({ length: places }, work)).then(() => end);
  return { pause, stop, finished };
}
