import { describe, expect, it } from 'vitest';
import { Curve } from './curve.ts';

const TIME = 1_790_000_000_000;

/** All that a curve says, through `read` and through its ends. */
function readAll(curve: Curve) {
  const points = curve.read();
  const { steps, values, times, length } = points;
  // What is shown of many points is the same, and what is compared is in the same order.
  const last = [length - 1].filter((at) => at >= 0);
  expect(points.pick(last)).toEqual({
    length: last.length,
    steps: steps.slice(-1),
    values: values.slice(-1),
    times: times && times.slice(-1),
  });
  const isSameOrder = (at: number): boolean =>
    Math.sign(values[at]! - values[at - 1]!) === Math.sign(points.storedValues[at]! - points.storedValues[at - 1]!);
  const finite = [...values.keys()].slice(1).filter((at) => Number.isFinite(values[at]! - values[at - 1]!));
  expect(finite.filter((at) => !isSameOrder(at))).toEqual([]);
  expect([curve.length, steps.length, values.length]).toEqual([length, length, length]);
  if (length > 0) {
    expect([curve.firstStep, curve.lastStep]).toEqual([steps[0], steps[length - 1]]);
    expect([curve.firstValue, curve.lastValue]).toEqual([values[0], values[length - 1]]);
    expect([curve.firstTime, curve.lastTime]).toEqual([times?.[0] ?? null, times?.[length - 1] ?? null]);
  }
  return { steps: [...steps], values: [...values], times: times && [...times] };
}

function toCurve(points: readonly (readonly [step: number, value: number, time?: number | null])[]): Curve {
  const curve = new Curve();
  for (const [step, value, time] of points) curve.push(step, value, time ?? null);
  return curve;
}

describe('a curve', () => {
  it.each([
    ['whole steps and short values', [1, 2, 3], [2.5, 0.0002, -1e-7]],
    ['steps that are no integers', [1, 2.5, 3], [1, 2, 3]],
    ['steps beyond 32 bits', [1, 2 ** 40, 2 ** 41 + 1], [1, 2, 3]],
    ['steps evenly isolated, and then not', [10, 20, 30, 35, 36, 50], [1, 2, 3, 4, 5, 6]],
    ['steps evenly isolated, and then beyond 32 bits', [1, 3, 5, 2 ** 40], [1, 2, 3, 4]],
    ['steps evenly apart beyond 32 bits, and then not', [0, 2 ** 40, 2 ** 41, 2 ** 41 + 7.5], [1, 2, 3, 4]],
    ['steps that repeat', [4, 5, 5, 5, 6], [1, 2, 3, 4, 5]],
    ['steps that are no numbers', [1, 2, Number.NaN, 4], [1, 2, 3, 4]],
    ['values that no float32 holds', [1, 2, 3], [0.0002, 0.123456789012, 0.0003]],
    ['values that are not finite', [1, 2, 3, 4], [Number.NaN, Infinity, -Infinity, -0]],
  ])('gives back %s', (_what, steps, values) => {
    expect(readAll(toCurve(steps.map((step, at) => [step, values[at]!])))).toEqual({ steps, values, times: null });
  });

  it.each([
    ['in a month', [TIME, TIME + 2_000_000_000]],
    ['farther apart', [TIME, TIME + 5_000_000_000]],
    ['before the first', [TIME, TIME - 60_000]],
    ['that are missing at first', [null, TIME]],
    ['that are missing later', [TIME, null, TIME + 1]],
    ['in milliseconds since a boot', [12, 13]],
  ])('gives back times %s', (_what, times) => {
    const read = readAll(toCurve(times.map((time, at) => [at, at, time])));
    expect(read.times).toEqual(times.map((time) => time ?? Number.NaN));
  });

  it('has late points in the order of their steps, and loses none of them', () => {
    const curve = toCurve([1000, 10_000, 11_000, 2000, 3000].map((step) => [step, step / 10, TIME + step]));
    expect(readAll(curve)).toEqual({
      steps: [1000, 2000, 3000, 10_000, 11_000],
      values: [100, 200, 300, 1000, 1100],
      times: [1000, 2000, 3000, 10_000, 11_000].map((step) => TIME + step),
    });
    curve.push(12_000, 1);
    curve.push(500, 2);
    expect([curve.length, curve.firstStep, curve.lastStep]).toEqual([7, 500, 12_000]);
  });

  it('keeps both points of a step that one program logged twice, the later one last', () => {
    expect(readAll(toCurve([1, 2, 3, 2].map((step, at) => [step, at])))).toMatchObject({
      steps: [1, 2, 2, 3],
      values: [0, 1, 3, 2],
    });
  });

  it('replaces a step that comes again where several sessions write into one log, and no other', () => {
    const curve = new Curve({ replacesRepeats: true });
    for (const step of [1, 2, 2, 3, 4, 5, 6]) curve.push(step, step);
    for (const step of [2, 3]) curve.push(step, step * 10);
    expect(readAll(curve)).toMatchObject({ steps: [1, 2, 3, 4, 5, 6], values: [1, 20, 30, 4, 5, 6] });
    for (const step of [4, 5, 6, 7]) curve.push(step, step * 10);
    expect(readAll(curve)).toMatchObject({ steps: [1, 2, 3, 4, 5, 6, 7], values: [1, 20, 30, 40, 50, 60, 70] });
  });

  it('counts on where its steps begin again at the first one, as an iteration in an epoch does', () => {
    const curve = toCurve([10, 20, 30, 10, 20, 30, 10].map((step, at) => [step, at]));
    expect(readAll(curve)).toMatchObject({ steps: [10, 20, 30, 40, 50, 60, 70], values: [0, 1, 2, 3, 4, 5, 6] });
    expect(curve.restarts).toBe(2);
  });

  it('puts very many late points in their places', () => {
    const curve = new Curve();
    for (let at = 0; at < 200_000; at += 1) curve.push((at * 7919) % 200_003, at);
    expect(curve.lastStep).toBeGreaterThan(199_000);
    expect([...curve.read().steps]).toEqual([...curve.read().steps].toSorted((a, b) => a - b));
  });

  it('leaves out what is the last point again, where it is asked to', () => {
    const curve = new Curve({ skipsRepeats: true });
    for (const [step, value] of [
      [1, 0.1],
      [1, 0.1],
      [2, 0.2],
      [2, 0.3],
    ] as const)
      curve.pushFloat(step, Math.fround(value));
    expect(readAll(curve)).toMatchObject({ steps: [1, 2, 2], values: [0.1, 0.2, 0.3] });
  });

  it('keeps the steps of a run that was resumed, and logs at other steps since', () => {
    const curve = toCurve([10, 20, 30, 40].map((step) => [step, step]));
    curve.dropFrom(20);
    for (const step of [15, 20, 25]) curve.push(step, step);
    expect(readAll(curve).steps).toEqual([10, 15, 20, 25]);
    curve.dropFrom(0);
    for (const step of [7, 8]) curve.push(step, step);
    expect(readAll(curve).steps).toEqual([7, 8]);
  });

  it('keeps a float32 with the digits that people know, also beside values that are none', () => {
    const curve = new Curve();
    curve.pushFloat(1, Math.fround(0.0002));
    curve.push(2, 0.123456789012);
    curve.pushFloat(3, Math.fround(2e-5));
    expect(readAll(curve).values).toEqual([0.0002, 0.123456789012, 2e-5]);
  });

  it('keeps all of many points while it grows and widens', () => {
    const points = Array.from({ length: 5000 }, (_, at) => [at, at < 4000 ? at / 8 : at / 3, TIME + at * 1e6] as const);
    const read = readAll(toCurve(points));
    expect(read.steps).toEqual(points.map(([step]) => step));
    expect(read.values).toEqual(points.map(([, value]) => value));
    expect(read.times).toEqual(points.map(([, , time]) => time));
  });

  it('drops repeated steps, and begins anew', () => {
    const curve = toCurve([
      [10, 3, TIME],
      [20, 2, TIME + 1],
      [30, 1, TIME + 2],
    ]);
    curve.dropFrom(20);
    curve.push(20, 5, TIME + 9);
    expect(readAll(curve)).toEqual({ steps: [10, 20], values: [3, 5], times: [TIME, TIME + 9] });
    curve.clear();
    curve.push(1, 1);
    expect(readAll(curve)).toEqual({ steps: [1], values: [1], times: null });
  });

  it('keeps what later sessions trained again, apart from what a file repeats when it is read again', () => {
    const curve = new Curve({ replacesRepeats: true });
    for (const step of [10, 20, 30, 40]) curve.push(step, step, TIME + step);
    expect(curve.replaced).toBeNull();
    curve.dropFrom(30);
    for (const step of [30, 40]) curve.push(step, step * 10);
    curve.push(20, 7);
    curve.push(30, 300);
    expect(readAll(curve.replaced!)).toEqual({
      steps: [20, 30, 40],
      values: [20, 30, 40],
      times: [TIME + 20, TIME + 30, TIME + 40],
    });
    curve.clear();
    expect(curve.replaced).toBeNull();
  });

  it('says nothing of ends that it does not have', () => {
    const { firstStep, lastStep, firstValue, lastValue, firstTime, lastTime } = new Curve();
    expect([firstStep, lastStep, firstValue, lastValue, firstTime, lastTime]).toEqual(Array(6).fill(null));
  });

  it('shows a reader the points that were there when it asked', () => {
    const curve = toCurve([[1, 1]]);
    const view = curve.read();
    for (let step = 2; step < 100; step += 1) curve.push(step, step / 7, TIME);
    expect([[...view.steps], [...view.values], view.times]).toEqual([[1], [1], null]);
    const end = curve.read(curve.length - 2);
    expect([[...end.steps], [...end.values], [...end.times!]]).toEqual([
      [98, 99],
      [14, 99 / 7],
      [TIME, TIME],
    ]);
    expect(curve.read(-5, 1000).length).toBe(99);
    expect([...curve.read(0, 2).steps]).toEqual([1, 2]);
  });
});
