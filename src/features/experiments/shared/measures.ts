// What the measures of a run mean: what each counts, which way is better, and for which answers it may decide. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { readEvaluationMeasure } from '#features/evaluation/shared/evaluationMeasure.ts';
import { formatMeasure, formatShare } from '#core/contract/numberNotation.ts';

export interface Measure {
  /** Its name in `held_out`. */
  readonly name: string;
  readonly label: string;
  /** What it counts, as part of a sentence. */
  readonly counts: string;
  readonly better: 'higher' | 'lower';
  /** `share`: 0 to 1, of the validation rows or, where `isOfSome`, of those that it is about; `loss`: nats per token; `number`: as the service sends it. */
  readonly kind: 'share' | 'loss' | 'number';
  /** The shapes of answers for which it can say which run is better; the first measure of a shape is its main one. */
  readonly decides: readonly AnswerShape[];
  /** It leaves rows out, nobody says how many: so there is no interval. */
  readonly isOfSome?: true;
}

const RECORDS: readonly Measure[] = [
  {
    name: 'exact_match',
    label: 'exact match',
    counts: 'validation rows whose answer equals the expected one',
    better: 'higher',
    kind: 'share',
    decides: ['fixed-set', 'tool-calls', 'json'],
  },
  {
    name: 'validation_loss',
    label: 'validation loss',
    counts: 'mean loss per token (nats) of the expected answers, on validation rows',
    better: 'lower',
    kind: 'loss',
    decides: ['text', 'fixed-set', 'tool-calls', 'json'],
  },
  {
    name: 'eval_loss',
    label: 'evaluation loss',
    counts: 'mean loss per token (nats) of the expected answers, on validation rows',
    better: 'lower',
    kind: 'loss',
    decides: ['text', 'fixed-set', 'tool-calls', 'json'],
  },
  {
    name: 'well_formed',
    label: 'well formed',
    counts: 'validation rows whose answer has the form of the expected one and ends by itself',
    better: 'higher',
    kind: 'share',
    decides: ['text'],
  },
  {
    name: 'id_copied',
    label: 'ids copied',
    counts: 'validation rows with an id whose answer repeats it, of those with an id',
    better: 'higher',
    kind: 'share',
    decides: [],
    isOfSome: true,
  },
];

const BY_NAME: ReadonlyMap<string, Measure> = new Map(RECORDS.map((record) => [record.name, record]));

/** undefined: only its service knows it. */
export const findMeasure = (name: string): Measure | undefined => BY_NAME.get(name);

/** Whole words of a name, so that `correct_answer` and `lossless` don't count. */
const LOWER_IS_BETTER =
  /(?:^|[_.\- ])(?:loss|perplexity|ppl|errors?|error_rate|wer|cer|nll|mae|mse|rmse|latency)(?:$|[_.\- ])/i;

/** The measure of this name. One that we don't know means what its service says, and decides only where it is chosen. */
export function toMeasure(name: string): Measure {
  const evaluation = readEvaluationMeasure(name);
  if (evaluation !== null)
    return {
      name,
      label: evaluation,
      counts: `answers that pass the checks of the evaluation “${evaluation}”`,
      better: 'higher',
      kind: 'share',
      decides: ['text', 'fixed-set', 'tool-calls', 'json'],
      // Of its own rows, not of the validation rows that a run counts.
      isOfSome: true,
    };
  return (
    BY_NAME.get(name) ?? {
      name,
      label: name.replaceAll('_', ' '),
      counts: 'as the service measures it',
      better: LOWER_IS_BETTER.test(name) ? 'lower' : 'higher',
      kind: 'number',
      decides: [],
    }
  );
}

/** Which way a measure is better; null: nothing says it. */
export const toBetterWay = (name: string): Measure['better'] | null =>
  BY_NAME.get(name)?.better ?? (LOWER_IS_BETTER.test(name) ? 'lower' : null);

/**
 * The measure by which the runs of a dataset are compared. `names`: the measures that its runs have. A person's choice
 * counts if a run has it. Else the first that can decide for the answers; where their shape is unknown, the first that
 * can decide for any shape. null: none can.
 */
export function toMainMeasure(
  names: readonly string[],
  shape: AnswerShape | null,
  chosen: string | null = null,
): Measure | null {
  if (chosen !== null && names.includes(chosen)) return toMeasure(chosen);
  return (
    RECORDS.find(
      ({ name, decides }) => names.includes(name) && (shape === null ? decides.length > 0 : decides.includes(shape)),
    ) ?? null
  );
}

/** Why a measure can't decide for these answers; null when it can, or when their shape is unknown. */
export function toMeasureDoubt({ name, label, decides, kind }: Measure, shape: AnswerShape | null): string | null {
  if (shape === null || decides.includes(shape)) return null;
  if (name === 'exact_match' && shape === 'text')
    return 'Free text can be right in many words, so exact match says nothing about it.';
  return kind === 'number'
    ? `The studio does not know what ${label} means for these answers.`
    : `${label} says one thing about an answer, not whether it is right.`;
}

/** How much better `a` is than `b`: above 0 when it is. */
export const toGain = ({ better }: Measure, a: number, b: number): number => (better === 'higher' ? a - b : b - a);

/** For sorting, best first; missing values come last. */
export function compareByMeasure(measure: Measure, a: number | null, b: number | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return toGain(measure, b, a);
}

/** The square of the two-sided 95 % quantile of the normal distribution. */
const Z2 = 1.959963984540054 ** 2;

/** On fewer rows any decent score lies within that interval, so nothing follows from it. */
const LEAST_ROWS = 100;

/** Some services send percentages under the name of a share. */
export const isShare = ({ kind }: Measure, value: number): boolean => kind === 'share' && value >= 0 && value <= 1;

/** It is of all rows that were measured, so their number gives it an interval. */
export const isShareOfRows = (measure: Measure, value: number): boolean =>
  isShare(measure, value) && measure.isOfSome !== true;

/** `99.5 %`, `0.074`. */
export function toMeasureValue(measure: Measure, value: number): string {
  return isShare(measure, value) ? formatShare(value) : formatMeasure(value);
}

/**
 * True when nothing is left to win on these rows: the score lies within the 95 % interval (Wilson) of a model that gets
 * every row right, so a better model could not be told from this one.
 */
export function isSaturated(measure: Measure, value: number, rows: number | null): boolean {
  if (rows === null || rows < LEAST_ROWS || measure.better !== 'higher') return false;
  return isShareOfRows(measure, value) && value >= rows / (rows + Z2);
}
