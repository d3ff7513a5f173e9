// Evidence from this studio's runs of the local base model: which rates worked, and full training against LoRA. Pure.
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
  /** Share of held-out answers, 0 to 1, by measure. */
  readonly held_out: Readonly<Record<string, number>>;
  /** Why it failed; null when it succeeded. */
  readonly failure: string | null;
}

export interface SnapshotFacts extends RowFacts {
  readonly snapshot_id: string;
  readonly runs: readonly RunFact[];
}

const lossOf = (run: RunFact): number => run.last_loss ?? Number.POSITIVE_INFINITY;

/** The mean of all measures. A run without measures ranks last. */
function toScore({ held_out }: RunFact): number {
  const shares = Object.values(held_out);
  return shares.length === 0 ? -1 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

const isOwnOf = (facts: SnapshotFacts) => (run: RunFact) => run.snapshot_id === facts.snapshot_id;

/** The best succeeded run on this snapshot: by held-out measures, then by training loss. */
export function findOwnRun(facts: SnapshotFacts, isLora: boolean): RunFact | null {
  const own = facts.runs.filter((run) => isOwnOf(facts)(run) && run.failure === null && run.lora === isLora);
  return own.toSorted((a, b) => toScore(b) - toScore(a) || lossOf(a) - lossOf(b))[0] ?? null;
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
 * The basis of a choice. `better`: ahead by a point or more on held-out rows; `close`: within a point; `mixed`: each
 * is ahead on some measure; `only`: the other has not run on this snapshot; `shape`: nothing was measured.
 */
type ChoiceBasis = 'better' | 'close' | 'mixed' | 'only' | 'shape';

export interface ModeChoice {
  readonly isLora: boolean;
  readonly basis: ChoiceBasis;
  /** The measure with the clearest lead, where one way of training is better. */
  readonly measure: string | null;
  /** The best runs on this snapshot. */
  readonly full: RunFact | null;
  readonly lora: RunFact | null;
}

/** Below this difference of held-out answers, the cheaper model to store and serve is chosen. */
const CLEAR_DIFFERENCE = 0.01;

/** The measures that both runs have. Where answers are right or wrong, not free text, only exact match counts. */
function toCommonMeasures(facts: SnapshotFacts, full: RunFact, lora: RunFact): readonly string[] {
  const common = Object.keys(full.held_out).filter((measure) => measure in lora.held_out);
  return facts.answer_shape !== 'text' && common.includes('exact_match') ? ['exact_match'] : common;
}

type Verdict = Pick<ModeChoice, 'isLora' | 'basis' | 'measure'>;

function compare(facts: SnapshotFacts, full: RunFact, lora: RunFact): Verdict | null {
  const leads = toCommonMeasures(facts, full, lora).map((measure) => {
    // Rounded, because 0.06 - 0.05 is a little less than 0.01.
    return { measure, lead: Number(((full.held_out[measure] ?? 0) - (lora.held_out[measure] ?? 0)).toFixed(6)) };
  });
  const [clearest] = leads.toSorted((a, b) => Math.abs(b.lead) - Math.abs(a.lead));
  if (!clearest) return null;
  const isFullAhead = leads.some(({ lead }) => lead >= CLEAR_DIFFERENCE);
  const isLoraAhead = leads.some(({ lead }) => lead <= -CLEAR_DIFFERENCE);
  if (isFullAhead === isLoraAhead) return { isLora: true, basis: isFullAhead ? 'mixed' : 'close', measure: null };
  return { isLora: isLoraAhead, basis: 'better', measure: clearest.measure };
}

/**
 * Full training or LoRA for the local base model: by measures on this snapshot, otherwise by the shape of the answers.
 */
export function chooseMode(facts: SnapshotFacts): ModeChoice {
  const full = findOwnRun(facts, false);
  const lora = findOwnRun(facts, true);
  const byShape: Verdict = { isLora: facts.answer_shape !== 'text', basis: 'shape', measure: null };
  if (full && lora) return { ...(compare(facts, full, lora) ?? byShape), full, lora };
  return { ...byShape, ...((full || lora) && { isLora: lora !== null, basis: 'only' }), full, lora };
}

export const toChosenRun = ({ isLora, full, lora }: ModeChoice): RunFact | null => (isLora ? lora : full);
