// Verdicts of one check on the answers of one model to a block of rows: a letter for each answer, and by their places scores and
// reasons. Pure.
import { cutText } from '#core/contract/schemas.ts';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { Outcome } from '#features/evaluation/shared/contract/evaluationRuns.ts';

export const LETTERS: Readonly<Record<Outcome, string>> = { pass: 'p', fail: 'f', not_checked: 'n' };
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map(
  (Object.entries(LETTERS) as [Outcome, string][]).map(([outcome, letter]) => [letter, outcome]),
);
/** Nothing has judged it. */
export const NONE = ' ';

export const toOutcome = (letter: string | undefined): Outcome | null => OUTCOMES.get(letter ?? NONE) ?? null;

/** The score that an outcome has where no other is given. */
export const USUAL: Readonly<Record<Outcome, number | null>> = { pass: 1, fail: 0, not_checked: null };

/** By the place of the answer in its block. */
type Sparse<Value> = Record<string, Value>;

/** As it is stored; scores and reasons as JSON, null without any. */
export interface VerdictBlock {
  readonly outcomes: string;
  /** Those that are not what the outcome says. */
  readonly scores: string | null;
  readonly reasons: string | null;
}

export interface BlockVerdict {
  /** Its place in the block. */
  readonly at: number;
  /** null: there is none any more. */
  readonly outcome: Outcome | null;
  readonly score: number | null;
  readonly reason: string | null;
}

export const readScores = (text: string | null): Sparse<number | null> =>
  text === null ? {} : (JSON.parse(text) as Sparse<number | null>);

/** Each reason with its places: most are those of many answers. Before, each place had its own. */
type StoredReasons = Sparse<string> | readonly (readonly [reason: string, places: readonly number[]])[];

export function readReasons(text: string | null): Sparse<string> {
  const stored = text === null ? {} : (JSON.parse(text) as StoredReasons);
  if (!Array.isArray(stored)) return stored as Sparse<string>;
  const reasons: Sparse<string> = {};
  for (const [reason, places] of stored as readonly (readonly [string, readonly number[]])[])
    for (const place of places) reasons[place] = reason;
  return reasons;
}

function writeReasons(reasons: Sparse<string>): string | null {
  const places = new Map<string, number[]>();
  for (const [place, reason] of Object.entries(reasons)) {
    const own = places.get(reason);
    if (own) own.push(Number(place));
    else places.set(reason, [Number(place)]);
  }
  return places.size === 0 ? null : JSON.stringify([...places]);
}

/** A block of `size` answers with more verdicts; later ones replace earlier ones. */
export function addVerdicts(
  block: VerdictBlock | undefined,
  size: number,
  added: readonly BlockVerdict[],
): VerdictBlock {
  const letters = [...(block?.outcomes ?? '').padEnd(size, NONE)];
  const [scores, reasons] = [readScores(block?.scores ?? null), readReasons(block?.reasons ?? null)];
  for (const { at, outcome, score, reason } of added) {
    letters[at] = outcome === null ? NONE : LETTERS[outcome];
    delete scores[at];
    delete reasons[at];
    if (outcome !== null && score !== USUAL[outcome]) scores[at] = score;
    if (reason !== null && reason !== '') reasons[at] = cutText(reason, EVALUATION_LIMITS.reasonCharacters);
  }
  return {
    outcomes: letters.join(''),
    scores: Object.keys(scores).length === 0 ? null : JSON.stringify(scores),
    reasons: writeReasons(reasons),
  };
}
