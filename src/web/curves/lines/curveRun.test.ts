import { expect, it } from 'vitest';
import { toLossCurve, toRunChoice, type CurveRun } from './curveRun.ts';

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

it('makes a curve of the losses of a job, with those that are not finite', () => {
  const curve = toLossCurve('a', [
    { step: 0, loss: 3 },
    { step: 5, loss: Number.NaN },
  ])!;
  expect([[...curve.steps], [...curve.values], curve.name]).toEqual([[0, 5], [3, Number.NaN], 'loss']);
  expect(toLossCurve('a', [])).toBeNull();
});
