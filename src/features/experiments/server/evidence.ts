// Evidence from this studio's runs of the local base model: which rates worked, and full training against LoRA. Pure.
import {
  compareByMeasure,
  isSaturated,
  toGain,
  toMainMeasure,
  type Measure,
} from '#features/experiments/shared/measures.ts';
import type { MeasuredRun, TaskFacts } from '#features/experiments/shared/measured/measuredRun.ts';
import { toMeasuredMode, type MeasuredMode } from '#features/experiments/shared/measured/measuredSettings.ts';
import { LOCAL_WEIGHTS } from './catalogue.ts';
import type { RowFacts } from './snapshotFacts.ts';

/** One finished experiment on the local base model, of any snapshot. */
export interface RunFact {
  readonly snapshot_id: string;
  readonly experiment_number: number;
  readonly lora: boolean;
  readonly learning_rate: number;
  readonly n_epochs: number;
  readonly batch_size: number;
  readonly steps: number | null;
  /** Training loss, the mean of the last 20 steps: comparable only between runs of the same length on the same rows. */
  readonly last_loss: number | null;
  readonly held_out_rows: number | null;
  /** By measure: shares of answers to validation rows, 0 to 1, and losses per token. */
  readonly held_out: Readonly<Record<string, number>>;
  /** Why it failed; null when it succeeded. */
  readonly failure: string | null;
}

export interface SnapshotFacts extends RowFacts {
  readonly snapshot_id: string;
  /** The measure that a person chose for the dataset. */
  readonly chosen_measure: string | null;
  readonly runs: readonly RunFact[];
  /** Runs on any data whose results are known. */
  readonly measured: readonly MeasuredRun[];
}

const lossOf = (run: RunFact): number => run.last_loss ?? Number.POSITIVE_INFINITY;

const isOwnOf = (facts: SnapshotFacts) => (run: RunFact) => run.snapshot_id === facts.snapshot_id;

/** The measure by which this snapshot's runs are compared; null: they have none that can decide. */
function findMainMeasure(facts: SnapshotFacts): Measure | null {
  const own = facts.runs.filter((run) => isOwnOf(facts)(run) && run.failure === null);
  const names = new Set(own.flatMap(({ held_out }) => Object.keys(held_out)));
  return toMainMeasure([...names], facts.answer_shape, facts.chosen_measure);
}

const valueOf = (run: RunFact, measure: Measure): number | null => run.held_out[measure.name] ?? null;

/** The best succeeded run on this snapshot: by the main measure, then by training loss. */
export function findOwnRun(facts: SnapshotFacts, isLora: boolean): RunFact | null {
  const own = facts.runs.filter((run) => isOwnOf(facts)(run) && run.failure === null && run.lora === isLora);
  const main = findMainMeasure(facts);
  const compare = (a: RunFact, b: RunFact): number =>
    main === null ? 0 : compareByMeasure(main, valueOf(a, main), valueOf(b, main));
  return own.toSorted((a, b) => compare(a, b) || lossOf(a) - lossOf(b))[0] ?? null;
}

/** The run to take a rate from: the best on this snapshot, else the one with the lowest training loss on another. */
export function findRateRun(facts: SnapshotFacts, isLora: boolean): RunFact | null {
  const succeeded = facts.runs.filter((run) => run.failure === null && run.lora === isLora);
  return findOwnRun(facts, isLora) ?? succeeded.toSorted((a, b) => lossOf(a) - lossOf(b))[0] ?? null;
}

/** The failed run with the lowest rate on this snapshot. */
export function findOwnFailure(facts: SnapshotFacts): RunFact | null {
  const failed = facts.runs.filter((run) => isOwnOf(facts)(run) && run.failure !== null);
  return failed.toSorted((a, b) => a.learning_rate - b.learning_rate)[0] ?? null;
}

/** A failure warns about rates from a third of its own upwards: one step of the bracket. */
const NEAR_FACTOR = 3;

/**
 * A failed run on any snapshot that warns about this rate: the same way of training at up to three times the rate. If
 * that way of training has succeeded at the failed run's rate or above, the rate was not the reason.
 */
export function findNearFailure({ runs }: SnapshotFacts, isLora: boolean, rate: number): RunFact | null {
  const sameMode = runs.filter((run) => run.lora === isLora);
  const highest = Math.max(0, ...sameMode.filter((run) => run.failure === null).map((run) => run.learning_rate));
  const near = sameMode.filter(
    (run) => run.failure !== null && run.learning_rate > highest && run.learning_rate <= rate * NEAR_FACTOR,
  );
  return near.toSorted((a, b) => a.learning_rate - b.learning_rate)[0] ?? null;
}

/**
 * The basis of a choice. `better`: clearly ahead by the main measure; `close`: not clearly; `only`: the other has not
 * run on this snapshot; `measured`: runs on nearby data decide; `shape`: nothing was measured that can decide.
 */
type ChoiceBasis = 'better' | 'close' | 'only' | 'measured' | 'shape';

export interface ModeChoice {
  readonly isLora: boolean;
  readonly basis: ChoiceBasis;
  /** The measure that decides, where both were measured by it. */
  readonly measure: Measure | null;
  /** The best runs on this snapshot. */
  readonly full: RunFact | null;
  readonly lora: RunFact | null;
  /** The runs on nearby data that decide. */
  readonly nearby: MeasuredMode | null;
}

/** Below these differences the cheaper model to store and serve is chosen: a point of a share, a tenth of a loss. */
const CLEAR_SHARE = 0.01;
const CLEAR_LOSS = 0.1;

type Verdict = Pick<ModeChoice, 'isLora' | 'basis' | 'measure'>;

function compare(facts: SnapshotFacts, full: RunFact, lora: RunFact): Verdict | null {
  const measure = findMainMeasure(facts);
  const [ofFull, ofLora] = measure ? [valueOf(full, measure), valueOf(lora, measure)] : [null, null];
  if (!measure || ofFull === null || ofLora === null) return null;
  // Rounded, because 0.06 - 0.05 is a little less than 0.01.
  const lead = Number(toGain(measure, ofFull, ofLora).toFixed(6));
  const clear = measure.kind === 'share' ? CLEAR_SHARE : CLEAR_LOSS * Math.max(Math.abs(ofFull), Math.abs(ofLora));
  return Math.abs(lead) >= clear && lead !== 0
    ? { isLora: lead < 0, basis: 'better', measure }
    : { isLora: true, basis: 'close', measure };
}

/** The chosen run, where nothing is left to win on the validation rows; else null. */
export function findSaturated(facts: SnapshotFacts, choice: ModeChoice): RunFact | null {
  const run = toChosenRun(choice);
  const measure = findMainMeasure(facts);
  const value = run && measure ? valueOf(run, measure) : null;
  return run && measure && value !== null && isSaturated(measure, value, run.held_out_rows) ? run : null;
}

/** What tells how near the snapshot is to other data. `parameters`: weights of the base model. */
export const toTaskFacts = (
  { training_count: rows, training_bytes, answer_shape }: SnapshotFacts,
  parameters: number,
): TaskFacts => ({ rows, bytes_per_row: training_bytes / rows, tokens_per_row: null, answer_shape, parameters });

/**
 * Full training or LoRA for the local base model: by measures on this snapshot, otherwise by runs on nearby data, otherwise
 * by the shape of the answers.
 */
export function chooseMode(facts: SnapshotFacts): ModeChoice {
  const full = findOwnRun(facts, false);
  const lora = findOwnRun(facts, true);
  const nearby = toMeasuredMode(toTaskFacts(facts, LOCAL_WEIGHTS), facts.measured);
  const elsewhere: Verdict = nearby
    ? { isLora: nearby.lora, basis: 'measured', measure: null }
    : { isLora: facts.answer_shape !== 'text', basis: 'shape', measure: null };
  const runs = { full, lora, nearby };
  if (full && lora) return { ...(compare(facts, full, lora) ?? elsewhere), ...runs };
  return { ...elsewhere, ...((full || lora) && { isLora: lora !== null, basis: 'only' }), ...runs };
}

export const toChosenRun = ({ isLora, full, lora }: ModeChoice): RunFact | null => (isLora ? lora : full);
