// Numbers as words in the sentences of a recommendation. Pure.
import { toNumberText, toScientificText } from '#core/contract/numberNotation.ts';

const RATE_DIGITS = 3;

/** `1.5e-3`, `0.2`: a rate as the pages write it, with the digits that a sentence needs. */
export const toRateText = (rate: number): string => toNumberText(rate, RATE_DIGITS);

/** `0.071`, `0.0044`, `1.5e-4`: two significant digits, scientific below 0.001 as in the tables. */
export function toLossText(loss: number): string {
  const rounded = Number(loss.toPrecision(2));
  return rounded !== 0 && Math.abs(rounded) < 1e-3 ? toScientificText(rounded) : String(rounded);
}

/** Made once: `toLocaleString` with options makes one for each number, which was two thirds of a recommendation's time. */
const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export const toCountText = (count: number): string => COUNT.format(count);

export const toRowsText = (rows: number): string => `${toCountText(rows)} ${rows === 1 ? 'row' : 'rows'}`;

export const toEpochsText = (epochs: number): string => `${epochs} ${epochs === 1 ? 'epoch' : 'epochs'}`;

/** `2.1x below the 2e-4`, `about the 2e-4`: a rate compared with the common one. */
export function toRatioText(rate: number, reference: number): string {
  const ratio = rate / reference;
  if (ratio > 0.95 && ratio < 1.05) return `about the ${toRateText(reference)}`;
  const factor = Number((ratio < 1 ? 1 / ratio : ratio).toPrecision(2));
  return `${factor}x ${ratio < 1 ? 'below' : 'above'} the ${toRateText(reference)}`;
}

export const joinSentences = (...sentences: readonly string[]): string =>
  sentences.filter((sentence) => sentence !== '').join(' ');
