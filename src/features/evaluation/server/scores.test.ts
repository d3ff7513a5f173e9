import { expect, it } from 'vitest';
import { toScores } from './scores.ts';
import type { TagColumns } from './evaluationRows.ts';
import type { VerdictColumn, VerdictTable } from './verdictTable.ts';

type Given = readonly [base: string, other: string];

/** One check; letters of the answers of each model, row by row. */
function scoresOf(letters: Given, repeats: number, scores: VerdictColumn['scores'] = new Map(), tags: TagColumns = {}) {
  const column = (model: number) => ({ letters: letters[model] ?? '', scores: model === 1 ? scores : new Map() });
  const table: VerdictTable = {
    stamp: '',
    column: (_, model) => column(model),
    overall: (model) => letters[model] ?? '',
  };
  const run = { repeats, row_count: letters[0].length / repeats, baseline: 'a', checks_version: 1 };
  const models = [
    { model: 'a', place: 0 },
    { model: 'b', place: 1 },
  ];
  return toScores({ run, models, checks: [{ id: 'x', kind: 'exact' }], counting: ['x'] }, table, tags);
}
const differenceOf = (letters: Given, repeats: number) => scoresOf(letters, repeats).models[1]?.difference;

it('says how far a model is from the baseline on the rows that both were judged on', () => {
  // The baseline passed two of four, and of the two that both were judged on one.
  expect(differenceOf(['pfpf', 'pp  '], 1)).toMatchObject({ rows: 2, value: 50, improved: 1, regressed: 0 });
});

it('takes no single row, and no rows that all differ alike, for proof', () => {
  const one = differenceOf(['fff', 'ppp'], 3);
  expect(one).toMatchObject({ rows: 1, value: 100, p: 1, verdict: 'undecided' });
  const two = differenceOf(['ffffff', 'pppppp'], 3);
  expect(two?.low).toBeLessThan(two?.high ?? 0);
});

it('counts every row the same, and a row as worse where a smaller share of its answers passes', () => {
  const { models } = scoresOf(['ppppfffff', 'ppfp  fff'], 3);
  expect(models[1]?.rate).toMatchObject({ passed: 3, total: 7, rate: expect.closeTo((2 / 3 + 1 + 0) / 3, 12) });
  expect(models[1]?.difference).toMatchObject({ improved: 1, regressed: 1 });
});

it('corrects p values by tag for the number of tags, and the verdict with them', () => {
  const letters: Given = ['f'.repeat(14), 'p'.repeat(7) + 'f'.repeat(7)];
  const of = Array.from({ length: 14 }, (_, row) => Number(row >= 7));
  const [, own] = scoresOf(letters, 1, new Map(), { half: { values: ['first', 'second'], of } }).models;
  expect(own?.difference).toMatchObject({
    p: expect.closeTo(0.015625, 12),
    adjusted_p: expect.closeTo(0.015625, 12),
    verdict: 'better',
  });
  expect(own?.by_tag.map(({ difference }) => [difference?.adjusted_p, difference?.verdict])).toEqual([
    [expect.closeTo(0.03125, 12), 'better'],
    [1, 'undecided'],
  ]);
});

it('compares the scores of a check that judges by degrees', () => {
  const scores = new Map([0.5, 0.4, 0.6, 0.5].map((score, place) => [place, score]));
  expect(scoresOf(['ffff', 'ffff'], 1, scores).models[1]?.by_check[0]?.score).toMatchObject({
    mean: expect.closeTo(0.5, 12),
    difference: { rows: 4, value: expect.closeTo(0.5, 12), verdict: 'better' },
  });
});
