import { describe, expect, it } from 'vitest';
import { readCurves } from './curvesReader.ts';
import { curveListSchema, type CurveList } from './runs.ts';

const RUN = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

const answer = {
  version: 'v7',
  names: [{ name: 'loss', runs: 2 }, { runs: 1 }],
  curves: [
    {
      run_id: 'a',
      name: 'loss',
      length: 900,
      steps: [1, 2, 3],
      values: [1.5, 'NaN', '-Infinity'],
      times: [10, null, 30],
    },
    { run_id: 'b', name: 'loss', steps: [1, 2], values: [0.5] },
    { name: 'loss', steps: [1], values: [2] },
  ],
};

const read = (body: unknown) => {
  const result = readCurves(body);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
};

describe('readCurves', () => {
  it('reads numbers that JSON can’t express, and points without a time', () => {
    const [first] = read(answer).curves;
    expect([...first!.values]).toEqual([1.5, Number.NaN, Number.NEGATIVE_INFINITY]);
    expect([...first!.times!]).toEqual([10, Number.NaN, 30]);
    expect(first!.length).toBe(900);
  });

  it('keeps only points that have a step and a value', () => {
    const second = read(answer).curves[1];
    expect([...second!.steps]).toEqual([1]);
    expect(second).toMatchObject({ length: 1, times: null });
  });

  it('leaves out curves without a run and metrics without a name', () => {
    expect(read(answer).curves).toHaveLength(2);
    expect(read(answer).names).toEqual([{ name: 'loss', runs: 2 }]);
  });

  it('takes a text for no number', () => {
    expect([...read({ curves: [{ run_id: 'a', name: 'x', steps: [1], values: ['7'] }] }).curves[0]!.values]).toEqual([
      Number.NaN,
    ]);
  });

  it('reads all that our service sends', () => {
    const sent: CurveList = {
      version: 'v1',
      curves: [
        {
          run_id: RUN,
          name: 'grad_norm',
          length: 3,
          steps: [0.5, 2, 3],
          values: [1, 'NaN', 'Infinity'],
          times: [1, null, 3],
        },
        { run_id: RUN, name: '<b>loss</b>', length: 0, steps: [], values: [] },
      ],
      names: [{ name: 'constructor', runs: 1 }],
    };
    expect(curveListSchema.parse(sent)).toEqual(sent);
    const { version, curves, names } = read(JSON.parse(JSON.stringify(sent)));
    expect([version, names]).toEqual([sent.version, sent.names]);
    const [first, second] = curves;
    expect(first).toMatchObject({ run_id: RUN, name: 'grad_norm', length: 3 });
    expect([...first!.steps]).toEqual([0.5, 2, 3]);
    expect([...first!.values].map(String)).toEqual(['1', 'NaN', 'Infinity']);
    expect([...first!.times!]).toEqual([1, Number.NaN, 3]);
    expect(second).toMatchObject({ name: '<b>loss</b>', length: 0, times: null });
  });

  it.each([null, [], 'x'])('refuses %j', (body) => expect(readCurves(body).ok).toBe(false));
});
