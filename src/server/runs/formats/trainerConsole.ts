// What HF's Trainer prints while it trains: a dict line for each log, and a progress bar that has the step. The dict has
// no step: `tqdm.write` prints it, and then draws the bar again, so the step is that of the bar that follows.
import type { FactSource } from '#server/runs/evidence.ts';
import type { MetricLog } from './metricLog.ts';
import { numberOf, parsePythonDict, type PythonValue } from './pythonDict.ts';

/** A bar without a name before it. Bars of data sets and downloads have one. */
const BAR = /^\s*\d+%\|[^|]*\|\s*(\d+)\/(\d+)\s+\[/;
/** What makes a dict a row of the Trainer. */
const ROW_KEYS = ['loss', 'train_runtime', 'eval_loss', 'eval_runtime', 'epoch'];

type Row = { readonly values: ReadonlyMap<string, PythonValue>; readonly source: FactSource };

export class TrainerConsole {
  readonly #log: MetricLog;
  /** Rows that wait for the next bar. */
  #waiting: Row[] = [];
  #totalSteps: number | null = null;
  #step: number | null = null;

  constructor(log: MetricLog) {
    this.#log = log;
  }

  get totalSteps(): number | null {
    return this.#totalSteps;
  }

  /** A training begins: the next bar is its own, all bars with another length are of evaluations. */
  begin(): void {
    this.#waiting = [];
    this.#totalSteps = null;
    this.#step = null;
  }

  /** true: the line is a row. */
  takeLine(line: string, source: FactSource): boolean {
    if (this.takeBar(line)) return false;
    const values = parsePythonDict(line);
    if (!values || !ROW_KEYS.some((key) => values.has(key))) return false;
    this.#waiting.push({ values, source });
    return true;
  }

  /** A line or the state of a bar that is not complete yet. true: it is a bar. */
  takeBar(line: string): boolean {
    const [, step, total] = BAR.exec(line)?.map(Number) ?? [];
    if (step === undefined || total === undefined) return false;
    this.#totalSteps ??= total;
    if (total !== this.#totalSteps) return true;
    // A run that was resumed repeats steps. Its bar begins at 0 and leaps to the checkpoint.
    if (this.#waiting.length > 0) for (const row of this.#waiting.splice(0)) this.#add(row, step);
    this.#step = step;
    return true;
  }

  /** The training ended: rows that no bar followed belong to its last step. */
  end(): void {
    if (this.#step === null) return;
    for (const row of this.#waiting.splice(0)) this.#add(row, this.#step);
  }

  #add({ values, source }: Row, step: number): void {
    if (this.#log.step !== null && step < this.#log.step) this.#log.dropFrom(step);
    for (const [key, raw] of values) {
      const value = numberOf(raw);
      if (value !== null) this.#log.add(key, value, step, null, source);
    }
  }
}
