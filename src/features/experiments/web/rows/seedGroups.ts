// Runs that differ by their seed alone: what tells settings apart, and how far such runs spread. Pure.
import { readChosen } from '#core/contract/trainingSettings.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toMeasureValue, type Measure } from '#features/experiments/shared/measures.ts';
import { toDifferingWords, toSettingWords, type RunSettings } from '#features/experiments/shared/settingWords.ts';
import { toSortKey, type ExperimentColumn } from './column.ts';
import { toDatasetResults } from './datasetResults.ts';
import type { ExperimentRow } from './experimentRows.ts';
import type { RowGroup } from './rowGroups.ts';
import { sortBy, sortRows } from './tableRows.ts';
import type { Sort } from './tableState.ts';

/** In the menu of groups and the address; no column has this name. */
export const SEED_GROUP = { id: 'seeds', label: 'settings, seeds together' } as const;

/** What a run writes down beside its settings. */
const NO_SETTINGS: ReadonlySet<string> = new Set(['seed', 'ended_at', 'queue_position']);

const toSeed = ({ chosen_settings, extra }: ExperimentRow): unknown =>
  chosen_settings?.['seed'] ?? extra['seed'] ?? null;

/** What was chosen before it began. A run that was not started here has all that it wrote down. */
const toOtherSettings = ({ chosen_settings, extra }: ExperimentRow): Readonly<Record<string, unknown>> =>
  chosen_settings ?? extra;

/** Equal for runs of one snapshot that differ by their seed alone, as far as the studio knows their settings. */
function toSettingsKey(row: ExperimentRow): string {
  const others = Object.entries(toOtherSettings(row)).filter(([name]) => !NO_SETTINGS.has(name));
  return JSON.stringify([
    row.snapshot_id ?? row.job_id,
    row.base_model_id,
    row.training_type,
    row.n_epochs,
    row.batch_size,
    row.learning_rate_multiplier,
    others.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function toRunSettings(row: ExperimentRow): RunSettings {
  const { seed: _seed, ...chosen } = readChosen(row.chosen_settings);
  return { ...row, chosen };
}

/** What tells groups apart: `LoRA, rate 5e-3`. All settings where nothing does. */
function toGroupValues(groups: readonly (readonly ExperimentRow[])[]): readonly string[] {
  const settings = groups.flatMap(([first]) => (first ? [toRunSettings(first)] : []));
  const differing = toDifferingWords(settings);
  return settings.map((each, at) => {
    const words = differing[at] ?? [];
    return (words.length > 0 ? words : toSettingWords(each)).join(', ');
  });
}

/** True if some runs differ by their seed alone. */
export const haveSeeds = (rows: readonly ExperimentRow[]): boolean =>
  [...toGroups(rows, toSettingsKey).values()].some((group) => new Set(group.map(toSeed)).size > 1);

const toMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Numbers as their mean: the line of a group stands for all its runs. */
function toGroupSortKey(column: ExperimentColumn, rows: readonly ExperimentRow[]): string | number | undefined {
  const keys = rows.flatMap((row) => toSortKey(column, row) ?? []);
  const numbers = keys.filter((key) => typeof key === 'number');
  return numbers.length > 0 && numbers.length === keys.length ? toMean(numbers) : keys[0];
}

/** A group for each choice of settings, in the order of the sorts. */
export function groupSeeds(
  rows: readonly ExperimentRow[],
  columns: readonly ExperimentColumn[],
  sorts: readonly Sort[],
): readonly RowGroup[] {
  const found = [...toGroups(rows, toSettingsKey)];
  const values = toGroupValues(found.map(([, members]) => members));
  const groups = found.map(([key, members], at): RowGroup => ({
    key: `${SEED_GROUP.id}:${key}`,
    id: null,
    value: values[at] ?? null,
    rows: sortRows(members, columns, sorts),
  }));
  return sortBy(groups, columns, sorts, (column, group) => toGroupSortKey(column, group.rows));
}

export interface Spread {
  readonly measure: Measure;
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

/** Of the main measure of runs that were measured on the same rows; null: fewer than two were. */
export function toSpread(rows: readonly ExperimentRow[]): Spread | null {
  const [result, ...others] = toDatasetResults(rows);
  const measure = others.length === 0 ? result?.main : null;
  if (!measure || new Set(rows.map(({ snapshot_id }) => snapshot_id)).size > 1) return null;
  const values = rows.flatMap(({ status, held_out }) => (isSucceeded(status) ? (held_out[measure.name] ?? []) : []));
  const count = values.length;
  if (count < 2) return null;
  return { measure, count, mean: toMean(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The best run's line on its seeds: `3 seeds: 90.5 to 94 %, mean 92.3 %`. null: it has no others. */
export function toSeedsText(best: ExperimentRow, runs: readonly ExperimentRow[]): string | null {
  const key = toSettingsKey(best);
  const same = runs.filter((row) => toSettingsKey(row) === key);
  const spread = toSpread(same);
  const seeds = new Set(same.filter(({ held_out }) => Object.keys(held_out).length > 0).map(toSeed)).size;
  return spread && seeds > 1 ? `${seeds} seeds: ${toSpreadText(spread)}` : null;
}

/** `mean 92.3 %, 90.5 % to 94 %`. */
export function toSpreadText({ measure, mean, min, max }: Spread): string {
  const write = (value: number) => toMeasureValue(measure, value);
  return min === max ? `each ${write(min)}` : `mean ${write(mean)}, ${write(min)} to ${write(max)}`;
}
