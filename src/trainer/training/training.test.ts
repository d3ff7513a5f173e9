import { describe, expect, it } from 'vitest';
import { openTiny, toTinyRows } from '#trainer/model/tinyModel.fixture.ts';
import type { Transformer } from '#trainer/model/transformer.ts';
import { toLoneCrew } from '#trainer/threads/crew.ts';
import { measureHeldOut, openTraining } from './training.ts';

const ROWS = toTinyRows([20, 9, 12, 30, 25, 7, 16, 11, 28, 14], 11);
const SETTINGS = { epochs: 12, batchSize: 1, rate: 5e-3, seed: 3 };
const MAX_TOKENS = 96;
const pause = async (): Promise<void> => {};

async function run(model: Transformer, from: number, to: number, settings = SETTINGS): Promise<readonly number[]> {
  const training = openTraining(toLoneCrew(model), ROWS, settings, MAX_TOKENS);
  const losses: number[] = [];
  for (let step = from; step <= to; step += 1) losses.push((await training.run(step)).loss);
  return losses;
}

const bitsOf = (model: Transformer): Float32Array => model.memory.machine.floats(model.trained.weights).slice();

describe.each([null, { rank: 4, alpha: 8 }])('a training with adapter %j', (adapter) => {
  it('learns its rows by heart', async () => {
    const model = openTiny(1, adapter);
    const settings = { ...SETTINGS, epochs: 60, rate: adapter === null ? 1e-2 : 3e-2 };
    const before = await measureHeldOut(toLoneCrew(model), ROWS, MAX_TOKENS, pause);
    const training = openTraining(toLoneCrew(model), ROWS, settings, MAX_TOKENS);
    for (let step = 1; step <= training.steps; step += 1) await training.run(step);
    const after = await measureHeldOut(toLoneCrew(model), ROWS, MAX_TOKENS, pause);
    expect(before?.loss).toBeGreaterThan(2);
    expect(after?.loss).toBeLessThan((before?.loss ?? 0) / 4);
    expect(after?.exactMatch).toBeGreaterThan(0.2);
  });

  it('has the same bits for the same seed, and others for another', async () => {
    const [one, same, other] = [openTiny(1, adapter), openTiny(1, adapter), openTiny(1, adapter)];
    expect(await run(one, 1, 8)).toEqual(await run(same, 1, 8));
    await run(other, 1, 8, { ...SETTINGS, seed: 4 });
    expect(bitsOf(one)).toEqual(bitsOf(same));
    expect(bitsOf(one)).not.toEqual(bitsOf(other));
  });

  it('has smaller matrices with weight decay, and the same norms', async () => {
    const settings = { ...SETTINGS, epochs: 4, rate: 1e-2 };
    const sizeOf = async (weightDecay: number, isMatrix: boolean): Promise<number> => {
      const model = openTiny(1, adapter);
      await run(model, 1, 8, { ...settings, weightDecay } as typeof SETTINGS);
      const places = [...model.trained.plan.places.values()].filter(({ rows }) => rows > 1 === isMatrix);
      return places.reduce(
        (sum, { name }) => sum + model.trainedTensor(name).reduce((all, one) => all + one * one, 0),
        0,
      );
    };
    expect(await sizeOf(1, true)).toBeLessThan(0.95 * (await sizeOf(0, true)));
    if (adapter === null) expect(await sizeOf(1, false)).toBeGreaterThan(0.98 * (await sizeOf(0, false)));
  });

  it('goes on as a part of a longer one, with the rate and the optimizer of that one', async () => {
    const model = openTiny(1, adapter);
    const toRate = (step: number): number => 1e-3 * step;
    const train = async (model: Transformer, stepsBefore: number, rows: typeof ROWS): Promise<number> => {
      const part = { stepsBefore, toRate };
      const training = openTraining(toLoneCrew(model), rows, { ...SETTINGS, epochs: 1, part }, MAX_TOKENS);
      for (let step = 1; step <= training.steps; step += 1)
        expect((await training.run(step)).rate).toBeCloseTo(1e-3 * (stepsBefore + step));
      return training.steps;
    };
    const [first, second] = [ROWS.slice(0, 5), ROWS.slice(5)];
    await train(model, await train(model, 0, first), second);
    const fresh = openTiny(1, adapter);
    await train(fresh, 0, first);
    await train(fresh, 0, second);
    expect(bitsOf(fresh)).not.toEqual(bitsOf(model));
  });

  it('goes on in the middle with the same bits', async () => {
    const whole = openTiny(1, adapter);
    const half = openTiny(1, adapter);
    const losses = await run(whole, 1, 10);
    await run(half, 1, 5);
    const next = openTiny(1, adapter);
    for (const region of ['weights', 'means', 'squares'] as const)
      next.memory.machine.floats(next.trained[region]).set(half.memory.machine.floats(half.trained[region]));
    next.refresh();
    expect(await run(next, 6, 10)).toEqual(losses.slice(5));
    expect(bitsOf(next)).toEqual(bitsOf(whole));
  });
});

describe('a step', () => {
  it('says where it is, and how its batch went', async () => {
    const training = openTraining(toLoneCrew(openTiny(1)), ROWS, { ...SETTINGS, epochs: 2 }, MAX_TOKENS);
    const results: Awaited<ReturnType<typeof training.run>>[] = [];
    for (let step = 1; step <= training.steps; step += 1) results.push(await training.run(step));
    const ends = results.filter(({ isEpochEnd }) => isEpochEnd);
    expect(ends.map(({ epoch }) => epoch)).toEqual([1, 2]);
    expect(results.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(2 * (172 - ROWS.length));
    expect(results.every(({ norm, rate }) => norm > 0 && rate > 0)).toBe(true);
    expect(training.tokensPerStep).toBe(Math.round((2 * 162) / training.steps));
  });

  it('has the loss of its rows, whatever passes it is cut into', async () => {
    const lossIn = async (most: number): Promise<number> =>
      (await openTraining(toLoneCrew(openTiny(2)), ROWS, { ...SETTINGS, batchSize: 2 }, most).run(1)).loss;
    expect(await lossIn(MAX_TOKENS)).toBeCloseTo(await lossIn(32), 4);
  });
});

describe('measures on validation rows', () => {
  it('are null without rows', async () => {
    expect(await measureHeldOut(toLoneCrew(openTiny(1)), [], MAX_TOKENS, pause)).toBeNull();
  });

  it('change nothing, and pause between passes', async () => {
    const model = openTiny(1);
    const before = bitsOf(model);
    let pauses = 0;
    const found = await measureHeldOut(toLoneCrew(model), ROWS, MAX_TOKENS, async () => {
      pauses += 1;
    });
    expect(pauses).toBeGreaterThan(1);
    expect(found?.isRight.length).toBe(ROWS.length);
    expect(bitsOf(model)).toEqual(before);
  });
});
