// Steps, orders and values of completions in words. Pure.
import { formatMeasure } from '#core/contract/numberNotation.ts';
import type { CompletionRow } from '#features/runs/shared/completions.ts';
import type { Run } from '#features/runs/shared/runs.ts';
import { toCountText } from '#ui/kit/format.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The steps with rows, newest first; one of each. */
export function toStepOptions(files: Run['row_files']): readonly Option[] {
  const steps = new Set(files.flatMap(({ step }) => (step === null ? [] : [step])));
  return [...steps].toSorted((a, b) => b - a).map((step) => ({ value: String(step), label: toCountText(step) }));
}

/** The value of the order of the file: no column is called so. */
export const FILE_ORDER = '';

export function toSortOptions(measures: readonly string[]): readonly Option[] {
  return [
    ...measures.flatMap((name) => [
      { value: name, label: `${name}, highest first` },
      { value: `-${name}`, label: `${name}, lowest first` },
    ]),
    { value: FILE_ORDER, label: 'as in the file' },
  ];
}

export function toValueText(value: CompletionRow['values'][number] | undefined): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'number' ? formatMeasure(value) : value;
}

/** "51 to 100 of 120 rows". */
export function toRangeText(offset: number, shown: number, found: number, total: number): string {
  const of =
    found === total ? `${toCountText(total)} rows` : `${toCountText(found)} found in ${toCountText(total)} rows`;
  if (found === 0) return total === 0 ? 'no rows' : `none found in ${toCountText(total)} rows`;
  return shown === found ? of : `${toCountText(offset + 1)} to ${toCountText(offset + shown)} of ${of}`;
}
