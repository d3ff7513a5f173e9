// What runs on nearby data found best: a mean over tasks, weighted by how near each is and how much was tried there. Pure.
import { toGroups } from '#shared/training/grouping.ts';
import type { MeasuredRun, TaskFacts } from './measuredRun.ts';

/** A difference by this factor counts as one step of distance. Bases far apart in size must not lend each other rates. */
const STEP = { rows: 8, bytes_per_row: 3, parameters: 3 } as const;
/** Answers of another shape are one step away. */
const SHAPE_STEP = 1;
/** A task that counts less than this is left out. */
const LEAST_WEIGHT = 0.02;
/** Runs that a task needs to count half. */
const HALF_RUNS = 3;
/** Losses below this are as good as each other: all answers are right then. */
const NO_LOSS = 0.01;
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

interface Scored extends MeasuredRun {
  readonly loss: number;
}

const isScored = (run: MeasuredRun): run is Scored => run.loss !== null && Number.isFinite(run.loss);

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
      return [{ task, origin: best.origin, weight, runs: all.length, best, good }];
    })
    .filter(({ weight }) => weight >= LEAST_WEIGHT)
    .toSorted((a, b) => b.weight - a.weight);
}
