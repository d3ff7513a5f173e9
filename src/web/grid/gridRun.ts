// Works through the cells of a grid that wait or hold an answer to an earlier prompt, or through some of them, a few at
// a time, row by row. Requests and waiting come in.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { isEarlier, type CellAnswer, type GridBook, type GridCell } from '#web/grid/cells/gridBook.ts';
import { openGridHold, toBackOff, type Hold, type HoldCause } from '#web/grid/cells/gridHold.ts';
import { toCellRequest } from '#web/grid/cells/gridRequest.ts';

export type AskResult =
  | { readonly kind: 'answered'; readonly answer: CellAnswer }
  /** This cell's own failure. `text`: what had arrived. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  /** The service asked to come back later, or does not answer. `waitMs` null: it did not say how long. */
  | { readonly kind: 'postponed'; readonly cause: HoldCause; readonly message: string; readonly waitMs: number | null }
  /** A fault of the service (500), which may pass. */
  | { readonly kind: 'faulty'; readonly message: string; readonly waitMs: number | null }
  /** No other cell would fare better, and waiting is no help: signed out. */
  | { readonly kind: 'halted'; readonly message: string };

export interface GridRunDeps {
  /** Never throws; an aborted request may give anything. */
  readonly ask: (request: ChatRequest, signal: AbortSignal) => Promise<AskResult>;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Cells asked for at the same time. */
  readonly places: number;
  /** Told why and how long everything waits, and null when that is over. */
  readonly onHold?: (hold: Hold | null) => void;
  /** 0 to 1, below 1; default: chance. */
  readonly random?: () => number;
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

/**
 * A cell is put off this often: then it fails where others are answered, else the run pauses by itself. About eight
 * minutes without a word on how long.
 */
const MAX_POSTPONED = 12;
/** So often a cell is asked for again after a fault, or while the service answers others but not this one. */
const MAX_FAULTS = 2;
const FAULT_MS = 1_000;
/** So many cells that fail in a row, all with one message, say that the next would as well. */
const MAX_ALIKE = 20;

/**
 * A cell that is put off has had its tries: this is its own failure. `passedOver`: how often others were answered in
 * the meantime.
 */
function isSpent(
  result: Extract<AskResult, { kind: 'postponed' | 'faulty' }>,
  tries: number,
  passedOver: number,
): boolean {
  if (result.kind === 'faulty') return tries >= MAX_FAULTS;
  return passedOver > 0 && (result.cause === 'away' ? passedOver >= MAX_FAULTS : tries >= MAX_POSTPONED);
}

/** `only`: the places of the cells to ask for, in order; without it all are looked at. */
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
  let alike = { message: '', count: 0 };
  /** Answers of this run. */
  let answered = 0;
  /**
   * Models that were away while others answered: their other cells hold nobody up, for as long as others go on
   * answering.
   */
  const awayModels = new Set<string>();
  let failedSinceAnswer = 0;
  /** While the service asks to wait, no place begins another cell. */
  const pausing = new AbortController();
  const hold = openGridHold({ wait, random, onHold, signal: pausing.signal });
  const isHeld = (): boolean => isPaused || signal.aborted;

  function takeNext(): number | null {
    while (next < only.length) {
      const at = only[next] ?? 0;
      next += 1;
      const cell = book.cells[at];
      if (cell && (cell.state === 'waiting' || isEarlier(cell))) return at;
    }
    return null;
  }

  /** Nothing new begins, and nothing is waited for. */
  function pause(): void {
    isPaused = true;
    pausing.abort();
  }

  function halt(message: string): void {
    end ??= message;
    pause();
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
    /**
     * Answers of others when this cell was last put off, and how often since then others were answered where it was
     * not.
     */
    let [answeredBefore, passedOver] = [answered, 0];
    for (let tries = 0; ; tries += 1) {
      const result = await ask(made.request, signal);
      if (signal.aborted) return giveUp();
      if (result.kind === 'answered') {
        alike = { message: '', count: 0 };
        answered += 1;
        failedSinceAnswer = 0;
        hold.reset();
        awayModels.delete(made.request.model);
        return book.setCell(at, { state: 'done', answer: result.answer });
      }
      if (result.kind === 'halted') {
        halt(result.message);
        return giveUp();
      }
      if (result.kind === 'failed') return fail(at, before, result.message, result.text);
      if (tries > 0 && answered > answeredBefore) passedOver += 1;
      answeredBefore = answered;
      const { model } = made.request;
      const isAway = result.kind === 'postponed' && result.cause === 'away';
      const isKnown = isAway && awayModels.has(model) && failedSinceAnswer < places * 2;
      if (isKnown || isSpent(result, tries, passedOver)) {
        if (isAway) awayModels.add(model);
        failedSinceAnswer += 1;
        return fail(at, before, result.message, '');
      }
      if (tries >= MAX_POSTPONED) halt(result.message);
      // Put off while the run is being paused: it waits for the next run instead.
      if (isPaused) return giveUp();
      await (result.kind === 'postponed' ? hold.begin(result.cause, result.waitMs) : waitAlone(result.waitMs, tries));
      if (isHeld()) return giveUp();
    }
  }

  /** A fault of one cell keeps no other from being asked for. */
  const waitAlone = (waitMs: number | null, tries: number): Promise<void> =>
    wait(waitMs ?? toBackOff(FAULT_MS, tries, random()), pausing.signal);

  async function work(): Promise<void> {
    while (!isHeld()) {
      if (hold.isOn()) await hold.passed();
      if (isHeld()) return;
      const at = takeNext();
      if (at === null) return;
      await runCell(at);
    }
  }

  function stop(): void {
    controller.abort();
    pausing.abort();
  }

  const finished = Promise.all(Array.from({ length: places }, work)).then(() => end);
  return { pause, stop, finished };
}
