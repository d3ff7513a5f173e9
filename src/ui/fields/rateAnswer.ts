// The typed answer about a multiplier's meaning. Pure.
import { toLearningRate, toRateMeaning, type RateChoice } from '#core/contract/rateMeaning.ts';
import { parseNumberText } from './numberText.ts';

/** `unknown`: the person doesn't know either. */
export type RateAnswer = RateChoice['means'] | 'unknown';

export interface ReadAnswer {
  readonly choice: RateChoice | null;
  /** Why the answer can't be used yet. */
  readonly problem: string | null;
}

const ABOVE_ZERO = 'The base rate is a number above 0, such as 2e-5.';

export function readRateAnswer(means: RateAnswer | null, base: string): ReadAnswer {
  if (means === 'rate') return { choice: { means }, problem: null };
  if (means !== 'factor') return { choice: null, problem: null };
  const parsed = parseNumberText(base, { label: 'Base rate' });
  if (!parsed.ok) return { choice: null, problem: parsed.message };
  const { value = 0 } = parsed;
  return value > 0 ? { choice: { means, base: value }, problem: null } : { choice: null, problem: ABOVE_ZERO };
}

/** The learning rate that the answer gives the first candidate; empty: none yet. */
export function toRatePreview(multiplier: number | null, choice: RateChoice | null): string {
  const rate = multiplier === null || choice === null ? null : toLearningRate(multiplier, toRateMeaning(null, choice));
  return rate === null ? '' : `→ ${rate} for candidate 1`;
}
