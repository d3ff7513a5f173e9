// The learning rate of a config: the number and its origin, or why there is none. A config without it must not train,
// because a trainer's default may be far off.
import { toLearningRate, type RateMeaning } from '#core/contract/rateMeaning.ts';
import { toConfigNumber } from './configText.ts';
import { isLikelyAbsoluteRate } from './rates.ts';

export type RateFact =
  /** `note`: a person's choice; null if the service says that the multiplier is the rate. */
  | { readonly value: number; readonly note: string | null }
  /** `reason`: the note in a few words, without special characters. */
  | { readonly value: null; readonly note: string; readonly reason: string };

const isRate = (value: number): boolean => Number.isFinite(value) && value > 0;

function toNote(multiplier: number, meaning: RateMeaning): string | null {
  if (meaning.means === 'factor')
    return (
      `your base rate of ${toConfigNumber(meaning.base)} x the service's multiplier of ` +
      `${toConfigNumber(multiplier)}`
    );
  return meaning.means === 'rate' && meaning.saidBy === 'person'
    ? "you said that this service's multiplier is the rate itself"
    : null;
}

export function toRateFact(multiplier: number | null, meaning: RateMeaning): RateFact {
  if (multiplier === null) return { value: null, note: 'not given', reason: 'the service gave none' };
  const number = toConfigNumber(multiplier);
  if (!isRate(multiplier))
    return {
      value: null,
      note: `the service gave ${number}, which is not a rate above 0`,
      reason: 'the service gave no rate above 0',
    };
  const value = toLearningRate(multiplier, meaning);
  if (value !== null && isRate(value)) return { value, note: toNote(multiplier, meaning) };
  if (value !== null)
    return {
      value: null,
      note: `${toNote(multiplier, meaning) ?? number} is not a rate above 0`,
      reason: 'the product is no rate above 0',
    };
  const doubt = isLikelyAbsoluteRate(multiplier)
    ? ' (so small a multiplier may be the rate itself: ask the service)'
    : '';
  return {
    value: null,
    note:
      `the service gave a multiplier of ${number} and does not say what it means; set learning_rate to ${number} x ` +
      `your default${doubt}`,
    reason: `nobody said what the multiplier of ${number} means`,
  };
}
