// The metrics of one run as its rows come in: curves, single figures and progress.
import { Curve, type CurveOptions } from '#features/runs/server/curve.ts';
import type { Fact, FactSource, Progress } from '#features/runs/server/evidence.ts';
import { isSummaryFigure, toMetricName, toStepName } from '#features/runs/server/metricNames.ts';

/** Most metrics of a run. A tracker that makes a name for each step stops here. */
const MAX_CURVES = 2000;
const MAX_NAME = 300;

interface Metric {
  readonly name: string;
  readonly curve: Curve;
  readonly firstStep: number;
  /** false: it was logged at one step alone. */
  hasSteps: boolean;
}

export class MetricLog {
  readonly summary = new Map<string, Fact<number>>();
  /** The newest step, epoch and time that a row named. Unix milliseconds. */
  step: number | null = null;
  epoch: number | null = null;
  lastTime: number | null = null;
  firstTime: number | null = null;
  /** By the name that the trainer or tracker gave. */
  readonly #metrics = new Map<string, Metric>();
  /** The metric that has a name. */
  readonly #owners = new Map<string, string>();
  readonly #options: CurveOptions;
  #curves: ReadonlyMap<string, Curve> | null = null;
  /** What is added to the steps of rows, because they began again. */
  #counted = 0;
  #highest = -Infinity;
  #restarts = 0;

  /** `replacesRepeats`: several sessions may write into it. */
  constructor({ replacesRepeats = false }: Pick<CurveOptions, 'replacesRepeats'> = {}) {
    this.#options = { replacesRepeats };
  }

  /** Curves by name. A figure of the whole run that was logged at several steps is one. */
  get curves(): ReadonlyMap<string, Curve> {
    if (this.#curves) return this.#curves;
    const found = new Map<string, Curve>();
    for (const { name, curve, hasSteps } of this.#metrics.values()) {
      if (!isSummaryFigure(name)) found.set(name, curve);
      // Each session of a run that was resumed logs its own mean, beside the losses of the steps.
      else if (hasSteps && !this.#owners.has(toStepName(name))) found.set(toStepName(name), curve);
      else if (hasSteps && toStepName(name) === name) found.set(name, curve);
    }
    return (this.#curves = found);
  }

  /** What is doubtful about its steps, for people. */
  get problems(): readonly string[] {
    return this.#restarts > 0 ? [toRestartProblem('The steps', this.#restarts)] : findRestarts(this.curves);
  }

  /**
   * The step of a row with these metrics. One program that begins to count again, as with the iteration in an epoch, has
   * repeated nothing: its steps are counted on.
   */
  toRowStep(step: number, rawNames: Iterable<string>): number {
    if (step + this.#counted < this.#highest) {
      for (const name of rawNames) {
        const metric = this.#metrics.get(name);
        if (metric?.firstStep !== step || !metric.hasSteps) continue;
        const { steps } = metric.curve.read(0, 2);
        this.#counted = this.#highest - step + Math.max(1, (steps[1] ?? 0) - (steps[0] ?? 0));
        this.#restarts += 1;
        break;
      }
    }
    this.#highest = Math.max(this.#highest, step + this.#counted);
    return step + this.#counted;
  }

  /** Takes a value by the name that the trainer or tracker gave it. */
  add(rawName: string, value: number, step: number, time: number | null, source: FactSource): void {
    const metric = this.#metric(rawName, step);
    if (metric === 'ignored') return;
    this.see(step, time);
    if (metric === null) return;
    const { name, curve } = metric;
    curve.push(step, value, time);
    if (name === 'epoch' && Number.isFinite(value)) this.epoch = value;
    if (!metric.hasSteps && step !== metric.firstStep) {
      metric.hasSteps = true;
      if (isSummaryFigure(name)) this.#curves = null;
    }
    if (isSummaryFigure(name)) this.#takeFigure(metric, { value, source });
  }

  /** A row at this step and time, whatever it holds. */
  see(step: number | null, time: number | null): void {
    if (step !== null) this.step = step;
    if (time === null || Number.isNaN(time)) return;
    this.firstTime = Math.min(this.firstTime ?? time, time);
    this.lastTime = Math.max(this.lastTime ?? time, time);
  }

  /** A row of a log in which a resumed run goes on: what it trains again replaces what is there. true: it does so. */
  goTo(step: number): boolean {
    const isBack = this.step !== null && step < this.step;
    if (isBack) this.dropFrom(step);
    this.step = step;
    return isBack;
  }

  /** Drops all points from this step on: the run was resumed from an earlier checkpoint. */
  dropFrom(step: number): void {
    for (const { curve } of this.#metrics.values()) curve.dropFrom(step);
  }

  /** Forgets one metric, by the name that the tracker gave it. */
  drop(rawName: string): void {
    const metric = this.#metrics.get(rawName);
    if (!metric) return;
    this.#metrics.delete(rawName);
    this.#owners.delete(metric.name);
    this.#curves = null;
    this.summary.delete(metric.name);
  }

  clear(): void {
    this.#metrics.clear();
    this.#owners.clear();
    this.#curves = null;
    this.#counted = 0;
    this.#highest = -Infinity;
    this.#restarts = 0;
    this.summary.clear();
    this.step = null;
    this.epoch = null;
    this.lastTime = null;
    this.firstTime = null;
  }

  /** null: no row came yet, and the settings say nothing. */
  toProgress(totalSteps: number | null, totalEpochs: number | null): Progress | null {
    if (this.step === null && this.epoch === null && totalSteps === null && totalEpochs === null) return null;
    return { step: this.step, totalSteps, epoch: this.epoch, totalEpochs };
  }

  /** A mean of the whole training is no figure of it if each step has one. */
  #takeFigure({ name, hasSteps }: Metric, fact: Fact<number>): void {
    const isCurve = hasSteps && name !== toStepName(name) && !this.#owners.has(toStepName(name));
    if (isCurve) this.summary.delete(name);
    else this.summary.set(name, fact);
  }

  /** null: there are too many. */
  #metric(rawName: string, step: number): Metric | 'ignored' | null {
    const known = this.#metrics.get(rawName);
    if (known) return known;
    const wanted = toMetricName(rawName);
    if (wanted === 'global_step' || wanted === '' || wanted.length > MAX_NAME) return 'ignored';
    if (this.#metrics.size >= MAX_CURVES) return null;
    // Of two with one name, the second keeps its own.
    const name = this.#owners.has(wanted) ? rawName : wanted;
    const curve = new Curve({ ...this.#options, skipsRepeats: name === 'epoch' });
    const metric = { name, curve, firstStep: step, hasSteps: false };
    this.#metrics.set(rawName, metric);
    this.#owners.set(name, rawName);
    this.#curves = null;
    return metric;
  }
}

const toRestartProblem = (what: string, restarts: number): string =>
  `${what} begin again at the first one, ${restarts === 1 ? 'once' : `${restarts} times`}. No value is dropped: the steps are ` +
  'counted on. Log a step that goes on over the whole run to see that one.';

/** Says of the curve whose steps begin again most often that they do. */
export function findRestarts(curves: ReadonlyMap<string, Curve>): readonly string[] {
  const [first] = [...curves].toSorted(([, a], [, b]) => b.restarts - a.restarts);
  return first && first[1].restarts > 0 ? [toRestartProblem(`The steps of ${first[0]}`, first[1].restarts)] : [];
}

/** A metric as JSON holds it: a number, or the words that trackers write for NaN and infinities. null: no number. */
export function toMetricValue(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value === 'NaN' || value === 'nan') return Number.NaN;
  if (value === 'Infinity' || value === 'inf') return Infinity;
  return value === '-Infinity' || value === '-inf' ? -Infinity : null;
}
