// Settings from runs on nearby data, each with the range that was as good. Pure.
import type { MeasuredRun, TaskFacts } from './measuredRun.ts';
import { isScored, toExpectedRegret, toNearTasks, toRegret, type NearTask, type Scored } from './nearest.ts';

/** A value that ran, and the lowest and the highest of the good runs on the tasks. */
export interface MeasuredValue {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface MeasuredSettings {
  readonly lora: boolean;
  readonly learning_rate: MeasuredValue;
  readonly batch_size: MeasuredValue;
  readonly n_epochs: MeasuredValue;
  /** What to expect of validation rows: exact match from 0 to 1; null: the runs did not measure it. */
  readonly exact_match: MeasuredValue | null;
  readonly tasks: readonly NearTask[];
  /** How many runs all of this rests on, and how many of them are this studio's or imported. */
  readonly runs: number;
  readonly own_runs: number;
}

const meanOf = (tasks: readonly NearTask[], toValue: (task: NearTask) => number): number => {
  const total = tasks.reduce((sum, { weight }) => sum + weight, 0);
  return tasks.reduce((sum, task) => sum + task.weight * toValue(task), 0) / total;
};

/** What ran on one task alone may be the luck of one seed: settings that ran on most come first, counted by weight. */
const LEAST_SHARE = 0.5;

const isSame = (a: MeasuredRun, b: MeasuredRun): boolean =>
  a.learning_rate === b.learning_rate && a.batch_size === b.batch_size && a.n_epochs === b.n_epochs;

/**
 * Of the settings that ran on most of the tasks, those that are expected to lose least on all of them. Their values ran
 * together: the mean of two good rates may be a bad one, and a rate is good for its batch and epochs.
 */
function chooseSettings(tasks: readonly NearTask[]): Scored | null {
  const ran = tasks
    .flatMap(({ all }) => all.filter(isScored))
    .map((run) => ({
      run,
      share: meanOf(tasks, ({ all }) => (all.some((other) => isSame(run, other)) ? 1 : 0)),
      regret: meanOf(tasks, (task) => toExpectedRegret(run, task)),
    }));
  const most = Math.max(...ran.map(({ share }) => share));
  const [least] = ran.filter(({ share }) => share >= most * LEAST_SHARE).toSorted((a, b) => a.regret - b.regret);
  return least?.run ?? null;
}

function toValue(tasks: readonly NearTask[], value: number, toField: (run: Scored) => number): MeasuredValue {
  const good = tasks.flatMap((task) => task.good.map(toField));
  return { value, low: Math.min(value, ...good), high: Math.max(value, ...good) };
}

function toExactMatch(tasks: readonly NearTask[]): MeasuredValue | null {
  const known = tasks.filter(({ best }) => best.exact_match !== null);
  if (known.length === 0) return null;
  const shares = known.map(({ best }) => best.exact_match ?? 0);
  return {
    value: meanOf(known, ({ best }) => best.exact_match ?? 0),
    low: Math.min(...shares),
    high: Math.max(...shares),
  };
}

const toWhole = (value: number): number => Math.max(1, Math.round(value));

/** null: nothing near enough was measured with this way of training. */
export function toMeasuredSettings(
  facts: TaskFacts,
  runs: readonly MeasuredRun[],
  lora: boolean,
): MeasuredSettings | null {
  const tasks = toNearTasks(facts, runs, lora);
  const chosen = chooseSettings(tasks);
  if (chosen === null) return null;
  const count = (some: readonly NearTask[]): number => some.reduce((sum, task) => sum + task.runs, 0);
  return {
    lora,
    learning_rate: toValue(tasks, chosen.learning_rate, (run) => run.learning_rate),
    batch_size: toValue(tasks, toWhole(chosen.batch_size), (run) => toWhole(run.batch_size)),
    n_epochs: toValue(tasks, toWhole(chosen.n_epochs), (run) => toWhole(run.n_epochs)),
    exact_match: toExactMatch(tasks),
    tasks,
    runs: count(tasks),
    own_runs: count(tasks.filter(({ origin }) => origin !== 'calibration')),
  };
}

/** Below this the ways of training are as good as each other, and the adapter is cheaper to store and serve. */
const CLEAR = Math.log(1.1);

export interface MeasuredMode {
  readonly lora: boolean;
  /** On how many tasks both ways were tried; 0: only the chosen one was tried at all. */
  readonly tasks: number;
  /** On how many of them the chosen one was clearly the better, or LoRA about as good. */
  readonly agreeing: number;
}

/** Full training or LoRA, by the tasks on which both were tried; null: nothing near says which. */
export function toMeasuredMode(facts: TaskFacts, runs: readonly MeasuredRun[]): MeasuredMode | null {
  const loras = toNearTasks(facts, runs, true);
  const full = new Map(toNearTasks(facts, runs, false).map((task) => [task.task, task]));
  const pairs = loras.flatMap((lora) => {
    const other = full.get(lora.task);
    if (!other) return [];
    return [{ weight: Math.min(lora.weight, other.weight), regret: toRegret(lora.best.loss, other.best.loss) }];
  });
  if (pairs.length === 0) {
    const isOne = (loras.length === 0) !== (full.size === 0);
    return isOne ? { lora: full.size === 0, tasks: 0, agreeing: 0 } : null;
  }
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const mean = pairs.reduce((sum, { weight, regret }) => sum + weight * regret, 0) / total;
  const lora = mean < CLEAR;
  return { lora, tasks: pairs.length, agreeing: pairs.filter(({ regret }) => regret < CLEAR === lora).length };
}
