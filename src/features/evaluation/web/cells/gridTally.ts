// Totals of a grid: results per column, and rows that differ, failed or did not pass. Updates are incremental: an
// answer costs the same in 10,000 rows as in ten. Answers to an earlier prompt don't count.
import type { CheckResult } from '#features/evaluation/shared/checks.ts';
import { toPassRate, type PassRate } from '#features/evaluation/shared/passRate.ts';
import { isEarlier, toAnswerKey, toWholeText, type CellVerdict, type GridBook, type GridCell } from './gridBook.ts';
import { toFilterKey, type AnyFilter, type ColumnFilter, type RowFilter } from './rowFilter.ts';

export interface ColumnResult {
  readonly done: number;
  readonly failed: number;
  /** Over the answers that could be checked. */
  readonly rate: PassRate;
  /** Number of answers that could not be checked. */
  readonly unchecked: number;
  /** Mean milliseconds of an answer; null without answers. */
  readonly meanMs: number | null;
  /** Comparison with the reference column, on rows judged in both; null: no such rows, or this is that column. */
  readonly pair: PairedCount | null;
}

export interface PairedCount {
  /** Rows judged in both. */
  readonly rows: number;
  /** Rows that only the reference column passes. */
  readonly referenceAlone: number;
  /** Rows that only this column passes. */
  readonly ownAlone: number;
}

/** How two columns compare in one row. */
const PAIR = { none: 0, alike: 1, earlierAlone: 2, laterAlone: 3 } as const;

export interface GridTally {
  /** Reads the cells at these places again and drops their verdicts. */
  update(places: readonly number[]): void;
  /** Sets the verdict of the answer at `at`. */
  setVerdict(at: number, verdict: CheckResult): void;
  clearVerdicts(): void;
  verdictOf(at: number): CellVerdict;
  /** `reference`: index of the reference column. */
  columnResult(column: number, reference?: number): ColumnResult;
  /** Number of rows per filter of any column. */
  rowCounts(): Readonly<Record<AnyFilter, number>>;
  /** Number of rows of a filter of columns. */
  countRows(filter: ColumnFilter): number;
  /**
   * Rows (from 0) of a filter whose prompt, expected answer or answers contain `query`; blank: all rows of the filter.
   */
  findRows(filter: RowFilter, query: string): readonly number[];
}

const FLAGS: Readonly<Record<Exclude<AnyFilter, 'all'>, number>> = {
  differ: 1,
  'not-passed': 2,
  failed: 4,
  'not-checked': 8,
};

/** `isReferenceEarlier`: the reference column comes before the other one. */
function toPaired(sums: readonly number[], isReferenceEarlier: boolean): PairedCount | null {
  const [alike = 0, earlier = 0, later = 0] = sums.slice(PAIR.alike);
  const rows = alike + earlier + later;
  const [referenceAlone, ownAlone] = isReferenceEarlier ? [earlier, later] : [later, earlier];
  return rows === 0 ? null : { rows, referenceAlone, ownAlone };
}

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function openGridTally(book: GridBook): GridTally {
  const { rows, columns } = book.setup;
  const width = columns.length;
  const seen: (GridCell | undefined)[] = Array.from({ length: book.cells.length });
  const verdicts: CellVerdict[] = Array.from({ length: book.cells.length }, () => null);
  const sums = columns.map(() => ({ done: 0, failed: 0, ms: 0, pass: 0, fail: 0, 'no-check': 0 }));
  /** By row, earlier column and later column, so that any two columns can be compared. */
  const pairs = new Uint8Array(book.cells.length * width);
  const pairSums = Array.from({ length: width * width }, () => [0, 0, 0, 0]);
  /** What each current answer says, for comparisons; null: no such answer. */
  const keys: (string | null)[] = Array.from({ length: book.cells.length }, () => null);
  /** Whether the answers of two columns differ, by row, earlier column and later column; and the number of such rows. */
  const differs = new Uint8Array(book.cells.length * width);
  const differSums = Array.from({ length: width * width }, () => 0);
  const flags = new Uint8Array(rows.length);
  const counts = { differ: 0, 'not-passed': 0, 'not-checked': 0, failed: 0 };

  function add(at: number, cell: GridCell | undefined, sign: 1 | -1): void {
    const sum = sums[at % width];
    if (!sum || !cell || isEarlier(cell)) return;
    if (cell.state === 'failed') sum.failed += sign;
    if (cell.state !== 'done') return;
    sum.done += sign;
    sum.ms += sign * cell.answer.ms;
    const verdict = verdicts[at] ?? null;
    if (verdict !== null) sum[verdict.state] += sign;
  }

  function toFlags(row: number): number {
    let found = 0;
    let first: string | null = null;
    for (let at = row * width; at < (row + 1) * width; at += 1) {
      const cell = book.cells[at];
      if (!cell || isEarlier(cell)) continue;
      if (cell.state === 'failed') found |= FLAGS.failed;
      if (cell.state !== 'done') continue;
      const verdict = verdicts[at]?.state;
      if (verdict === 'fail') found |= FLAGS['not-passed'];
      if (verdict === 'no-check') found |= FLAGS['not-checked'];
      const key = keys[at] ?? null;
      if (first !== null && first !== key) found |= FLAGS.differ;
      first ??= key;
    }
    return found;
  }

  function toPair(first: CellVerdict, own: CellVerdict): number {
    if (first === null || own === null || first.state === 'no-check' || own.state === 'no-check') return PAIR.none;
    if (first.state === own.state) return PAIR.alike;
    return first.state === 'pass' ? PAIR.earlierAlone : PAIR.laterAlone;
  }

  function updateDiffers(row: number, earlier: number, later: number): void {
    const place = earlier * width + later;
    const at = row * width * width + place;
    const [one, other] = [keys[row * width + earlier] ?? null, keys[row * width + later] ?? null];
    const after = Number(one !== null && other !== null && one !== other);
    differSums[place] = (differSums[place] ?? 0) + after - (differs[at] ?? 0);
    differs[at] = after;
  }

  function updatePair(row: number, earlier: number, later: number): void {
    const place = earlier * width + later;
    const at = row * width * width + place;
    const [before, sum] = [pairs[at] ?? 0, pairSums[place]];
    const after = toPair(verdicts[row * width + earlier] ?? null, verdicts[row * width + later] ?? null);
    if (!sum || before === after) return;
    sum[before] = (sum[before] ?? 0) - 1;
    sum[after] = (sum[after] ?? 0) + 1;
    pairs[at] = after;
  }

  function updatePairs(row: number): void {
    for (let later = 1; later < width; later += 1)
      for (let earlier = 0; earlier < later; earlier += 1) {
        updatePair(row, earlier, later);
        updateDiffers(row, earlier, later);
      }
  }

  function updateRow(row: number): void {
    updatePairs(row);
    const before = flags[row] ?? 0;
    const after = toFlags(row);
    flags[row] = after;
    for (const name of ['differ', 'not-passed', 'not-checked', 'failed'] as const) {
      counts[name] += Number((after & FLAGS[name]) !== 0) - Number((before & FLAGS[name]) !== 0);
    }
  }

  function setVerdict(at: number, verdict: CellVerdict): void {
    add(at, seen[at], -1);
    verdicts[at] = verdict;
    add(at, seen[at], 1);
  }

  const rowsOf = (places: readonly number[]): ReadonlySet<number> =>
    new Set(places.map((at) => Math.floor(at / width)));

  function update(places: readonly number[]): void {
    for (const at of places) {
      const cell = book.cells[at];
      if (seen[at] === cell) continue;
      add(at, seen[at], -1);
      seen[at] = cell;
      verdicts[at] = null;
      keys[at] = cell?.state === 'done' && !isEarlier(cell) ? toAnswerKey(cell.answer) : null;
      add(at, cell, 1);
    }
    for (const row of rowsOf(places)) {
      updateRow(row);
      searched?.found.delete(row);
    }
  }

  function rowMatches(place: number, pattern: RegExp): boolean {
    const row = rows[place];
    if (!row) return false;
    if (row.messages?.some(({ content }) => pattern.test(content)) === true) return true;
    for (const value of row.variables.values()) if (pattern.test(value)) return true;
    if (row.expected !== null && pattern.test(row.expected)) return true;
    for (let at = place * width; at < (place + 1) * width; at += 1) {
      const cell = book.cells[at];
      if (cell?.state === 'done' && pattern.test(toWholeText(cell.answer))) return true;
      if (cell?.state === 'failed' && (pattern.test(cell.message) || pattern.test(cell.text))) return true;
    }
    return false;
  }

  /** The last query with the rows searched so far. A changed row is searched again. */
  let searched: { readonly query: string; readonly pattern: RegExp; readonly found: Map<number, boolean> } | null =
    null;
  let last: { readonly filter: string; readonly rows: readonly number[] } | null = null;

  function toSearch(query: string): typeof searched {
    if (query === '') return null;
    return searched?.query === query
      ? searched
      : { query, pattern: new RegExp(escapeRegex(query), 'iu'), found: new Map() };
  }

  function isFound(place: number): boolean {
    if (searched === null) return true;
    const known = searched.found.get(place);
    if (known !== undefined) return known;
    const isMatch = rowMatches(place, searched.pattern);
    searched.found.set(place, isMatch);
    return isMatch;
  }

  const pairPlace = (one: number, other: number): number => Math.min(one, other) * width + Math.max(one, other);
  /** The code of a row that `passed` alone passes. */
  const aloneCode = ({ passed, failed }: { readonly passed: number; readonly failed: number }): number =>
    passed < failed ? PAIR.earlierAlone : PAIR.laterAlone;

  function fits(place: number, filter: RowFilter): boolean {
    if (filter === 'all') return true;
    if (typeof filter === 'string') return ((flags[place] ?? 0) & FLAGS[filter]) !== 0;
    if (filter.kind === 'not-passed-by') return verdicts[place * width + filter.column]?.state === 'fail';
    const start = place * width * width;
    if (filter.kind === 'differ') return differs[start + pairPlace(filter.first, filter.second)] === 1;
    return pairs[start + pairPlace(filter.passed, filter.failed)] === aloneCode(filter);
  }

  update(book.cells.flatMap((cell, at) => (cell.state === 'waiting' ? [] : [at])));

  return {
    update,
    setVerdict(at, verdict) {
      const cell = seen[at];
      if (cell?.state !== 'done' || isEarlier(cell)) return;
      setVerdict(at, verdict);
      updateRow(Math.floor(at / width));
    },
    clearVerdicts() {
      for (const [at, verdict] of verdicts.entries()) if (verdict !== null) setVerdict(at, null);
      for (const row of rows.keys()) {
        if ((flags[row] ?? 0) === 0) updatePairs(row);
        else updateRow(row);
      }
    },
    verdictOf: (at) => verdicts[at] ?? null,
    columnResult(column, reference = 0) {
      const {
        done,
        failed,
        ms,
        pass,
        fail,
        'no-check': unchecked,
      } = sums[column] ?? { done: 0, failed: 0, ms: 0, pass: 0, fail: 0, 'no-check': 0 };
      const pairSum = pairSums[pairPlace(column, reference)] ?? [];
      return {
        done,
        failed,
        rate: toPassRate(pass, pass + fail),
        unchecked,
        meanMs: done === 0 ? null : ms / done,
        pair: toPaired(pairSum, reference < column),
      };
    },
    rowCounts: () => ({ all: rows.length, ...counts }),
    countRows(filter) {
      if (filter.kind === 'not-passed-by') return sums[filter.column]?.fail ?? 0;
      if (filter.kind === 'differ') return differSums[pairPlace(filter.first, filter.second)] ?? 0;
      return pairSums[pairPlace(filter.passed, filter.failed)]?.[aloneCode(filter)] ?? 0;
    },
    findRows(filter, query) {
      const key = toFilterKey(filter, columns);
      searched = toSearch(query.trim());
      const found: number[] = [];
      for (let place = 0; place < rows.length; place += 1) {
        if (fits(place, filter) && isFound(place)) found.push(place);
      }
      // Returns the same list for the same rows, so that components don't render again.
      if (last?.filter !== key || last.rows.length !== found.length || last.rows.some((row, at) => row !== found[at]))
        last = { filter: key, rows: found };
      return last.rows;
    },
  };
}
