// One page of a table of completions: found, sorted, cut. Pure.
import {
  COMPLETION_ROWS,
  MAX_COMPLETION_TEXT,
  type CompletionList,
  type CompletionQuestion,
  type CompletionRow,
} from '#features/runs/shared/completions.ts';
import { toCurveValue } from '#features/runs/server/runDetail.ts';
import type { CompletionTable } from './parquetTable.ts';

export type CompletionPage = Omit<CompletionList, 'step' | 'file'>;

/** Reads a page of rows. The bytes are taken over. Throws Unreadable. */
export type ReadCompletions = (
  bytes: Uint8Array,
  file: string,
  question: CompletionQuestion,
) => Promise<CompletionPage>;

/** A list of messages as JSON; null: the cell is empty. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  const plain = (_key: string, inner: unknown): unknown => (typeof inner === 'bigint' ? String(inner) : inner);
  return JSON.stringify(value, plain, 2) ?? null;
}

const toNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value as number | bigint | boolean);

/** Does not cut a character in two. */
function cut(text: string | null): string | null {
  if (text === null || text.length <= MAX_COMPLETION_TEXT) return text;
  const end = text.codePointAt(MAX_COMPLETION_TEXT - 1) ?? 0;
  return text.slice(0, end > 0xff_ff ? MAX_COMPLETION_TEXT - 1 : MAX_COMPLETION_TEXT);
}

/** Rows in the order of a column; those without a number come last. Equal ones stay as in the file. */
function sortRows(places: readonly number[], { measures }: CompletionTable, sort: string | null): readonly number[] {
  if (sort === null) return places;
  const isLowestFirst = sort.startsWith('-') && !measures.some(({ name }) => name === sort);
  const column = measures.find(({ name }) => name === (isLowestFirst ? sort.slice(1) : sort))?.values;
  if (column === undefined) return places;
  const valueOf = (place: number): number => {
    const value = toNumber(column[place]);
    return value === null || Number.isNaN(value) ? Number.NaN : value;
  };
  return places.toSorted((a, b) => {
    const [one, two] = [valueOf(a), valueOf(b)];
    if (Number.isNaN(one) || Number.isNaN(two)) return Number(Number.isNaN(one)) - Number(Number.isNaN(two));
    if (one === two) return a - b;
    return (one < two ? -1 : 1) * (isLowestFirst ? 1 : -1);
  });
}

export function toCompletionPage(table: CompletionTable, { search, offset, sort }: CompletionQuestion): CompletionPage {
  const { prompts, completions, measures, rows, leftOut } = table;
  const find = search.trim().toLowerCase();
  const holds = (column: CompletionTable['prompts'], place: number): boolean =>
    toText(column?.[place])?.toLowerCase().includes(find) === true;
  const all = Array.from({ length: rows }, (_, place) => place);
  const found = find === '' ? all : all.filter((place) => holds(prompts, place) || holds(completions, place));
  const shown = sortRows(found, table, sort).slice(offset, offset + COMPLETION_ROWS);
  return {
    measures: measures.map(({ name }) => name),
    left_out: [...leftOut],
    total: rows,
    found: found.length,
    offset,
    rows: shown.map((row): CompletionRow => {
      const texts = [toText(prompts?.[row]), toText(completions?.[row])];
      const [prompt = null, completion = null] = texts.map(cut);
      return {
        row,
        prompt,
        completion,
        is_cut: texts.some((text) => (text?.length ?? 0) > MAX_COMPLETION_TEXT),
        values: measures.map(({ values }) => {
          const value = toNumber(values[row]);
          return value === null ? null : toCurveValue(value);
        }),
      };
    }),
  };
}
