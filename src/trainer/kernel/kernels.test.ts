import { describe, expect, it } from 'vitest';
import { Arena, openMachine, openMultiply, toPanelCounts, type Machine, type Region } from './kernels.ts';

/** Numbers between -1 and 1, the same in each run. */
function toNumbers(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function open(...counts: readonly number[]): { machine: Machine; regions: readonly Region[] } {
  const arena = new Arena();
  const regions = counts.map((count) => arena.take(count));
  return { machine: openMachine(arena), regions };
}

function furthest(actual: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let most = 0;
  for (let index = 0; index < wanted.length; index += 1) {
    const gap = Math.abs((actual[index] ?? Number.NaN) - (wanted[index] ?? 0));
    if (!(gap <= most)) most = gap;
  }
  return most;
}

it('multiplies and adds with one rounding, which is quicker: also on a Node that hides the instruction', () => {
  const [panel, panels] = toPanelCounts(4, 8, 2);
  const { machine, regions } = open(8, 16, 32, panel, panels);
  const [left, right, result, leftPanels, rightPanels] = regions as [Region, Region, Region, Region, Region];
  const near = 1 + 2 ** -12;
  machine.floats(left).set([-1, near]);
  machine.floats(right).set(Float32Array.from({ length: 16 }, (_, at) => (at < 8 ? 1 + 2 ** -11 : near)));
  openMultiply(
    machine.kernels,
    leftPanels,
    rightPanels,
  )({
    left: { at: left.at, stride: 2 },
    right: { at: right.at, stride: 8 },
    result: { at: result.at, stride: 8 },
    rows: 1,
    columns: 8,
    inner: 2,
  });
  expect(machine.floats(result)[0]).toBe(2 ** -24);
});

describe('a product of matrices', () => {
  const SIZES = [
    { rows: 1, columns: 8, inner: 1 },
    { rows: 7, columns: 16, inner: 5 },
    { rows: 70, columns: 8, inner: 1030 },
    { rows: 129, columns: 24, inner: 33 },
    { rows: 5, columns: 4104, inner: 520 },
  ];
  const TRANSPOSED = [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const;

  for (const { rows, columns, inner } of SIZES)
    it.each(TRANSPOSED)(`${rows} x ${columns} over ${inner}, transposed: %s, %s`, (isLeft, isRight) => {
      const lineCount = Math.ceil(rows / 4) * 4;
      const leftStride = isLeft ? lineCount : inner;
      const rightStride = isRight ? inner : columns;
      const [leftPanel, rightPanel] = toPanelCounts(rows, columns, inner);
      const { machine, regions } = open(
        Math.max(lineCount * inner, leftStride * inner),
        columns * inner,
        lineCount * columns,
        leftPanel,
        rightPanel,
      );
      const [left, right, result, leftPanels, rightPanels] = regions as [Region, Region, Region, Region, Region];
      const a = machine.floats(left);
      const b = machine.floats(right);
      a.set(toNumbers(left.count, 1));
      b.set(toNumbers(right.count, 2));
      const wanted = new Float64Array(rows * columns);
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < columns; column += 1)
          for (let k = 0; k < inner; k += 1)
            wanted[row * columns + column]! +=
              a[isLeft ? k * leftStride + row : row * leftStride + k]! *
              b[isRight ? column * rightStride + k : k * rightStride + column]!;
      const multiply = openMultiply(machine.kernels, leftPanels, rightPanels);
      const product = {
        left: { at: left.at, stride: leftStride },
        right: { at: right.at, stride: rightStride },
        result: { at: result.at, stride: columns },
        isLeftTransposed: isLeft,
        isRightTransposed: isRight,
        rows,
        columns,
        inner,
      };
      machine.floats(result).fill(1e6);
      multiply(product);
      const tolerance = inner * 1e-6;
      expect(furthest(machine.floats(result), wanted)).toBeLessThan(tolerance);
      multiply({ ...product, isAdded: true });
      expect(
        furthest(
          machine.floats(result),
          wanted.map((value) => value * 2),
        ),
      ).toBeLessThan(2 * tolerance);
    });
});

describe('softmax', () => {
  it('covers the past of each row, and nothing else', () => {
    const rows = 11;
    const stride = 16;
    const { machine, regions } = open(rows * stride);
    const [scores] = regions as [Region];
    const numbers = machine.floats(scores);
    numbers.set(toNumbers(rows * stride, 3).map((value) => value * 40));
    const before = numbers.slice();
    machine.kernels.causalSoftmax(scores.at, rows, stride, 0.5);
    for (let row = 0; row < rows; row += 1) {
      const powers = [...before.subarray(row * stride, row * stride + row + 1)].map((value) => Math.exp(value * 0.5));
      const sum = powers.reduce((total, power) => total + power, 0);
      const line = numbers.subarray(row * stride, (row + 1) * stride);
      expect(furthest(line, [...powers.map((power) => power / sum), 0])).toBeLessThan(1e-6);
      expect(line.subarray(row + 1).every((value) => value === 0)).toBe(true);
    }
  });

  it('of one token is the last row of all of them', () => {
    const count = 10;
    const width = 8;
    const { machine, regions } = open(width, count * width, count * width, width, 16);
    const [query, keys, values, result, scores] = regions as [Region, Region, Region, Region, Region];
    for (const [index, region] of [query, keys, values].entries())
      machine.floats(region).set(toNumbers(region.count, index + 5));
    machine.kernels.attendOnce(query.at, keys.at, values.at, result.at, scores.at, count, width, width, 0.3);
    const [q, k, v] = [query, keys, values].map((region) => machine.floats(region)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const powers = Array.from({ length: count }, (_, row) =>
      Math.exp(0.3 * q.reduce((sum, value, at) => sum + value * k[row * width + at]!, 0)),
    );
    const total = powers.reduce((sum, power) => sum + power, 0);
    const wanted = Array.from(
      { length: width },
      (_, at) => powers.reduce((sum, power, row) => sum + power * v[row * width + at]!, 0) / total,
    );
    expect(furthest(machine.floats(result), wanted)).toBeLessThan(1e-6);
  });
});

describe('cross entropy', () => {
  it('measures each row, and leaves gradients that sum to 0', () => {
    const [rows, count, stride] = [3, 13, 16];
    const { machine, regions } = open(rows * stride, rows, rows * 3);
    const [logits, targets, measures] = regions as [Region, Region, Region];
    const numbers = machine.floats(logits);
    numbers.set(toNumbers(rows * stride, 9).map((value) => value * 5));
    machine.integers(targets).set([0, 12, 5]);
    const before = numbers.slice();
    machine.kernels.crossEntropy(logits.at, targets.at, measures.at, rows, count, stride, 0.25);
    const found = machine.floats(measures);
    for (const [row, target] of [0, 12, 5].entries()) {
      const line = [...before.subarray(row * stride, row * stride + count)];
      const total = line.reduce((sum, value) => sum + Math.exp(value), 0);
      const loss = found[row * 3]! + Math.log(found[row * 3 + 1]!) - found[row * 3 + 2]!;
      expect(loss).toBeCloseTo(Math.log(total) - line[target]!, 5);
      const slopes = numbers.subarray(row * stride, (row + 1) * stride);
      const wanted = line.map((value, index) => 0.25 * (Math.exp(value) / total - (index === target ? 1 : 0)));
      expect(furthest(slopes, [...wanted, 0, 0, 0])).toBeLessThan(1e-6);
    }
  });
});

describe('AdamW', () => {
  it('is the formula', () => {
    const { machine, regions } = open(4, 4, 4, 4);
    const [weights, slopes, means, squares] = regions as [Region, Region, Region, Region];
    machine.floats(weights).set([1, -2, 3, 0]);
    machine.floats(slopes).set([2, -4, 0, 1e-3]);
    machine.floats(squares).set([0.5, 0, 0, 0]);
    const [rate, decay, beta1, beta2, step] = [0.1, 0.01, 0.9, 0.98, 3];
    const root = 1 / (1 - beta2 ** step);
    const size = rate / (1 - beta1 ** step);
    machine.kernels.adamW(
      weights.at,
      slopes.at,
      means.at,
      squares.at,
      4,
      0.5,
      beta1,
      beta2,
      size,
      root,
      1e-8,
      rate * decay,
    );
    const wanted = [1, -2, 3, 0].map((weight, index) => {
      const slope = [1, -2, 0, 5e-4][index]!;
      const square = [0.5, 0, 0, 0][index]! * beta2 + slope * slope * (1 - beta2);
      return weight * (1 - rate * decay) - (size * slope * (1 - beta1)) / (Math.sqrt(square * root) + 1e-8);
    });
    expect(furthest(machine.floats(weights), wanted)).toBeLessThan(1e-6);
    expect(machine.kernels.sumSquares(slopes.at, 4)).toBeCloseTo(20.000001, 5);
  });
});
