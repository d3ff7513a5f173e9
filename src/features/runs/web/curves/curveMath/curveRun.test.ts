import { expect, it } from 'vitest';
import { toRunChoice, type CurveRun } from './curveRun.ts';

const run = (id: string, chosenPlace: number | null = null): CurveRun => ({
  id,
  label: id,
  isActive: false,
  chosenPlace,
});

it('draws the runs chosen in the table, unless all are asked for', () => {
  const all = [run('a'), run('b', 0), run('c')];
  expect(toRunChoice(all, null)).toMatchObject({ isChosen: true, runs: [{ id: 'b' }] });
  expect(toRunChoice(all, 'all').runs).toHaveLength(3);
  expect(toRunChoice([run('a')], 'chosen')).toMatchObject({ isChosen: false, runs: [{ id: 'a' }] });
});

it('says how many runs are too many', () => {
  const many = Array.from({ length: 250 }, (_, at) => run(String(at)));
  expect(toRunChoice(many, null)).toMatchObject({ left: 50 });
});
