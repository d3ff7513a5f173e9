import { expect, it } from 'vitest';
import { toScores } from './scores.ts';
import type { VerdictTable } from './verdicts.ts';

/** One check; letters of the answers of each model, row by row. */
function scoresOf(letters: readonly [base: string, other: string], repeats: number) {
  const column = (model: number) => ({ letters: letters[model] ?? '', scoreAt: () => null });
  const table: VerdictTable = {
    column: (_, model) => column(model),
    overall: (model) => letters[model] ?? '',
    outcomesAt: () => [],
  };
  const run = { repeats, row_count: letters[0].length / repeats, baseline: 'a', checks_version: 1 };
  const models = [
    { model: 'a', place: 0 },
    { model: 'b', place: 1 },
  ];
  return toScores({ run, models, checks: [], counting: ['x'] }, table, {}).models[1]?.difference;
}

it('says how far a model is from the baseline on the rows that both were judged on', () => {
  // The baseline passed two of four, and of the two that both were judged on one.
  expect(scoresOf(['pfpf', 'pp  '], 1)).toMatchObject({ rows: 2, value: 50, improved: 1, regressed: 0 });
});

it('takes no single row, and no rows that all differ alike, for proof', () => {
  const one = scoresOf(['fff', 'ppp'], 3);
  expect(one).toMatchObject({ rows: 1, value: 100, p: null });
  expect(one?.low).toBeLessThan(0);
  const two = scoresOf(['ffffff', 'pppppp'], 3);
  expect(two?.low).toBeLessThan(two?.high ?? 0);
});
