// What a grid's answers add up to: counts of columns, rows that differ, failed or did not pass. Kept step by step: an answer
// costs as much in a grid of 10,000 rows as in one of ten. Answers to an earlier prompt count in none of it.
// It must not know how results look or who checks answers.
import type { CheckResult } from '../evaluation/checks';
import { toPassRate, type PassRate } from '../evaluation/passRate';
import { isEarlier, toAnswerKey, toWholeText, type CellVerdict, type GridBook, type GridCell } from './gridBook';

export type RowFilter = 'all' | 'differ' | 'not-passed' | 'not-checked' | 'failed';

export interface ColumnResult {
  readonly done: number;
  readonly failed: number;
  /** Over the answers that the checks could be applied to. */
  readonly rate: PassRate;
  /** Answers that they could not be applied to. */
  readonly unchecked: number;
  /** Mean milliseconds of an answer; null without answers. */
  readonly meanMs: number | null;
  /** Against the first column, on rows that were judged in both; null: there are none, or it is the first. */
  readonly pair: PairedCount | null;
}

export interface PairedCount {
  /** Rows judged in both. */
  readonly rows: number;
  /** Rows that the first column passes and this one does not. */
  readonly firstAlone: number;
  /** Rows that this column passes and the first does not. */
  readonly ownAlone: number;
}

const PAIR = { none: 0, alike: 1, firstAlone: 2, ownAlone: 3 } as const;

export interface GridTally {
  /** The cells at these places have changed: what was said of them before is forgotten. */
  update(places: readonly number[]): void;
  /** Takes the verdict of the answer that stands at `at`. */
  setVerdict(at: number, verdict: CheckResult): void;
  clearVerdicts(): void;
  verdictOf(at: number): CellVerdict;
  columnResult(column: number): ColumnResult;
  /** Rows of each filter. */
  rowCounts(): Readonly<Record<RowFilter, number>>;
  /** Rows (from 0) of a filter in which `query` occurs, in prompts, expectations or answers; blank: anywhere. */
  findRows(filter: RowFilter, query: string): readonly number[];
}

const FLAGS: Readonly<Record<Exclude<RowFilter, 'all'>, number>> = { differ: 1, 'not-passed': 2, failed: 4, 'not-checked': 8 };

function toPaired(sums: readonly number[]): PairedCount | null {
  const [alike = 0, firstAlone = 0, ownAlone = 0] = sums.slice(PAIR.alike);
  const judged = alike + firstAlone + ownAlone;
  return judged === 0 ? null : { rows: judged, firstAlone, ownAlone };
}

const isShort = (query: string): boolean => query.trim() === '';
const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

export function openGridTally(book: GridBook): GridTally {
  const { rows, columns } = book.setup;
  const width = columns.length;
  const seen: (GridCell | undefined)[] = Array.from({ length: book.cells.length });
  const verdicts: CellVerdict[] = Array.from({ length: book.cells.length }, () => null);
  const sums = columns.map(() => ({ done: 0, failed: 0, ms: 0, pass: 0, fail: 0, 'no-check': 0 }));
  const pairs = new Uint8Array(book.cells.length);
  const pairSums = columns.map(() => [0, 0, 0, 0]);
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
      const key = toAnswerKey(cell.answer);
      if (first !== null && first !== key) found |= FLAGS.differ;
      first ??= key;
    }
    return found;
  }

  function toPair(first: CellVerdict, own: CellVerdict): number {
    if (first === null || own === null || first.state === 'no-check' || own.state === 'no-check') return PAIR.none;
    if (first.state === own.state) return PAIR.alike;
    return first.state === 'pass' ? PAIR.firstAlone : PAIR.ownAlone;
  }

  function updatePairs(row: number): void {
    for (let column = 1; column < width; column += 1) {
      const at = row * width + column;
      const [before, sum] = [pairs[at] ?? 0, pairSums[column]];
      const after = toPair(verdicts[row * width] ?? null, verdicts[at] ?? null);
      if (!sum || before === after) continue;
      sum[before] = (sum[before] ?? 0) - 1;
      sum[after] = (sum[after] ?? 0) + 1;
      pairs[at] = after;
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

  const rowsOf = (places: readonly number[]): ReadonlySet<number> => new Set(places.map((at) => Math.floor(at / width)));

  function update(places: readonly number[]): void {
    for (const at of places) {
      const cell = book.cells[at];
      if (seen[at] === cell) continue;
      add(at, seen[at], -1);
      seen[at] = cell;
      verdicts[at] = null;
      add(at, cell, 1);
    }
    for (const row of rowsOf(places)) updateRow(row);
  }

  function holds(place: number, pattern: RegExp): boolean {
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
    columnResult(column) {
      const { done, failed, ms, pass, fail, 'no-check': unchecked } = sums[column] ?? { done: 0, failed: 0, ms: 0, pass: 0, fail: 0, 'no-check': 0 };
      return { done, failed, rate: toPassRate(pass, pass + fail), unchecked, meanMs: done === 0 ? null : ms / done, pair: toPaired(pairSums[column] ?? []) };
    },
    rowCounts: () => ({ all: rows.length, ...counts }),
    findRows(filter, query) {
      const pattern = isShort(query) ? null : new RegExp(escapeRegex(query.trim()), 'iu');
      const found: number[] = [];
      for (let place = 0; place < rows.length; place += 1) {
        if (filter !== 'all' && ((flags[place] ?? 0) & FLAGS[filter]) === 0) continue;
        if (pattern === null || holds(place, pattern)) found.push(place);
      }
      return found;
    },
  };
}
