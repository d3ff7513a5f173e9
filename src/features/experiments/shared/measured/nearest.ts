// What runs on nearby data say of settings: how much worse each is than the best of its task, weighted by how near the task is and
// how much was tried there. Pure.
import { toGroups } from '#features/experiments/shared/grouping.ts';
import type { MeasuredRun, Settings, TaskFacts } from './measuredRun.ts';

/** A difference by this factor counts as one step of distance. Bases far apart in size must not lend each other rates. */
const STEP = { rows: 8, bytes_per_row: 3, parameters: 3 } as const;
/** Answers of another shape are one step away. */
const SHAPE_STEP = 1;
/** A task that counts less than this is left out. */
const LEAST_WEIGHT = 0.02;
/** Runs that a task needs to count half. */
const HALF_RUNS = 3;
/** Losses below this are as good as each other: all answers are right then. */
export const NO_LOSS = 0.01;
/** A run is good if its validation loss is within a tenth of its task's best. */
const GOOD = 1.1;

const toSteps = (a: number, b: number, factor: number): number =>
  a > 0 && b > 0 ? Math.abs(Math.log(a / b)) / Math.log(factor) : 0;

/** 1: alike; 0.6: one step away; 0.1: two steps. */
export function toNearness(a: TaskFacts, b: TaskFacts): number {
  const shape =
    a.answer_shape === null || b.answer_shape === null || a.answer_shape === b.answer_shape ? 0 : SHAPE_STEP;
  const squares =
    toSteps(a.rows, b.rows, STEP.rows) ** 2 +
    toSteps(a.bytes_per_row, b.bytes_per_row, STEP.bytes_per_row) ** 2 +
    toSteps(a.parameters, b.parameters, STEP.parameters) ** 2 +
    shape ** 2;
  return Math.exp(-squares / 2);
}

/** How much worse a loss is than the best: 0 for the best, 0.1 for about a tenth more. */
export const toRegret = (loss: number, best: number): number => Math.log((loss + NO_LOSS) / (best + NO_LOSS));

/** What a run that diverged counts as: twenty times the best loss. */
const DIVERGED = Math.log(20);
/** For each doubling or halving of a value between settings and the nearest that ran. On our tasks it was 0 to 1.7. */
const REGRET_A_DOUBLING = 0.5;

export interface Scored extends MeasuredRun {
  readonly loss: number;
}

export const isScored = (run: MeasuredRun): run is Scored => run.loss !== null && Number.isFinite(run.loss);

/** The runs of one task of one way of training. */
export interface NearTask {
  readonly task: string;
  readonly origin: MeasuredRun['origin'];
  readonly weight: number;
  /** How many runs have ended, with those that failed. */
  readonly runs: number;
  readonly best: Scored;
  /** The best and those about as good. */
  readonly good: readonly Scored[];
  /** All of them; the loss of those that diverged is null. */
  readonly all: readonly MeasuredRun[];
}

type Values = Omit<Settings, 'lora'>;

/** Doublings between two settings: of the rate, the batch and the epochs together. */
const toDoublings = (a: Values, b: Values): number =>
  (['learning_rate', 'batch_size', 'n_epochs'] as const).reduce(
    (sum, field) => sum + Math.abs(Math.log2(a[field] / b[field])),
    0,
  );

/** How much worse than its best run settings are expected to be on a task: as its run with the nearest settings, and more for what lies between. */
export function toExpectedRegret(settings: Values, { all, best }: Pick<NearTask, 'all' | 'best'>): number {
  const known = all.map((run) => ({
    doublings: toDoublings(settings, run),
    regret: isScored(run) ? toRegret(run.loss, best.loss) : DIVERGED,
  }));
  const [nearest] = known.toSorted((a, b) => a.doublings - b.doublings || a.regret - b.regret);
  return nearest ? nearest.regret + nearest.doublings * REGRET_A_DOUBLING : 0;
}

/** Tasks that count, the weightiest first. */
export function toNearTasks(facts: TaskFacts, runs: readonly MeasuredRun[], lora: boolean): readonly NearTask[] {
  const byTask = toGroups(
    runs.filter((run) => run.lora === lora),
    ({ task }) => task,
  );
  return [...byTask]
    .flatMap(([task, all]): NearTask[] => {
      const [best, ...others] = all.filter(isScored).toSorted((a, b) => a.loss - b.loss);
      if (!best) return [];
      const good = [best, ...others].filter(({ loss }) => toRegret(loss, best.loss) <= Math.log(GOOD));
      const weight = toNearness(facts, best.facts) * (all.length / (all.length + HALF_RUNS));
      return [{ task, origin: best.origin, weight, runs: all.length, best, good, all }];
    })
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight);
}
