import { describe, expect, it } from 'vitest';
import { openCheckSet } from '#features/evaluation/shared/checkSet.ts';
import { DEFAULT_CHECK } from '#features/evaluation/shared/checks.ts';
import type { PromptRow } from '#features/evaluation/shared/promptRow.ts';
import { openGridBook, toAnswerText, type CellAnswer, type GridBook, type GridCell } from './gridBook.ts';
import { toProgress } from './gridProgress.ts';
import { openGridTally, type GridTally } from './gridTally.ts';
import { ANY_FILTERS, type ColumnFilter } from './rowFilter.ts';

const answer = (text: string, ms = 10): CellAnswer => ({
  text,
  toolCalls: [],
  finish_reason: 'stop',
  completion_tokens: 1,
  ms,
});

function toBook(): GridBook {
  const row = (number: number, expected: string | null): PromptRow => ({
    number,
    messages: null,
    variables: new Map([['q', `=${number}`]]),
    expected,
  });
  const book = openGridBook({
    id: 'g',
    prompt: '{{q}}',
    rows: [row(1, 'a'), row(2, 'b'), row(3, null), row(4, 'd')],
    columns: [
      { id: 'x', label: 'same', request: { model: 'x', messages: [] } },
      { id: 'y', label: 'same', request: { model: 'y', messages: [] } },
    ],
  });
  const texts = ['a', 'a', 'b', 'c', 'x', 'x'];
  for (const [at, text] of texts.entries()) book.setCell(at, { state: 'done', answer: answer(text, (at + 1) * 10) });
  book.setCell(6, { state: 'failed', message: 'no model', text: 'half' });
  return book;
}

/** Sets verdicts as the scorer does. */
function check(book: GridBook, tally: GridTally): void {
  const checkOne = openCheckSet([DEFAULT_CHECK]);
  for (const [at, cell] of book.cells.entries()) {
    const verdict =
      cell.state === 'done'
        ? checkOne(toAnswerText(cell.answer), book.setup.rows[Math.floor(at / 2)]?.expected ?? null)
        : null;
    if (verdict) tally.setVerdict(at, verdict);
  }
}

function toChecked(): { readonly book: GridBook; readonly tally: GridTally } {
  const book = toBook();
  const tally = openGridTally(book);
  check(book, tally);
  return { book, tally };
}

describe('columns', () => {
  it('have pass rates over what could be checked', () => {
    const { tally } = toChecked();
    expect(tally.columnResult(0)).toMatchObject({
      done: 3,
      failed: 1,
      unchecked: 1,
      meanMs: 30,
      pair: null,
      rate: { passed: 2, total: 2, rate: 1 },
    });
    expect([tally.columnResult(0, 1).pair, tally.columnResult(1, 1).pair]).toEqual([
      { rows: 2, referenceAlone: 0, ownAlone: 1 },
      null,
    ]);
    expect(tally.columnResult(1)).toMatchObject({
      done: 3,
      failed: 0,
      unchecked: 1,
      meanMs: 40,
      pair: { rows: 2, referenceAlone: 1, ownAlone: 0 },
      rate: { passed: 1, total: 2 },
    });
  });

  it('know nothing without a check, nor once checks are gone', () => {
    const { tally } = toChecked();
    tally.clearVerdicts();
    expect(tally.columnResult(1).pair).toBeNull();
    expect(tally.columnResult(0).rate.total).toBe(0);
    expect(ANY_FILTERS.map((filter) => tally.countRows(filter))).toEqual([4, 1, 0, 0, 1]);
    expect(openGridTally(toBook()).columnResult(0).rate.total).toBe(0);
  });
});

it('answers to an earlier prompt count in nothing, and take no verdict', () => {
  const { book, tally } = toChecked();
  book.setCell(2, { state: 'done', answer: answer('b', 30), earlier: 'old' });
  tally.setVerdict(2, { state: 'pass' });
  expect(tally.columnResult(0)).toMatchObject({ done: 2, meanMs: 30, rate: { passed: 1, total: 1 } });
  expect([tally.verdictOf(2), tally.countRows('differ')]).toEqual([null, 0]);
});

it.each([
  ['{"b":2,"a":1}', '\n\n', 0],
  ['{"a":1,"b":3}', '', 1],
  ['{"a":1,"b":2}', 'So', 1],
])('calls with %s and the text %j differ from others in what they say alone: %i', (args, text, differing) => {
  const book = openGridBook(toBook().setup);
  const call = (given: string, before: string): GridCell => ({
    state: 'done',
    answer: { ...answer(before), toolCalls: [{ name: 'f', arguments: given }] },
  });
  book.setCells(
    new Map([
      [0, call('{"a":1,"b":2}', '')],
      [1, call(args, text)],
    ]),
  );
  expect(openGridTally(book).countRows('differ')).toBe(differing);
});

describe('rows', () => {
  const { tally } = toChecked();
  it.each([
    ['all', [0, 1, 2, 3]],
    ['differ', [1]],
    ['not-passed', [1]],
    ['not-checked', [2]],
    ['failed', [3]],
  ] as const)('%s', (filter, rows) => {
    expect(tally.findRows(filter, '')).toEqual(rows);
    expect(tally.countRows(filter)).toBe(rows.length);
  });
  it.each<[ColumnFilter, readonly number[]]>([
    [{ kind: 'not-passed-by', column: 0 }, []],
    [{ kind: 'not-passed-by', column: 1 }, [1]],
    [{ kind: 'differ', first: 0, second: 1 }, [1]],
    [{ kind: 'passed-alone', passed: 0, failed: 1 }, [1]],
    [{ kind: 'passed-alone', passed: 1, failed: 0 }, []],
  ])('%j', (filter, rows) => {
    expect(tally.findRows(filter, '')).toEqual(rows);
    expect(tally.countRows(filter)).toBe(rows.length);
  });
  it.each([
    ['=3', [2]],
    ['NO MODEL', [3]],
    ['X', [2]],
    ['.*', []],
  ] as const)('that hold %s', (query, rows) => expect(tally.findRows('all', query)).toEqual(rows));
});

it('looks through no prompt again for the same words, and sees answers that have changed', () => {
  let reads = 0;
  const { setup, cells } = toBook();
  const rows = setup.rows.map((row) => ({
    ...row,
    get variables() {
      reads += 1;
      return row.variables;
    },
  }));
  const book = openGridBook({ ...setup, rows }, new Map(cells.entries()));
  const tally = openGridTally(book);
  const countReads = (query: string) => {
    reads = 0;
    return [tally.findRows('all', query), reads] as const;
  };
  const [found, first] = countReads('b');
  expect([found, first]).toEqual([[1], 4]);
  expect(countReads(' b')).toEqual([[1], 0]);
  expect(tally.findRows('all', 'b')).toBe(found);
  book.setCell(0, { state: 'done', answer: answer('b') });
  expect(countReads('b')).toEqual([[0, 1], 0]);
  expect(countReads('c')[1]).toBe(4);
  expect(tally.findRows('all', '')).toBe(tally.findRows('all', ''));
});

describe('progress', () => {
  const counts = { waiting: 70, running: 4, done: 14, failed: 2, earlier: 10 };
  it('tells the time left from the pace of this run', () => {
    expect(toProgress({ counts, settledBefore: 6, elapsedMs: 1000 })).toEqual({
      settled: 16,
      total: 100,
      share: 0.16,
      remainingMs: 8400,
    });
  });
  it('tells the time left of a retry alone, not of what goes on waiting', () => {
    expect(toProgress({ counts, settledBefore: 11, elapsedMs: 1000, retries: 7 }).remainingMs).toBe(400);
  });
  it.each([
    [14, 1000],
    [6, null],
  ])('does not guess (%s settled before, %s ms)', (settledBefore, elapsedMs) =>
    expect(toProgress({ counts, settledBefore, elapsedMs }).remainingMs).toBeNull(),
  );
  it('is whole for nothing', () =>
    expect(
      toProgress({
        counts: { waiting: 0, running: 0, done: 0, failed: 0, earlier: 0 },
        settledBefore: 0,
        elapsedMs: null,
      }).share,
    ).toBe(1));
});
