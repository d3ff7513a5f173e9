// An entry in the list of grids: facts about a grid without its rows and answers. Pure.
import { arrayOr, isObject, numberOr, textOr } from '#shared/contract/reading.ts';
import { formatCounted } from '#web/ui/format.ts';
import { parseGridRecord } from '#web/grid/cells/gridRecords.ts';

/** Part of the keys of grids that were set aside. */
export const ASIDE = '.aside.';

export interface GridEntry {
  /** The name that a person chose; empty: the title counts the rows instead. */
  readonly name: string;
  /** null: the grid is older than the link between grids and projects. */
  readonly project: string | null;
  /** Unix milliseconds. */
  readonly savedAt: number;
  readonly rows: number;
  readonly answers: number;
  /** Labels of the columns. */
  readonly columns: readonly string[];
  /** False: the grid is damaged, or another version of the studio stored it. */
  readonly isReadable: boolean;
}

export const MAX_NAME = 200;

/** Parses a stored entry. Damaged fields get default values. */
export function parseEntry(value: unknown): GridEntry | null {
  if (!isObject(value)) return null;
  return {
    name: textOr(value['name'], '').slice(0, MAX_NAME),
    project: textOr(value['project'], null),
    savedAt: numberOr(value['savedAt'], 0),
    rows: numberOr(value['rows'], 0),
    answers: numberOr(value['answers'], 0),
    columns: arrayOr(value['columns']).filter((label) => typeof label === 'string'),
    isReadable: value['isReadable'] !== false,
  };
}

/** Builds the entry of a grid that has none yet. */
export function toEntry(key: string, record: unknown, answers: number): GridEntry {
  const stored = key.includes(ASIDE) ? null : parseGridRecord(record);
  const { rows = [], columns = [] } = stored?.setup ?? {};
  const savedAt = isObject(record) ? numberOr(record['savedAt'], 0) : 0;
  return {
    name: '',
    project: null,
    savedAt,
    rows: rows.length,
    answers,
    columns: columns.map(({ name, label }) => name ?? label),
    isReadable: stored !== null,
  };
}

/** The grid's title in the list. */
export function toGridTitle({ name, rows, isReadable }: Pick<GridEntry, 'name' | 'rows' | 'isReadable'>): string {
  if (name !== '') return name;
  if (!isReadable) return 'A grid that can’t be read';
  return rows === 0 ? 'Empty grid' : `Grid of ${formatCounted(rows, 'row')}`;
}

/**
 * Keys of the grids that a tab may open: the project's own first, then the newest. Other projects' grids are left out.
 */
export function toCandidates(entries: ReadonlyMap<string, GridEntry>, project: string | null): readonly string[] {
  const fitting = [...entries].filter(
    ([, entry]) => entry.isReadable && (project === null || entry.project === null || entry.project === project),
  );
  const isOwn = (entry: GridEntry): number => Number(entry.project !== null && entry.project === project);
  return fitting.toSorted(([, a], [, b]) => isOwn(b) - isOwn(a) || b.savedAt - a.savedAt).map(([key]) => key);
}
