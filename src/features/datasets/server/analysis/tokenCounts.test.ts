import { expect, it } from 'vitest';
import { ViewFailure } from '#features/datasets/server/modelView/modelViews.ts';
import type { RowTokens } from '#features/datasets/server/modelView/renderRow.ts';
import type { AnalysedRow } from './analysisEntry.ts';
import { openTokenCounts } from './tokenCounts.ts';

const toRow = (position: number, text: string): AnalysedRow => ({ position, text, hash: '', side: null, tokens: null });
/** As many tokens as characters; the last half is trained. */
const toTokens = (text: string): RowTokens => ({
  tokens: text.length,
  otherTokens: 0,
  trained: Math.floor(text.length / 2),
  cut: Math.max(0, text.length - 8),
  trainedCut: text.length > 16 ? Math.floor(text.length / 2) : 0,
  problem: null,
  dropped: [],
});

function open(end: number, maxRows = 100, fails = false, before: Uint32Array | null = null) {
  const asked: number[] = [];
  const count = async (_: string, rows: readonly string[]) => {
    asked.push(rows.length);
    if (fails) throw new ViewFailure('There is no file of it.', 'no-file');
    return { context: 8, rows: rows.map(toTokens) };
  };
  return { asked, counts: openTokenCounts({ count }, 'base', { end, pages: Math.ceil(end / 4), before }, maxRows) };
}

it('counts rows, what the context cuts of them, and those of which nothing is trained', async () => {
  const { counts } = open(4);
  const rows = await counts.count(0, [toRow(0, 'abcd'), toRow(1, 'abcdefghij'), toRow(3, 'x'.repeat(20))]);
  expect(rows.map(({ tokens }) => tokens)).toEqual([4, 10, 20]);
  expect([0, 1, 2, 3, 9].map(counts.tokensOf)).toEqual([4, 10, null, 20, null]);
  expect(counts.context).toBe(8);
  expect(counts.toStatistics(null)).toMatchObject({
    model: 'base',
    context: 8,
    rows: 3,
    min: 4,
    max: 20,
    total: 34,
    trained: 17,
    cut_rows: 2,
    cut_tokens: 14,
    untrained_rows: 1,
    compared_rows: 0,
    error: null,
  });
  expect(counts.toStatistics(18)).toMatchObject({ context: 18, cut_rows: 1, cut_tokens: 2 });
});

it('counts both answers of a pair, each cut by itself', async () => {
  const problem = { kind: 'comparison', message: '' } as const;
  const count = async () => ({ context: 8, rows: [{ ...toTokens('x'.repeat(10)), otherTokens: 9, problem }] });
  const counts = openTokenCounts({ count }, 'base', { end: 1, pages: 1, before: null });
  await counts.count(0, [toRow(0, '{}')]);
  const known = { rows: 1, max: 10, total: 19, cut_rows: 1, cut_tokens: 3, untrained_rows: 0, compared_rows: 1 };
  expect(counts.toStatistics(null)).toMatchObject(known);
});

it('knows the tokens of an earlier count until it counts itself, and adds them to no figure', async () => {
  const before = open(3).counts;
  await before.count(0, [toRow(0, 'abc'), toRow(2, 'abcde')]);
  const { counts } = open(4, 100, false, before.toKnown());
  expect([0, 1, 2, 3].map(counts.tokensOf)).toEqual([3, null, 5, null]);
  await counts.count(0, [toRow(0, 'ab')]);
  expect([0, 1, 2, 3].map(counts.tokensOf)).toEqual([2, null, 5, null]);
  expect(counts.toStatistics(1)).toMatchObject({ rows: 1, total: 2, cut_rows: 1 });
});

it('of many rows some are counted, evenly spread', async () => {
  const { asked, counts } = open(40, 20);
  for (let page = 0; page < 10; page += 1) await counts.count(page, [toRow(page * 4, 'abc')]);
  expect([asked.length, counts.tokensOf(0), counts.tokensOf(4), counts.tokensOf(8)]).toEqual([5, 3, null, 3]);
});

it('rows are sent in batches; a row that is a book is not counted', async () => {
  const { asked, counts } = open(600, 600);
  const rows = Array.from({ length: 300 }, (_, at) => toRow(at, 'abc'));
  const long = [toRow(300, 'x'.repeat(700_000)), toRow(301, 'y'.repeat(700_000)), toRow(302, 'z'.repeat(1_100_000))];
  const counted = await counts.count(0, [...rows, ...long]);
  expect(asked).toEqual([256, 45, 1]);
  expect(counted.slice(299).map(({ tokens }) => tokens)).toEqual([3, 700_000, 700_000, null]);
});

it('a model that can not be read is said once, and rows go on without tokens', async () => {
  const { asked, counts } = open(8, 100, true);
  expect(await counts.count(0, [toRow(0, 'abc')])).toEqual([toRow(0, 'abc')]);
  await counts.count(1, [toRow(4, 'abc')]);
  expect([asked.length, counts.toStatistics(null).error, counts.context]).toEqual([1, 'There is no file of it.', null]);
});
