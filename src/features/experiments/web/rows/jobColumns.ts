// Columns that come with the answers of jobs: validation measures, and fields that `columns.ts` has no record for. Pure.
import { toShortName } from '#core/contract/shortName.ts';
import type { ExtraParameter } from '#features/experiments/shared/extraParameters.ts';
import { toFieldHint, toFieldLabel } from '#features/experiments/shared/fieldLabels.ts';
import {
  toBaseMeasureId,
  toBaseMeasureLabel,
  toHeldOutId,
  toHeldOutLabel,
} from '#features/experiments/shared/heldOut.ts';
import { toMainMeasure, toMeasure } from '#features/experiments/shared/measures.ts';
import { isNumberKind, type ColumnKind, type ColumnRecord } from './column.ts';
import { findMeasureFacts } from './datasetResults.ts';
import type { ExperimentRow } from './experimentRows.ts';

const toWidth = (length: number): number => Math.min(260, Math.max(108, 48 + 7 * length));

/** This many validation measures are shown by default, and have their axes beside the losses. */
const EARLY_MEASURES = 2;

/** A column for each validation measure that a row has, the main one first, and beside it that of the base model. */
export function toMeasureColumns(rows: readonly ExperimentRow[]): readonly ColumnRecord[] {
  const names = new Set<string>();
  for (const { held_out } of rows) {
    for (const name in held_out) if (Object.hasOwn(held_out, name)) names.add(name);
  }
  const { answer_shape, chosen } = findMeasureFacts(rows);
  const main = toMainMeasure([...names], answer_shape, chosen)?.name ?? null;
  const ordered = [...names].toSorted((a, b) => Number(b === main) - Number(a === main));
  return ordered.flatMap((name, place): readonly ColumnRecord[] => {
    const { counts, better, kind } = toMeasure(name);
    const shared = {
      kind: kind === 'share' ? 'share' : 'measure',
      better,
      width: toWidth(name.length),
      source: 'job',
      detail: 'validation',
    } as const;
    const hint = `${counts}; ${better} is better`;
    const column: ColumnRecord = {
      ...shared,
      id: toShortName(toHeldOutId(name)),
      label: toHeldOutLabel(name),
      hint,
      value: ({ held_out }) => (Object.hasOwn(held_out, name) ? (held_out[name] ?? null) : null),
      usual: place < EARLY_MEASURES ? 'differing' : 'no',
      // A plot with very many axes folds the last ones away: measures that not every run has.
      axis: place < EARLY_MEASURES ? 'middle' : 'last',
    };
    if (!rows.some(({ held_out_base }) => Object.hasOwn(held_out_base, name))) return [column];
    const base: ColumnRecord = {
      ...shared,
      id: toShortName(toBaseMeasureId(name)),
      label: toBaseMeasureLabel(name),
      hint: `${hint}. Of the base model, before the training`,
      value: ({ held_out_base }) => (Object.hasOwn(held_out_base, name) ? (held_out_base[name] ?? null) : null),
      usual: place === 0 ? 'differing' : 'no',
    };
    return [column, base];
  });
}

const MAX_CATEGORY = 60;

/** Numbers that are no amounts, and have no axis: a seed is a name, and a place in the queue is another one in a minute. */
const NAMES: ReadonlySet<string> = new Set(['seed', 'queue_position']);

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;

/** The kind that fits all values of a field; null if all of them are null. */
function toExtraKind(name: string, values: readonly ExtraParameter[]): ColumnKind | null {
  const given = values.filter(({ value }) => value !== null);
  if (given.length === 0) return null;
  if (NAMES.has(name)) return 'id';
  if (given.every(({ value }) => typeof value === 'number')) {
    if (given.some(({ kind }) => kind === 'rate')) return 'rate';
    return given.every(({ value }) => Number.isSafeInteger(value)) ? 'count' : 'measure';
  }
  if (given.every(({ value }) => DATE.test(String(value)))) return 'date';
  return given.every(({ value }) => String(value).length <= MAX_CATEGORY) ? 'category' : 'text';
}

function toExtraValue(extra: ExtraParameter | undefined, kind: ColumnKind): string | number | null {
  if (extra === undefined || extra.value === null) return null;
  return typeof extra.value === 'number' && isNumberKind(kind) ? extra.value : String(extra.value);
}

/**
 * A column for each further field of the jobs. The compare uses the same ids. `fixed`: the
 * columns that are always there, by their ids.
 */
export function toExtraColumns(
  rows: readonly ExperimentRow[],
  fixed: ReadonlyMap<string, ColumnRecord>,
): readonly ColumnRecord[] {
  const found = new Map<string, ExtraParameter[]>();
  for (const { extras } of rows) {
    for (const [name, extra] of extras) {
      const known = found.get(name);
      if (known) known.push(extra);
      else found.set(name, [extra]);
    }
  }
  return [...found].flatMap(([name, values]): readonly ColumnRecord[] => {
    const kind = toExtraKind(name, values);
    const namesake = fixed.get(name);
    // A column that reads a field of the job by its own name shows this one already.
    if (kind === null || (namesake?.source === 'job' && !namesake.value)) return [];
    return [
      {
        id: toShortName(namesake ? `+${name}` : name),
        label: toFieldLabel(name),
        hint: toFieldHint(name),
        kind,
        width: toWidth(name.length),
        source: 'job',
        value: ({ extras }) => toExtraValue(extras.get(name), kind),
        usual: 'no',
        ...(isNumberKind(kind) && { axis: 'middle' }),
        detail: 'other',
      },
    ];
  });
}
