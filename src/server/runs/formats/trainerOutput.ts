// What HF's Trainer prints: a dict for each log event and a progress bar. A dict has no step; the bar that is drawn again
// right after it has.
import { Curve } from '#server/runs/curve.ts';
import { toMetricName } from '#server/runs/metricNames.ts';
import { LogTail } from './logTail.ts';
import { numberOf, parsePythonDict } from './pythonDict.ts';
import { isSummaryFigure } from './summaryFigures.ts';
import { TracebackWatch, type LoggedError } from './traceback.ts';

type Row = ReadonlyMap<string, number>;

/** ` 12%|█▏        | 12/100 [00:01<00:09,  9.52it/s]`. Bars with a title belong to something else, such as `Map: `. */
const BAR = /^\s*\d{1,3}%\|[^|]*\|\s*(\d{1,15})\/(\d{1,15})\s\[/;
const MAX_WAITING = 1000;
const MAX_NAMES = 1000;

/** How steps follow from epochs, by a state that the same run saved: for logs without bars. */
export interface StepScale {
  readonly stepsPerEpoch: number;
  readonly loggingSteps: number;
}

export class TrainerOutput {
  readonly #tail = new LogTail();
  readonly #errors = new TracebackWatch();
  #rows = 0;
  /** Rows whose step is not known yet. */
  #waiting: Row[] = [];
  #step: number | null = null;
  #total: number | null = null;
  #epoch: number | null = null;
  readonly #curves = new Map<string, Curve>();
  readonly #summary = new Map<string, number>();

  take(content: Uint8Array, isFromStart: boolean): void {
    if (isFromStart) this.#reset();
    for (const line of this.#tail.take(content, isFromStart)) this.#takeLine(line);
    // The newest state of the bar has no line end.
    this.#takeBar(this.#tail.openLine);
  }

  /** Whether it printed log events. */
  get hasRows(): boolean {
    return this.#rows > 0;
  }

  get step(): number | null {
    return this.#step;
  }

  /** The step at which the bar ends. */
  get totalSteps(): number | null {
    return this.#total;
  }

  get epoch(): number | null {
    return this.#epoch;
  }

  /** Figures of the whole run, from the row at its end. */
  get summary(): ReadonlyMap<string, number> {
    return this.#summary;
  }

  /** The error after which nothing was trained. */
  get error(): LoggedError | null {
    return this.#errors.error;
  }

  get curves(): ReadonlyMap<string, Curve> {
    return this.#curves;
  }

  /** Curves of a log that has no bars. */
  toScaledCurves({ stepsPerEpoch, loggingSteps }: StepScale): ReadonlyMap<string, Curve> {
    const scaled = new Map<string, Curve>();
    for (const row of this.#waiting) {
      const epoch = row.get('epoch');
      if (epoch === undefined) continue;
      const step = Math.round((epoch * stepsPerEpoch) / loggingSteps) * loggingSteps;
      addRow(scaled, row, step);
    }
    return scaled;
  }

  #takeLine(line: string): void {
    if (this.#takeBar(line)) return;
    const row = toRow(line);
    if (!row) {
      this.#errors.take(line);
      return;
    }
    this.#rows += 1;
    this.#epoch = row.get('epoch') ?? this.#epoch;
    if (row.has('train_loss') && row.has('train_runtime')) {
      for (const [name, value] of row) if (isSummaryFigure(name)) this.#summary.set(name, value);
      return;
    }
    this.#errors.clear();
    this.#summary.clear();
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(row);
  }

  /** true: it is the state of a bar. */
  #takeBar(line: string): boolean {
    const [, count, total] = BAR.exec(line) ?? [];
    if (count === undefined || total === undefined) return false;
    // Only the training's bar is drawn after a row of training; an evaluation has a bar of its own.
    if (this.#waiting.some((row) => row.has('loss'))) this.#total ??= Number(total);
    if (this.#total !== Number(total)) return true;
    const step = Number(count);
    for (const row of this.#waiting) addRow(this.#curves, row, step);
    this.#waiting = [];
    this.#step = step;
    return true;
  }

  #reset(): void {
    this.#errors.clear();
    this.#rows = 0;
    this.#waiting = [];
    this.#step = null;
    this.#total = null;
    this.#epoch = null;
    this.#curves.clear();
    this.#summary.clear();
  }
}

/** A row of the Trainer: numbers by key, the epoch among them. */
function toRow(line: string): Row | null {
  const dict = parsePythonDict(line);
  if (!dict?.has('epoch') || dict.size < 2) return null;
  const row = new Map<string, number>();
  for (const [key, value] of dict) {
    const number = numberOf(value);
    if (number !== null) row.set(key, number);
  }
  return row.has('epoch') ? row : null;
}

function addRow(curves: Map<string, Curve>, row: Row, step: number): void {
  // A run that was resumed repeats the steps after its checkpoint, in the same log.
  const known = curves.get('epoch')?.lastStep ?? -1;
  if (step < known) for (const curve of curves.values()) curve.dropFrom(step);
  for (const [key, value] of row) {
    const name = toMetricName(key);
    const curve = curves.get(name) ?? new Curve();
    if (!curves.has(name) && curves.size >= MAX_NAMES) continue;
    curves.set(name, curve);
    // Training and evaluation at one step both have the epoch.
    if (name !== 'epoch' || curve.lastStep !== step) curve.push(step, value);
  }
}
