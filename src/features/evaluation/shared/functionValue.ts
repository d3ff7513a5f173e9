// What a person's own function says of an answer. Pure.
import { isObject } from '#core/contract/readJson.ts';

/** What a function gets; `row` has the row's variables by name. */
export interface FunctionInput {
  readonly answer: string;
  readonly expected: string | null;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What it gave, as JSON holds it, or why it gave nothing: it threw, or needed too much time or memory. */
export type FunctionOutcome =
  | { readonly ok: true; readonly value?: unknown }
  | { readonly ok: false; readonly reason: string; /** It ran out of time. */ readonly isLate?: true };

interface FunctionVerdict {
  readonly state: 'pass' | 'fail';
  readonly score?: number;
  /** Of a fail, and of a pass where the function says one. */
  readonly reason: string;
}

const isScore = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

/**
 * Reads true or false, a score from 0 to 1 that passes from `threshold` on, or `{pass, score, reason}` with at least one of the first
 * two. null: the value is none of these.
 */
export function toFunctionVerdict(value: unknown, threshold: number): FunctionVerdict | null {
  const read = isObject(value) ? value : typeof value === 'boolean' ? { pass: value } : { score: value };
  const { pass, score, reason } = read as Readonly<Record<string, unknown>>;
  const hasScore = score !== undefined && score !== null;
  if (hasScore && !isScore(score)) return null;
  if (typeof pass !== 'boolean' && !(pass === undefined && hasScore)) return null;
  const isPass = typeof pass === 'boolean' ? pass : isScore(score) && score >= threshold;
  const said = typeof reason === 'string' ? reason.trim() : '';
  const ofScore = isScore(score)
    ? `The function gave ${score}; it passes from ${threshold} on.`
    : 'The function gave false.';
  return {
    state: isPass ? 'pass' : 'fail',
    ...(isScore(score) && { score }),
    reason: said !== '' || isPass ? said : ofScore,
  };
}
