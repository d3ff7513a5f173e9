import { afterAll, describe, expect, it } from 'vitest';
import { toBatch } from '#trainer/model/batch.ts';
import { fillTiny, openTiny, toTinyOptions, toTinyRows } from '#trainer/model/tinyModel.fixture.ts';
import type { AdapterShape } from '#trainer/model/memory.ts';
import { measureHeldOut, openTraining } from '#trainer/training/training.ts';
import { openPreferenceRun } from '#trainer/preference/preferenceTraining.ts';
import { openCrew, toLoneCrew, type Crew } from './crew.ts';

const ROWS = toTinyRows([20, 9, 12, 30, 25, 7, 16, 11, 28, 14], 11);
const STEPS = 4;
const MAX_TOKENS = 96;
const pause = async (): Promise<void> => {};
const crews: Crew[] = [];
afterAll(() => Promise.all(crews.map((crew) => crew.end())));

function openTinyCrew(adapter: AdapterShape | null, threads: number): Crew {
  const crew = openCrew({ ...toTinyOptions(adapter), threads });
  crews.push(crew);
  fillTiny(crew.model, 1, adapter);
  return crew;
}

/** Losses and weights after some steps. */
async function train(crew: Crew): Promise<{ readonly losses: readonly number[]; readonly weights: Float32Array }> {
  const training = openTraining(
    crew,
    ROWS,
    { epochs: 4, batchSize: 2, rate: 5e-3, seed: 3, weightDecay: 0.1 },
    MAX_TOKENS,
  );
  const losses: number[] = [];
  for (let step = 1; step <= STEPS; step += 1) losses.push((await training.run(step)).loss);
  const { memory, trained } = crew.model;
  return { losses, weights: memory.machine.floats(trained.weights).slice() };
}

/** The same of answers that are in turn wanted and not. */
async function compare(crew: Crew, objective: 'dpo' | 'kto') {
  const answers = ROWS.map((row, at) => ({ ...row, prompt: '', expected: '', place: at, isWanted: at % 2 === 0 }));
  const size = objective === 'dpo' ? 2 : 1;
  const units = answers.flatMap((_, at) =>
    at % size === 0 ? [{ answers: answers.slice(at, at + size), isCut: false }] : [],
  );
  const settings = { objective, beta: 0.3, weights: { desirable: 1, undesirable: 2 }, epochs: 4, batchSize: 1 };
  const run = openPreferenceRun({
    crew,
    training: units,
    heldOut: units,
    settings: { ...settings, rate: 5e-3, seed: 3 },
    maxTokens: MAX_TOKENS,
    maxRow: 32,
    pause,
  });
  await run.prepare();
  const losses: number[] = [];
  for (let step = 1; step <= STEPS; step += 1) losses.push((await run.training.run(step)).loss);
  const { memory, trained } = crew.model;
  const measured = await run.measure();
  return { losses, weights: memory.machine.floats(trained.weights).slice(), measured };
}

const furthest = (one: ArrayLike<number>, other: ArrayLike<number>): number =>
  Math.max(...Array.from(one, (value, index) => Math.abs(value - (other[index] ?? Number.NaN))));

describe.each([null, { rank: 4, alpha: 8 }])('threads that train with adapter %j', (adapter) => {
  it.each([2, 3])('come to the losses and weights of one thread: %i', async (threads) => {
    const alone = await train(toLoneCrew(openTiny(1, adapter)));
    const together = await train(openTinyCrew(adapter, threads));
    expect(furthest(together.losses, alone.losses)).toBeLessThan(1e-4);
    expect(furthest(together.weights, alone.weights)).toBeLessThan(1e-4);
    expect(together.weights).not.toEqual(alone.weights);
  });

  it('have the same bits each time', async () => {
    expect(await train(openTinyCrew(adapter, 3))).toEqual(await train(openTinyCrew(adapter, 3)));
  });

  it.each(['dpo', 'kto'] as const)('compare answers as one thread does: %s', async (objective) => {
    const alone = await compare(toLoneCrew(openTiny(1, adapter)), objective);
    const together = await compare(openTinyCrew(adapter, 3), objective);
    expect(furthest(together.losses, alone.losses)).toBeLessThan(1e-4);
    expect(furthest(together.weights, alone.weights)).toBeLessThan(1e-3);
    expect(together.weights).not.toEqual(alone.weights);
    expect(await compare(openTinyCrew(adapter, 3), objective)).toEqual(together);
  });

  it('measure and answer as one thread does', async () => {
    const alone = toLoneCrew(openTiny(1, adapter));
    const crew = openTinyCrew(adapter, 3);
    const [found, wanted] = [await measureHeldOut(crew, ROWS, 32, pause), await measureHeldOut(alone, ROWS, 32, pause)];
    expect(found).toEqual(wanted);
    const batches = ROWS.slice(0, 2).map((row) => toBatch([row]));
    expect(await crew.likeliest(batches)).toEqual(batches.map((batch) => alone.model.likeliest(batch)));
  });
});

it('what a thread fails with is said', async () => {
  const crew = openTinyCrew(null, 2);
  const [row] = toTinyRows([20], 1);
  const tooLong = toBatch(Array.from({ length: 40 }, () => row!));
  await expect(crew.measure([toBatch([row!]), tooLong])).rejects.toThrow(/offset|bounds|length/);
});
