// How the values of experiments are written. Pure.
import { formatMeasure, formatShare } from '#core/contract/numberNotation.ts';
import { toRateText } from '#features/experiments/shared/rates.ts';
import { formatCount, formatDuration, formatMoment } from '#ui/kit/format.ts';
import type { ColumnKind } from './column.ts';

export interface ValueText {
  readonly text: string;
  /** All digits, if the text leaves some out; else null. */
  readonly whole: string | null;
}

export function toValueText(kind: ColumnKind, value: string | number): ValueText {
  if (kind === 'date') return { text: formatMoment(Date.parse(String(value))), whole: String(value) };
  if (typeof value === 'string') return { text: value, whole: null };
  if (kind === 'rate') {
    const { text, isExact } = toRateText(value);
    return { text: isExact ? text : `≈ ${text}`, whole: isExact ? null : String(value) };
  }
  const text =
    kind === 'count'
      ? formatCount(value)
      : kind === 'duration'
        ? formatDuration(value * 1000)
        : kind === 'share' && value >= 0 && value <= 1
          ? formatShare(value)
          : formatMeasure(value);
  return { text, whole: text === String(value) ? null : String(value) };
}
