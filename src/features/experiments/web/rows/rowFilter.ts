// Filters the rows by text and by brush. Pure.
import { toStateWord } from '#core/contract/statuses.ts';
import { toShortName } from '#core/contract/shortName.ts';
import { isMissing, matchesAxis, MISSING, type AxisBrush, type Brush, type PlotValue } from '#ui/plots/scales/brush.ts';
import { formatCount } from '#ui/kit/format.ts';
import { hasWord, toSearchWords, type SearchWord } from '#ui/kit/searchWords.ts';
import type { ExperimentColumn } from './column.ts';
import { NAME_COLUMN, SEARCHED_COLUMNS } from './columns.ts';
import type { ExperimentRow } from './experimentRows.ts';
import { naturalKey } from './naturalKey.ts';

interface Haystack {
  /** Names that people gave: words of one or two letters match anywhere in it. */
  readonly named: string;
  /** The label is the first line: short numbers match anywhere in it, in other lines only as whole words. */
  readonly text: string;
}

const NAMES = SEARCHED_COLUMNS.filter(({ id, search }) => search.as === 'name' && id !== NAME_COLUMN);
const IDS = SEARCHED_COLUMNS.filter(({ search }) => search.as === 'id');

const haystacks = new WeakMap<ExperimentRow, Haystack>();

function haystackOf(row: ExperimentRow): Haystack {
  const known = haystacks.get(row);
  if (known) return known;
  const label = row.label.replaceAll('\n', ' ');
  const named = [label, ...NAMES.map(({ read }) => read(row) ?? ''), toStateWord(row.status ?? '', row.status_cause)]
    .join('\n')
    .toLowerCase();
  const haystack = { named, text: [named, ...IDS.map(({ read }) => read(row) ?? '')].join('\n').toLowerCase() };
  haystacks.set(row, haystack);
  return haystack;
}

const NUMBER = /^\d+$/;

/** "experiment 1" must not match the 1 inside "Dataset 10"; a typed "lo" must match "lora". */
function isFound({ named, text }: Haystack, word: SearchWord): boolean {
  return hasWord(text, word) || (word.isShort && !NUMBER.test(word.text) && named.includes(word.text));
}

const LABELS = SEARCHED_COLUMNS.map(({ search }) => search.label);
/** Says which columns the text filter searches. */
export const SEARCHED = `${LABELS.slice(0, -1).join(', ')} and ${LABELS.at(-1)}`;

/** Why no row is shown: the text if it alone matches none (`found` is 0), else the selections on columns. */
export function toEmptyWords(total: number, found: number, brush: Brush, columns: readonly ExperimentColumn[]): string {
  const what = total === 1 ? 'The one run here is' : `All ${formatCount(total)} runs here are`;
  if (found === 0) return `${what} filtered out. The filter searches ${SEARCHED}. Every word must match.`;
  const names = columns.filter(({ id }) => brush.has(id)).map(({ label }) => label);
  const them =
    found === total
      ? what
      : `${formatCount(found)} ${found === 1 ? 'run matches the text but is' : 'runs match the text but are'}`;
  return `${them} outside the selection on ${names.join(' and ')} (in the plot or in a column’s filter).`;
}

/** Rows that contain every word of the text (of its first 31). */
export function filterByText(rows: readonly ExperimentRow[], text: string): readonly ExperimentRow[] {
  const words = toSearchWords([...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))]);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const haystack = haystackOf(row);
    return words.every((word) => isFound(haystack, word));
  });
}

/** The values of a row that a filter of the column looks at. */
function toValues({ parts, read }: ExperimentColumn, row: ExperimentRow): readonly PlotValue[] {
  const values = parts?.(row) ?? [];
  return values.length > 0 ? values : [read(row)];
}

/** Rows that match on every brushed column; a brush of no column is ignored. */
export function filterByBrush(
  rows: readonly ExperimentRow[],
  brush: Brush,
  columns: readonly ExperimentColumn[],
): readonly ExperimentRow[] {
  if (brush.size === 0) return rows;
  const tests = columns.flatMap((column): [ExperimentColumn, AxisBrush][] => {
    const chosen = brush.get(column.id);
    return chosen ? [[column, chosen]] : [];
  });
  return rows.filter((row) =>
    tests.every(([column, chosen]) => toValues(column, row).some((value) => matchesAxis(chosen, value))),
  );
}

export interface FacetValue {
  /** The empty text stands for "not given". */
  readonly value: string;
  readonly count: number;
  readonly isChosen: boolean;
}

/** The choices for a column: all values of the rows that match the other filters, and the chosen values in any case. */
export function toFacet(
  rows: readonly ExperimentRow[],
  column: ExperimentColumn,
  columns: readonly ExperimentColumn[],
  brush: Brush,
): readonly FacetValue[] {
  const others = new Map(brush);
  others.delete(column.id);
  const chosen = brush.get(column.id);
  const counts = new Map<string, number>();
  for (const row of filterByBrush(rows, others, columns)) {
    for (const value of toValues(column, row)) {
      const text = isMissing(value) ? MISSING : String(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const found = new Set([...counts.keys()].map(toShortName));
  for (const value of chosen?.kind === 'values' ? chosen.values : []) if (!found.has(value)) counts.set(value, 0);
  const toOrderKey = (value: string): string => (value === MISSING ? '\uFFFF' : naturalKey(value));
  return [...counts]
    .map(([value, count]) => ({
      value,
      count,
      isChosen: chosen?.kind === 'values' && matchesAxis(chosen, value === MISSING ? null : value),
    }))
    .toSorted((a, b) => (toOrderKey(a.value) < toOrderKey(b.value) ? -1 : 1));
}

/** Smallest and largest number of a column; null without any. */
export function toExtent(
  rows: readonly ExperimentRow[],
  column: ExperimentColumn,
): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Infinity, -Infinity];
  for (const row of rows) {
    const value = column.read(row);
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min > max ? null : { min, max };
}
