// What HF's Trainer prints: a dict for each log event, and a progress bar. A dict has no step: `tqdm.write` prints it and
// then draws the bar again, so its step is that of the bar that follows. Axolotl's log and redirected output have both.
import type { Curve } from '#features/runs/server/curve.ts';
import type { FactSource } from '#features/runs/server/evidence.ts';
import { MetricLog } from './metricLog.ts';
import { parsePythonDict } from './pythonDict.ts';
import { isSummaryFigure } from '#features/runs/server/metricNames.ts';

interface Row {
  readonly values: ReadonlyMap<string, number>;
  readonly source: FactSource;
}

/** ` 12%|█▏        | 12/100 [00:01<00:09,  9.52it/s]`. Bars with a title belong to something else, such as `Map: `. */
const BAR = /^\s*\d{1,3}%\|[^|]*\|\s*(\d{1,15})\/(\d{1,15})\s+\[/;
/** Rows that wait for their step: all of a log without bars. */
const MAX_WAITING = 10_000;

/** How steps follow from epochs, by a state that the same run saved: for logs without bars. */
export interface StepScale {
  readonly stepsPerEpoch: number;
  readonly loggingSteps: number;
}

/** `row`: of training or evaluation. `summary`: the figures of the whole run, which end it. */
type PrintedLine = 'row' | 'summary' | 'bar' | 'other';

export class TrainerConsole {
  readonly log = new MetricLog();
  /** Rows whose step is not known yet. */
  #waiting: Row[] = [];
  #hasRows = false;
  #isNextOwn = false;
  #step: number | null = null;
  #total: number | null = null;

  /** Whether it printed log events. */
  get hasRows(): boolean {
    return this.#hasRows;
  }

  /** The newest step of the training's bar. */
  get step(): number | null {
    return this.#step;
  }

  /** The step at which the bar ends. */
  get totalSteps(): number | null {
    return this.#total;
  }

  /** A training begins, and the next bar is its own. */
  begin(): void {
    this.#waiting = [];
    this.#total = null;
    this.#step = null;
    this.#isNextOwn = true;
  }

  /** A whole line, without its end. */
  takeLine(line: string, source: FactSource): PrintedLine {
    if (this.takeBar(line)) return 'bar';
    const values = toRow(line);
    if (!values) return 'other';
    this.#hasRows = true;
    const epoch = values.get('epoch');
    if (epoch !== undefined && Number.isFinite(epoch)) this.log.epoch = epoch;
    if (values.has('train_loss') && values.has('train_runtime')) {
      for (const [name, value] of values) if (isSummaryFigure(name)) this.log.summary.set(name, { value, source });
      return 'summary';
    }
    // Whatever ended before was not the end.
    this.log.summary.clear();
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ values, source });
    return 'row';
  }

  /** A line, or the state of a bar that has no line end yet. true: it is a bar without a title. */
  takeBar(line: string): boolean {
    const [, count, total] = BAR.exec(line) ?? [];
    if (count === undefined || total === undefined) return false;
    // Only the training's bar is drawn after a row of training; an evaluation has a bar of its own.
    if (this.#isNextOwn || this.#waiting.some(({ values }) => values.has('loss'))) this.#total ??= Number(total);
    this.#isNextOwn = false;
    if (this.#total !== Number(total)) return true;
    this.#place(Number(count));
    this.#step = Number(count);
    return true;
  }

  /** The training ended: rows that no bar followed belong to its last step. */
  end(): void {
    if (this.#step !== null) this.#place(this.#step);
  }

  /** Curves of a log that has no bars. */
  toScaledCurves({ stepsPerEpoch, loggingSteps }: StepScale): ReadonlyMap<string, Curve> {
    const scaled = new MetricLog();
    for (const row of this.#waiting) {
      const epoch = row.values.get('epoch') ?? Number.NaN;
      const step = Math.round((epoch * stepsPerEpoch) / loggingSteps) * loggingSteps;
      if (Number.isFinite(step)) addRow(scaled, row, step);
    }
    return scaled.curves;
  }

  #place(step: number): void {
    for (const row of this.#waiting.splice(0)) addRow(this.log, row, step);
  }
}

/** A row of the Trainer: numbers by key, the epoch among them. */
function toRow(line: string): ReadonlyMap<string, number> | null {
  const dict = parsePythonDict(line);
  if (!dict?.has('epoch') || dict.size < 2) return null;
  const row = new Map([...dict].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])));
  return row.has('epoch') ? row : null;
}

function addRow(log: MetricLog, { values, source }: Row, step: number): void {
  // A run that was resumed repeats the steps after its checkpoint, in the same log. Its bar leaps to the checkpoint.
  if (log.step !== null && step < log.step) log.dropFrom(step);
  for (const [key, value] of values) log.add(key, value, step, null, source);
}
