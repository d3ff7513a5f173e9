import { expect, it } from 'vitest';
import { toCurves } from './curvesReader.ts';
import { curveListSchema, type CurveList } from './runs.ts';

const RUN = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

it('curves are typed arrays, with numbers that JSON can’t express and points without a time', () => {
  const sent: CurveList = {
    version: 'v1',
    curves: [
      {
        run_id: RUN,
        name: 'grad_norm',
        length: 900,
        steps: [0.5, 2, 3, 4],
        values: [1, 'NaN', 'Infinity', '-Infinity'],
        times: [0, null, 3, 4],
      },
      { run_id: RUN, name: '<b>loss</b>', length: 0, steps: [], values: [] },
    ],
    names: [{ name: 'constructor', runs: 1 }],
  };
  expect(curveListSchema.parse(sent)).toEqual(sent);
  const { version, curves, names } = toCurves(sent);
  expect([version, names]).toEqual([sent.version, sent.names]);
  const [first, second] = curves;
  expect(first).toMatchObject({ run_id: RUN, name: 'grad_norm', length: 900 });
  expect([...first!.steps]).toEqual([0.5, 2, 3, 4]);
  expect([...first!.values].map(String)).toEqual(['1', 'NaN', 'Infinity', '-Infinity']);
  expect([...first!.times!]).toEqual([0, Number.NaN, 3, 4]);
  expect(second).toMatchObject({ name: '<b>loss</b>', length: 0, times: null });
});
