// Totals of a grid: results per column, and rows that differ, failed or did not pass. They are counted anew each time:
// a few milliseconds in 80,000 cells. Answers to an earlier prompt don't count.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { toPassRate, type PassRate } from '#features/evaluation/shared/passRate.ts';
import {
  isEarlier,
  isSettled,
  toAnswerKey,
  toWholeText,
  type CellVerdict,
  type GridBook,
  type GridCell,
  type SettledCell,
} from './gridBook.ts';
import { toFilterKey, type RowFilter } from './rowFilter.ts';

export interface ColumnResult {
  readonly done: number;
  readonly failed: number;
  /** Rows without an answer to the prompt as it is now. */
  readonly unasked: number;
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

export interface GridTally {
  /** Sets the verdict of the answer at `at`. It goes when the answer does. */
  setVerdict(at: number, verdict: CheckResult): void;
  clearVerdicts(): void;
  verdictOf(at: number): CellVerdict;
  /** `reference`: index of the reference column. */
  columnResult(column: number, reference?: number): ColumnResult;
  countRows(filter: RowFilter): number;
  /**
   * Rows (from 0) of a filter whose prompt, expected answer or answers contain `query`; blank: all rows of the filter.
   */
  findRows(filter: RowFilter, query: string): readonly number[];
}

/** What is known of each place, as long as the place holds the same cell. */
interface CellNotes<Value> {
  get(at: number): Value | undefined;
  set(at: number, value: Value): Value;
}

function openNotes<Value>({ cells }: GridBook): CellNotes<Value> {
  const notes: { readonly cell: GridCell | undefined; readonly value: Value }[] = [];
  return {
    get: (at) => (notes[at]?.cell === cells[at] ? notes[at]?.value : undefined),
    set(at, value) {
      notes[at] = { cell: cells[at], value };
      return value;
    },
  };
}

const toCurrent = (cell: GridCell | undefined): SettledCell | null =>
  cell && isSettled(cell) && !isEarlier(cell) ? cell : null;

/** Whether a row's answers in some columns differ. */
function openDifferences(book: GridBook): (row: number, columns: readonly number[]) => boolean {
  const width = book.setup.columns.length;
  /** What answers say. */
  const keys = openNotes<string>(book);
  const keyAt = (at: number): string | null => {
    const cell = toCurrent(book.cells[at]);
    return cell?.state === 'done' ? (keys.get(at) ?? keys.set(at, toAnswerKey(cell.answer))) : null;
  };
  return (row, columns) => {
    let first: string | null = null;
    for (const column of columns) {
      const key = keyAt(row * width + column);
      if (first !== null && key !== null && key !== first) return true;
      first ??= key;
    }
    return false;
  };
}

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a row contains `query`. Nothing is searched again but answers that have changed. */
function openRowSearch(book: GridBook, query: string): (row: number) => boolean {
  if (query === '') return () => true;
  const { rows, columns } = book.setup;
  const pattern = new RegExp(escapeRegex(query), 'iu');
  const prompts = new Map<number, boolean>();
  const cells = openNotes<boolean>(book);

  function promptMatches({ messages, variables, expected }: PromptRow): boolean {
    const texts = [...(messages ?? []).map(({ content }) => content), ...variables.values(), expected ?? ''];
    return texts.some((text) => pattern.test(text));
  }

  function cellMatches(cell: GridCell | undefined): boolean {
    if (cell?.state === 'done') return pattern.test(toWholeText(cell.answer));
    return cell?.state === 'failed' && (pattern.test(cell.message) || pattern.test(cell.text));
  }

  return (place) => {
    const row = rows[place];
    if (!row) return false;
    if (!prompts.has(place)) prompts.set(place, promptMatches(row));
    return (
      prompts.get(place) === true ||
      columns.some((_, column) => {
        const at = place * columns.length + column;
        return cells.get(at) ?? cells.set(at, cellMatches(book.cells[at]));
      })
    );
  };
}

export function openGridTally(book: GridBook): GridTally {
  const { rows, columns } = book.setup;
  const width = columns.length;
  const everyColumn = [...columns.keys()];
  let verdicts = openNotes<CheckResult>(book);
  const differ = openDifferences(book);
  let search = { query: '', isFound: openRowSearch(book, '') };
  let last: { readonly filter: string; readonly rows: readonly number[] } | null = null;

  const cellAt = (row: number, column: number): SettledCell | null => toCurrent(book.cells[row * width + column]);
  const stateAt = (row: number, column: number): CheckResult['state'] | undefined =>
    verdicts.get(row * width + column)?.state;

  function fits(row: number, filter: RowFilter): boolean {
    if (filter === 'all') return true;
    if (filter === 'differ') return differ(row, everyColumn);
    if (filter === 'failed') return everyColumn.some((column) => cellAt(row, column)?.state === 'failed');
    if (filter === 'not-passed') return everyColumn.some((column) => stateAt(row, column) === 'fail');
    if (filter === 'not-checked') return everyColumn.some((column) => stateAt(row, column) === 'no-check');
    if (filter.kind === 'not-passed-by') return stateAt(row, filter.column) === 'fail';
    if (filter.kind === 'differ') return differ(row, [filter.first, filter.second]);
    return stateAt(row, filter.passed) === 'pass' && stateAt(row, filter.failed) === 'fail';
  }

  function countRows(filter: RowFilter): number {
    let count = 0;
    for (let row = 0; row < rows.length; row += 1) count += Number(fits(row, filter));
    return count;
  }

  function pairedCount(column: number, reference: number): PairedCount | null {
    const isJudged = (row: number, at: number): boolean => (stateAt(row, at) ?? 'no-check') !== 'no-check';
    let judged = 0;
    for (let row = 0; row < rows.length; row += 1) judged += Number(isJudged(row, column) && isJudged(row, reference));
    return column === reference || judged === 0
      ? null
      : {
          rows: judged,
          referenceAlone: countRows({ kind: 'passed-alone', passed: reference, failed: column }),
          ownAlone: countRows({ kind: 'passed-alone', passed: column, failed: reference }),
        };
  }

  return {
    setVerdict(at, verdict) {
      if (toCurrent(book.cells[at])?.state === 'done') verdicts.set(at, verdict);
    },
    clearVerdicts() {
      verdicts = openNotes(book);
    },
    verdictOf: (at) => verdicts.get(at) ?? null,
    columnResult(column, reference = 0) {
      const sum = { done: 0, failed: 0, ms: 0, pass: 0, fail: 0, 'no-check': 0 };
      for (let row = 0; row < rows.length; row += 1) {
        const cell = cellAt(row, column);
        if (cell === null) continue;
        sum[cell.state] += 1;
        if (cell.state === 'done') sum.ms += cell.answer.ms;
        const state = stateAt(row, column);
        if (state) sum[state] += 1;
      }
      return {
        done: sum.done,
        failed: sum.failed,
        unasked: rows.length - sum.done - sum.failed,
        rate: toPassRate(sum.pass, sum.pass + sum.fail),
        unchecked: sum['no-check'],
        meanMs: sum.done === 0 ? null : sum.ms / sum.done,
        pair: pairedCount(column, reference),
      };
    },
    countRows,
    findRows(filter, typed) {
      const query = typed.trim();
      if (search.query !== query) search = { query, isFound: openRowSearch(book, query) };
      const key = toFilterKey(filter, columns);
      const found = [...rows.keys()].filter((row) => fits(row, filter) && search.isFound(row));
      // Returns the same list for the same rows, so that components don't render again.
      if (last?.filter !== key || last.rows.length !== found.length || last.rows.some((row, at) => row !== found[at]))
        last = { filter: key, rows: found };
      return last.rows;
    },
  };
}
