// A parameter's value as text: short for the cell, whole for the clipboard. Pure.
import { toPercent } from '#core/contract/numberNotation.ts';
import type { Parameter } from '#features/experiments/shared/parameters.ts';
import { toMeasureName } from '#features/experiments/shared/heldOut.ts';
import { isShare, toMeasure } from '#features/experiments/shared/measures.ts';
import type { ParameterValue } from '#features/experiments/shared/delta.ts';
import { toMeasureText, toRateText } from '#features/experiments/shared/rates.ts';
import { toClipped, toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { formatDuration, toCountText } from '#ui/kit/format.ts';

export interface CellText {
  readonly text: string;
  /** False when digits are left out of the text. */
  readonly isExact: boolean;
}

function toNumberText(value: number): CellText {
  if (!Number.isFinite(value) || Number.isInteger(value)) return { text: toCountText(value), isExact: true };
  return toMeasureText(value);
}

function toShareText(share: number): CellText {
  const percent = toPercent(share);
  return { text: `${percent} %`, isExact: Math.abs(Number(percent) / 100 - share) < 1e-12 };
}

/** The text of a value in its cell. */
export function toCellText(
  { id, kind }: Pick<Parameter, 'id' | 'kind'>,
  value: Exclude<ParameterValue, null>,
): CellText {
  if (typeof value === 'number') {
    if (kind === 'rate') return toRateText(value);
    if (id === 'seconds') return { text: formatDuration(value * 1000), isExact: true };
    if (isShare(toMeasure(toMeasureName(id)), value)) return toShareText(value);
    return kind === 'count' ? { text: toCountText(value), isExact: true } : toNumberText(value);
  }
  if (id === 'training_type') return { text: toTrainingWord(String(value)) ?? String(value), isExact: true };
  return { text: value === '' ? '“”' : toClipped(String(value)), isExact: true };
}

/** Every digit and character that the service gave, for the clipboard. */
export function toFullText(value: ParameterValue): string {
  return value === null ? '' : String(value);
}
