// An entry in the list of grids: facts about a grid without its rows and answers. Pure.
import { arrayOr, isObject, numberOr, textOr } from '#core/contract/readJson.ts';
import { toPassRate } from '#features/evaluation/shared/passRate.ts';
import { toScoreText } from '#features/evaluation/shared/scoreText.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { parseGridRecord } from '#features/evaluation/web/grid/gridRecords.ts';

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
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Where the rows come from; empty: unknown. */
  readonly source: string;
  /** Pass rate of each column; empty: nothing was checked. */
  readonly rates: readonly EntryRate[];
  /** False: the grid is damaged, or another version of the studio stored it. */
  readonly isReadable: boolean;
}

export interface EntryRate {
  readonly passed: number;
  readonly total: number;
  /** "greedy" or what else it was sampled with. */
  readonly sampling: string;
}

export const MAX_NAME = 200;

function parseRate(value: unknown): readonly EntryRate[] {
  if (!isObject(value)) return [];
  const { passed, total, sampling } = value;
  return [{ passed: numberOr(passed, 0), total: numberOr(total, 0), sampling: textOr(sampling, '') }];
}

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
    source: textOr(value['source'], ''),
    rates: arrayOr(value['rates']).flatMap(parseRate),
    isReadable: value['isReadable'] !== false,
  };
}

/** Builds the entry of a grid that has none yet. */
export function toEntry(key: string, record: unknown, answers: number): GridEntry {
  const stored = key.includes(ASIDE) ? null : parseGridRecord(record);
  const { rows = [], columns = [], source = '' } = stored?.setup ?? {};
  const savedAt = isObject(record) ? numberOr(record['savedAt'], 0) : 0;
  return {
    name: '',
    project: null,
    savedAt,
    rows: rows.length,
    answers,
    columns: columns.map(({ name, label }) => name ?? label),
    source,
    rates: [],
    isReadable: stored !== null,
  };
}

type Titled = Pick<GridEntry, 'name' | 'rows' | 'columns' | 'source' | 'isReadable'>;

/** The grid's name, else one made of its source and its rows: "Ticket triage · Snapshot 1 · 200 rows". */
export function toGridTitle({ name, rows, columns, source, isReadable }: Titled): string {
  if (name !== '') return name;
  if (!isReadable) return 'A grid that can’t be read';
  if (rows === 0) return 'Empty grid';
  const what = source === '' ? columns.join(', ') : source;
  return [...(what === '' ? [] : [what]), formatCounted(rows, 'row')].join(' · ');
}

/** "tuned: 98 % (95–99.2) of 200 checked answers passed, greedy": the pass rates of columns in one line each. */
export function toRateTexts({ columns, rates }: Pick<GridEntry, 'columns' | 'rates'>): readonly string[] {
  return rates.flatMap(({ passed, total, sampling }, at) => {
    const score = toScoreText(toPassRate(passed, total), 'checked answer');
    return score === null ? [] : [`${columns[at] ?? ''}: ${score} passed${sampling === '' ? '' : `, ${sampling}`}`];
  });
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
