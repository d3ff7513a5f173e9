// What `learning_rate_multiplier` means. ASSUMED: SPEC doesn't say it and services differ. A service may say it of
// itself (`learning_rate_is_absolute`); of one that does not, a person says it.
import { isObject, numberOr, ownField } from './reading.ts';

/** What a person said: the field is the learning rate itself, or `base` times the field is. */
export type RateChoice = { readonly means: 'rate' } | { readonly means: 'factor'; readonly base: number };

export type RateMeaning =
  | { readonly means: 'unknown' }
  | { readonly means: 'rate'; readonly saidBy: 'service' | 'person' }
  | { readonly means: 'factor'; readonly base: number };

/** null for whatever is no choice, such as a damaged stored one. */
export function readRateChoice(value: unknown): RateChoice | null {
  if (!isObject(value)) return null;
  const means = ownField(value, 'means');
  if (means === 'rate') return { means };
  const base = numberOr(ownField(value, 'base'), null);
  return means === 'factor' && base !== null && base > 0 ? { means, base } : null;
}

/** `isAbsolute` as the service says it; null: it doesn't. What the service says outweighs what a person said. */
export function toRateMeaning(isAbsolute: boolean | null, choice: RateChoice | null): RateMeaning {
  if (isAbsolute === true) return { means: 'rate', saidBy: 'service' };
  if (choice === null || (isAbsolute === false && choice.means === 'rate')) return { means: 'unknown' };
  return choice.means === 'rate' ? { means: 'rate', saidBy: 'person' } : choice;
}

const DIGITS = 12;

/**
 * The learning rate; null where nobody said what the field means. Without the noise that a product of doubles leaves
 * behind.
 */
export function toLearningRate(multiplier: number, meaning: RateMeaning): number | null {
  if (meaning.means === 'unknown') return null;
  return meaning.means === 'rate' ? multiplier : Number((multiplier * meaning.base).toPrecision(DIGITS));
}
