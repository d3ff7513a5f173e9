import { expect, it } from 'vitest';
import { toDrawnRuns, toLossCurve } from './losses.ts';

const run = (n: number, hasLosses = true) => ({ n, losses: hasLosses ? [{ step: 0, loss: n }] : [] });
type Run = ReturnType<typeof run>;
const many = (count: number) => Array.from({ length: count }, (_, n) => run(n));
const choose = (all: readonly Run[], isInside: (run: Run) => boolean, isChosen?: (run: Run) => boolean) => {
  const { runs, note } = toDrawnRuns(all, {
    isInside,
    ...(isChosen && { isChosen }),
    outside: 'the filters',
    toOthers: 'select runs to see theirs',
  });
  return [runs.map(({ n }) => n).join(' '), note];
};
const all = (): boolean => true;

it('makes a curve of losses, with those that are not finite', () => {
  const points = [3, Number.NaN].map((loss, at) => ({ step: 5 * at, loss }));
  const curve = toLossCurve('a', points)!;
  expect([[...curve.steps], [...curve.values], curve.name]).toEqual([[0, 5], [3, Number.NaN], 'loss']);
  expect(toLossCurve('a', [])).toBeNull();
});

it('draws all runs that have losses, without a note', () => {
  expect(choose([run(0), run(1, false), run(2)], all)).toEqual(['0 2', null]);
  expect(choose(many(8), all)[1]).toBeNull();
});

it.each<[string, number, (run: Run) => boolean, string, string]>([
  ['too many', 9, all, '0 1 2 3 4 5 6 7', 'The first 8 of 9 runs with losses; select runs to see theirs.'],
  ['a few inside', 9, ({ n }) => n > 5, '6 7 8', '3 of 9 runs with losses; 6 outside the filters are not drawn.'],
  ['one outside', 2, ({ n }) => n < 1, '0', '1 of 2 runs with losses; 1 outside the filters is not drawn.'],
  ['none inside', 9, () => false, '', '0 of 9 runs with losses; 9 outside the filters are not drawn.'],
  [
    'too many inside, some outside',
    50,
    ({ n }) => n >= 38,
    '38 39 40 41 42 43 44 45',
    'The first 8 of 12 runs with losses inside the filters; 38 outside the filters are not drawn; select runs to see ' +
      'theirs.',
  ],
])('says which runs are drawn: %s', (_case, count, isInside, drawn, note) =>
  expect(choose(many(count), isInside)).toEqual([drawn, note]),
);

it('draws only chosen runs if some inside the filters have losses', () => {
  const isEven = ({ n }: Run): boolean => n % 2 === 0;
  const of =
    (...chosen: readonly number[]) =>
    ({ n }: Run): boolean =>
      chosen.includes(n);
  expect(choose(many(12), all, of(9))).toEqual(['9', 'The selected runs.']);
  expect(choose(many(12), all, all)[1]).toBe('The first 8 of 12 selected runs with losses.');
  expect(choose(many(12), isEven, of(4, 5))).toEqual([
    '4',
    '1 of 2 selected runs with losses; 1 outside the filters is not drawn.',
  ]);
  expect(choose(many(10), isEven, of(5))[0]).toBe('0 2 4 6 8');
  expect(choose([run(0, false), run(1)], all, of(0))).toEqual(['1', null]);
});

it('says why there is no curve', () => {
  const [drawn, note] = choose([run(0, false)], () => false);
  expect([drawn, note]).toEqual(['', expect.stringContaining('None of these has a loss curve')]);
});
