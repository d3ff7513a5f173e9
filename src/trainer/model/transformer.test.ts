import { describe, expect, it } from 'vitest';
import { toBatch, type TokenRow } from './batch.ts';
import { openRandom } from './random.ts';
import { openTiny, TINY, toTinyRows } from './tinyModel.fixture.ts';
import type { Transformer } from './transformer.ts';

const lossOf = (model: Transformer, rows: readonly TokenRow[]): number => model.measure(toBatch(rows)).lossSum;

/** The gradient of one tensor that is trained. */
function gradientOf(model: Transformer, name: string): Float32Array {
  const { trained, memory } = model;
  const place = trained.plan.places.get(name);
  if (place === undefined) throw new Error(name);
  return memory.machine.floats({
    at: trained.gradients.at + place.offset * 4,
    count: place.rows * place.columns,
  });
}

/** How the loss changes along a random direction of one tensor: [by differences, by the gradient]. */
function compareSlopes(
  model: Transformer,
  rows: readonly TokenRow[],
  name: string,
  seed: number,
): readonly [number, number] {
  const weights = model.trainedTensor(name);
  const before = weights.slice();
  const random = openRandom(seed);
  // What pads a tensor is 0 and stays so.
  const direction = before.map((value) => (value === 0 ? 0 : random() < 0.5 ? -1 : 1));
  const step = 2e-3;
  const lossAt = (factor: number): number => {
    weights.set(before.map((value, index) => value + factor * step * direction[index]!));
    model.refresh();
    return lossOf(model, rows);
  };
  const difference = (lossAt(1) - lossAt(-1)) / (2 * step);
  weights.set(before);
  model.refresh();
  return [difference, gradientOf(model, name).reduce((sum, slope, index) => sum + slope * direction[index]!, 0)];
}

const CASES = [
  { title: 'all weights', adapter: null, shape: TINY },
  { title: 'all weights, with an output matrix', adapter: null, shape: { ...TINY, hasOutput: true, keyHeads: 2 } },
  { title: 'an adapter', adapter: { rank: 3, alpha: 6 }, shape: TINY },
];

describe.each(CASES)('gradients of $title', ({ adapter, shape }) => {
  const model = openTiny(1, adapter, shape);
  const rows = toTinyRows([20, 9, 1, 2, 31, 16], 2);
  model.clearGradients();
  model.train(toBatch(rows), 1);

  it.each([...model.trained.plan.places.keys()])('agree with differences of the loss: %s', (name) => {
    const [difference, slope] = compareSlopes(model, rows, name, 3);
    expect(Math.abs(difference - slope)).toBeLessThan(0.01 * Math.abs(difference) + 0.05);
  });

  it('are not all small', () => {
    const norm = Math.sqrt(model.memory.kernels.sumSquares(model.trained.gradients.at, model.trained.gradients.count));
    expect(norm).toBeGreaterThan(5);
  });

  it('leave what pads a tensor at 0', () => {
    for (const { name } of model.trained.plan.places.values()) {
      const weights = model.trainedTensor(name);
      gradientOf(model, name).forEach((slope, index) => {
        if (slope !== 0) return;
        expect(weights[index] === 0 || name.includes('embd') || name.includes('output')).toBe(true);
      });
    }
  });
});

describe('a batch', () => {
  const rows = toTinyRows([12, 7, 25, 3, 30], 5);

  it('has the losses of its rows: they do not see each other', () => {
    const model = openTiny(4);
    const alone = rows.map((row) => lossOf(model, [row]));
    const together = lossOf(model, rows);
    expect(together).toBeCloseTo(
      alone.reduce((sum, loss) => sum + loss, 0),
      3,
    );
    expect(lossOf(model, [...rows].reverse())).toBeCloseTo(together, 3);
  });

  it('gives the same bits each time', () => {
    const [one, other] = [openTiny(6), openTiny(6)];
    for (const model of [one, other]) {
      model.clearGradients();
      model.train(toBatch(toTinyRows([30, 30], 8)), 1);
      model.clearGradients();
      model.train(toBatch(rows), 0.5);
    }
    const [a, b] = [one, other].map((model) => model.memory.machine.floats(model.trained.gradients));
    expect(a).toEqual(b);
  });

  it('learns only what an assistant said', () => {
    const model = openTiny(7);
    const [row] = rows as [TokenRow];
    const silent = { ...row, isTarget: new Uint8Array(row.tokens.length) };
    expect(lossOf(model, [silent])).toBe(0);
    const last = silent.isTarget.slice();
    last[last.length - 1] = 1;
    expect(toBatch([{ ...row, isTarget: last }]).targets).toEqual(row.tokens.subarray(-1));
  });

  it('says which targets come first', () => {
    const model = openTiny(9);
    const batch = toBatch(rows);
    const logits = model.logits(batch);
    const { isFirst } = model.measure(batch);
    for (const [index, place] of batch.askedAt.entries()) {
      const line = logits.subarray(place * TINY.vocabulary, (place + 1) * TINY.vocabulary);
      expect(isFirst[index]).toBe(line[batch.targets[index]!] === Math.max(...line) ? 1 : 0);
    }
  });
});
