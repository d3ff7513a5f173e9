// What `learning_rate_multiplier` means. ASSUMED: SPEC leaves it open and services differ. A service may say it
// (`learning_rate_is_absolute`); if it doesn't, a person can.
import { isObject, numberOr, ownField } from './readJson.ts';

/** A person's choice: the field is the learning rate itself, or the learning rate is `base` times the field. */
export type RateChoice = { readonly means: 'rate' } | { readonly means: 'factor'; readonly base: number };

export type RateMeaning =
  | { readonly means: 'unknown' }
  | { readonly means: 'rate'; readonly saidBy: 'service' | 'person' }
  | { readonly means: 'factor'; readonly base: number };

/** Reads a stored choice; null if it is damaged. */
export function readRateChoice(value: unknown): RateChoice | null {
  if (!isObject(value)) return null;
  const means = ownField(value, 'means');
  if (means === 'rate') return { means };
  const base = numberOr(ownField(value, 'base'), null);
  return means === 'factor' && base !== null && base > 0 ? { means, base } : null;
}

/** `isAbsolute`: what the service says, or null. The service overrules a person. */
export function toRateMeaning(isAbsolute: boolean | null, choice: RateChoice | null): RateMeaning {
  if (isAbsolute === true) return { means: 'rate', saidBy: 'service' };
  if (choice === null || (isAbsolute === false && choice.means === 'rate')) return { means: 'unknown' };
  return choice.means === 'rate' ? { means: 'rate', saidBy: 'person' } : choice;
}

const DIGITS = 12;

/**
 * The learning rate; null if the meaning of the field is unknown. Rounding removes the noise of multiplying doubles.
 */
export function toLearningRate(multiplier: number, meaning: RateMeaning): number | null {
  if (meaning.means === 'unknown') return null;
  return meaning.means === 'rate' ? multiplier : Number((multiplier * meaning.base).toPrecision(DIGITS));
}
