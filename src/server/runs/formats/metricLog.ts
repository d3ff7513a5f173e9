// The metrics of one run as its rows come in: curves, single figures and progress.
import { Curve } from '#server/runs/curve.ts';
import type { Fact, FactSource, Progress } from '#server/runs/evidence.ts';
import { toMetricName } from '#server/runs/metricNames.ts';
import { isSummaryFigure } from './summaryFigures.ts';

/** Most metrics of a run. A tracker that makes a name for each step stops here. */
const MAX_CURVES = 2000;
const MAX_NAME = 300;
export class MetricLog {
  readonly curves = new Map<string, Curve>();
  readonly summary = new Map<string, Fact<number>>();
  /** The newest step, epoch and time that a row named. Unix milliseconds. */
  step: number | null = null;
  epoch: number | null = null;
  lastTime: number | null = null;
  firstTime: number | null = null;

  /** Takes a value by the name that the trainer or tracker gave it. */
  add(rawName: string, value: number, step: number, time: number | null, source: FactSource): void {
    const name = toMetricName(rawName);
    if (name === 'global_step' || name === '' || name.length > MAX_NAME) return;
    this.see(step, time);
    if (isSummaryFigure(name)) {
      this.summary.set(name, { value, source });
      return;
    }
    const curve = this.#curve(name, step);
    if (name === 'epoch') {
      if (Number.isFinite(value)) this.epoch = value;
      // Training, evaluation and summary of one step repeat it.
      if (curve?.lastStep === step && curve.lastValue === value) return;
    }
    curve?.push(step, value, time);
  }

  /** A row at this step and time, whatever it holds. */
  see(step: number | null, time: number | null): void {
    if (step !== null) this.step = step;
    if (time === null || Number.isNaN(time)) return;
    this.firstTime = Math.min(this.firstTime ?? time, time);
    this.lastTime = Math.max(this.lastTime ?? time, time);
  }

  /** Drops all points from this step on: the run was resumed from an earlier checkpoint. */
  dropFrom(step: number): void {
    for (const curve of this.curves.values()) curve.dropFrom(step);
  }

  /** Forgets one metric, by the name that the tracker gave it. */
  drop(rawName: string): void {
    const name = toMetricName(rawName);
    this.curves.delete(name);
    this.summary.delete(name);
  }

  clear(): void {
    this.curves.clear();
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

  /** The curve of a metric, without the steps that are about to be repeated. */
  #curve(name: string, step: number): Curve | null {
    const found = this.curves.get(name);
    if (found) {
      if (step < (found.lastStep ?? -Infinity)) found.dropFrom(step);
      return found;
    }
    if (this.curves.size >= MAX_CURVES) return null;
    const curve = new Curve();
    this.curves.set(name, curve);
    return curve;
  }
}

/** A metric as JSON holds it: a number, or the words that trackers write for NaN and infinities. null: no number. */
export function toMetricValue(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return Number.NaN;
  if (value === 'Infinity') return Infinity;
  return value === '-Infinity' ? -Infinity : null;
}
