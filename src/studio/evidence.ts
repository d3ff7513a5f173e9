// What this studio's own runs of the local base model say about rates and about full training against LoRA.
// Pure; it must not know the published rules.
import type { AnswerShape, RowFacts } from './snapshotFacts';
import { toPercentText, toRateText } from './reasonText';

/** One finished experiment on the local base model, of any snapshot. */
export interface RunFact {
  readonly snapshot_id: string;
  readonly experiment_number: number;
  readonly lora: boolean;
  readonly learning_rate: number;
  readonly n_epochs: number;
  readonly batch_size: number;
  readonly steps: number | null;
  readonly last_loss: number | null;
  /** Share of held-out answers that were exactly right, 0 to 1. */
  readonly exact_match: number | null;
  /** Why it failed; null when it succeeded. */
  readonly failure: string | null;
}

export interface SnapshotFacts extends RowFacts {
  readonly snapshot_id: string;
  readonly runs: readonly RunFact[];
}

const lossOf = (run: RunFact): number => run.last_loss ?? Number.POSITIVE_INFINITY;

/** The succeeded run to learn a rate from: of this snapshot before any other, then the lowest loss. */
export function findBestRun(facts: SnapshotFacts, isLora: boolean): RunFact | null {
  const succeeded = facts.runs.filter((run) => run.failure === null && run.lora === isLora);
  const own = succeeded.filter((run) => run.snapshot_id === facts.snapshot_id);
  return (own.length > 0 ? own : succeeded).toSorted((a, b) => lossOf(a) - lossOf(b))[0] ?? null;
}

/** The lowest rate at which a run of this studio failed, in words; null when none did. */
export function describeFailure(facts: SnapshotFacts): string | null {
  const [failed] = facts.runs.filter((run) => run.failure !== null).toSorted((a, b) => a.learning_rate - b.learning_rate);
  return failed ? `a rate of ${toRateText(failed.learning_rate)} failed (${failed.failure})` : null;
}

export interface ModeChoice {
  readonly isLora: boolean;
  readonly why: string;
}

const SHAPE_WORDS: Readonly<Record<AnswerShape, string>> = {
  'fixed-set': 'a fixed set of answers',
  'tool-calls': 'tool calls',
  json: 'JSON records',
  text: 'free text',
};
/** Below this difference of held-out answers, the smaller file decides. */
const CLEAR_DIFFERENCE = 0.01;

function chooseForText(full: RunFact | null, lora: RunFact | null): ModeChoice {
  const measured =
    full?.last_loss != null && lora?.last_loss != null && full.last_loss < lora.last_loss
      ? `it reached a loss of ${full.last_loss.toFixed(2)} on this snapshot, LoRA ${lora.last_loss.toFixed(2)}`
      : 'a small adapter on so small a model loses words';
  return { isLora: false, why: `Full training, because the answers are free text: ${measured}.` };
}

const describeScore = (share: number): string =>
  `on this snapshot it got ${toPercentText(share)} of the held-out answers exactly right`;

/** Full training or LoRA for the local base model: by what was measured on this snapshot, else by the answers' shape. */
export function chooseMode(facts: SnapshotFacts): ModeChoice {
  const isOwn = (run: RunFact | null): run is RunFact => run?.snapshot_id === facts.snapshot_id;
  const full = findBestRun(facts, false);
  const lora = findBestRun(facts, true);
  const ownFull = isOwn(full) ? full : null;
  const ownLora = isOwn(lora) ? lora : null;
  if (facts.answer_shape === 'text') return chooseForText(ownFull, ownLora);
  const fullScore = ownFull?.exact_match ?? null;
  const loraScore = ownLora?.exact_match ?? null;
  if (fullScore !== null && loraScore !== null && fullScore - loraScore >= CLEAR_DIFFERENCE) {
    return {
      isLora: false,
      why: `Full training, because ${describeScore(fullScore)}, LoRA ${toPercentText(loraScore)}.`,
    };
  }
  const measured = loraScore === null ? 'that needs a small change only' : describeScore(loraScore);
  return { isLora: true, why: `LoRA, because the answers are ${SHAPE_WORDS[facts.answer_shape]}: ${measured}.` };
}
