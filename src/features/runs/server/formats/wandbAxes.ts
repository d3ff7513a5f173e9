// The step at which W&B shows a metric: `define_metric(name, step_metric=...)` names another metric for it. Without one it is
// the step that the row names, else W&B's own counter, which grows with each call of `log`.
import { toMetricName } from '#features/runs/server/metricNames.ts';
import { toFinite } from './looseJson.ts';

/** Where a row names its step, the best first. */
const STEP_KEYS = ['train/global_step', 'trainer/global_step', 'global_step', 'iteration'];
const MAX_DEFINED = 1000;

export class WandbAxes {
  readonly #byName = new Map<string, string>();
  readonly #byGlob: { readonly pattern: RegExp; readonly stepMetric: string }[] = [];
  readonly #stepOf = new Map<string, string | null>();
  readonly #lastOf = new Map<string, number>();
  #named: number | null = null;

  define(name: string, glob: string, stepMetric: string): void {
    // The epoch is no step of the run: it is a curve of its own.
    const isStep = stepMetric !== '' && toMetricName(stepMetric) !== 'epoch';
    if (!isStep || this.#byName.size + this.#byGlob.length >= MAX_DEFINED) return;
    this.#stepOf.clear();
    if (name !== '') this.#byName.set(name, stepMetric);
    else if (glob !== '') this.#byGlob.push({ pattern: toPattern(glob), stepMetric });
    for (const key of [stepMetric, ...STEP_KEYS]) this.#stepOf.set(key, null);
  }

  /** Whether a metric is only the step of others. */
  isStep(name: string): boolean {
    if (STEP_KEYS.includes(name)) return true;
    for (const stepMetric of this.#byName.values()) if (stepMetric === name) return true;
    return this.#byGlob.some(({ stepMetric }) => stepMetric === name);
  }

  /** The step that a row names, or that the last one named; null: none did. */
  toNamedStep(row: ReadonlyMap<string, unknown>): number | null {
    for (const key of STEP_KEYS) {
      const step = toFinite(row.get(key));
      if (step !== null) return (this.#named = step);
    }
    return this.#named;
  }

  /** The step of one metric of a row; null: that of the row. */
  toOwnStep(name: string, row: ReadonlyMap<string, unknown>): number | null {
    const stepMetric = this.#find(name);
    if (stepMetric === null) return null;
    const step = toFinite(row.get(stepMetric)) ?? this.#lastOf.get(stepMetric) ?? null;
    if (step !== null) this.#lastOf.set(stepMetric, step);
    return step;
  }

  clear(): void {
    this.#byName.clear();
    this.#byGlob.length = 0;
    this.#stepOf.clear();
    this.#lastOf.clear();
    this.#named = null;
  }

  #find(name: string): string | null {
    const known = this.#stepOf.get(name);
    if (known !== undefined) return known;
    const wanted = this.#byName.get(name) ?? this.#byGlob.find(({ pattern }) => pattern.test(name))?.stepMetric ?? null;
    const found = wanted !== null && STEP_KEYS.includes(wanted) ? null : wanted;
    if (this.#stepOf.size < MAX_DEFINED) this.#stepOf.set(name, found);
    return found;
  }
}

const toPattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
