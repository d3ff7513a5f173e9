// The learning rate of a config: the number with a note on where it comes from, or why there is none. A config without
// it must not train: a trainer's default may be far off.
import { toLearningRate, type RateMeaning } from '#shared/contract/rateMeaning.ts';
import { toConfigNumber } from './configText.ts';
import { isLikelyAbsoluteRate } from './rates.ts';

export type RateFact =
  /** `note`: what a person said of it; null where the service says that it is the rate. */
  | { readonly value: number; readonly note: string | null }
  /** `lack`: the reason in a few plain words, without marks. */
  | { readonly value: null; readonly note: string; readonly lack: string };

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
  if (multiplier === null) return { value: null, note: 'not given', lack: 'the service gave none' };
  const given = toConfigNumber(multiplier);
  if (!isRate(multiplier))
    return {
      value: null,
      note: `the service gave ${given}, which is not a rate above 0`,
      lack: 'the service gave no rate above 0',
    };
  const value = toLearningRate(multiplier, meaning);
  if (value !== null && isRate(value)) return { value, note: toNote(multiplier, meaning) };
  if (value !== null)
    return {
      value: null,
      note: `${toNote(multiplier, meaning) ?? given} is not a rate above 0`,
      lack: 'the product is no rate above 0',
    };
  const doubt = isLikelyAbsoluteRate(multiplier)
    ? ' (so small a multiplier may be the rate itself: ask the service)'
    : '';
  return {
    value: null,
    note:
      `the service gave a multiplier of ${given} and does not say what it means; set learning_rate to ${given} x ` +
      `your default${doubt}`,
    lack: `nobody said what the multiplier of ${given} means`,
  };
}
