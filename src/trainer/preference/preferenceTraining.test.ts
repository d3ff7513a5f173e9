import { describe, expect, it } from 'vitest';
import { toBatch } from '#trainer/model/batch.ts';
import { openRandom } from '#trainer/model/random.ts';
import { openTiny, TINY, toTinyRows } from '#trainer/model/tinyModel.fixture.ts';
import type { Transformer } from '#trainer/model/transformer.ts';
import { toLoneCrew } from '#trainer/threads/crew.ts';
import { openPreferenceRun } from './preferenceTraining.ts';
import type { Comparison } from './readComparisons.ts';

const pause = async (): Promise<void> => {};
const LENGTHS = [12, 9, 15, 20, 8, 11];

/** Answers in turn wanted and not; two by two they are pairs. */
const ANSWERS = toTinyRows(LENGTHS, 5).map(({ tokens, isTarget }, at) => ({
  tokens,
  isTarget,
  prompt: '',
  expected: '',
  place: Math.floor(at / 2),
  isWanted: at % 2 === 0,
}));
const PAIRS: readonly Comparison[] = [0, 2, 4].map((at) => ({ answers: ANSWERS.slice(at, at + 2), isCut: false }));
const SINGLE: readonly Comparison[] = ANSWERS.map((answer) => ({ answers: [answer], isCut: false }));

const SETTINGS = {
  objective: 'dpo' as const,
  beta: 0.3,
  weights: { desirable: 1, undesirable: 1.5 },
  epochs: 1,
  batchSize: 1,
  rate: 0,
  seed: 3,
};

function open(model: Transformer, training: readonly Comparison[], change: object = {}, maxTokens = 96) {
  const settings = { ...SETTINGS, ...change };
  const crew = toLoneCrew(model);
  return openPreferenceRun({ crew, training, heldOut: training, settings, maxTokens, maxRow: TINY.context, pause });
}

/** Moves the weights, so that the model is no longer the reference. */
function move(model: Transformer, seed: number): void {
  const random = openRandom(seed);
  const weights = model.memory.machine.floats(model.trained.weights);
  weights.forEach((value, at) => {
    if (value !== 0) weights[at] = value + (random() - 0.5) * 0.1;
  });
  model.refresh();
}

const CASES = [
  { title: 'pairs for DPO', units: PAIRS, objective: 'dpo' },
  // Of a single answer no mismatch can be made, through which the loss would change without a gradient.
  { title: 'a wanted answer for KTO', units: SINGLE.slice(0, 1), objective: 'kto' },
  { title: 'an unwanted answer for KTO', units: SINGLE.slice(1, 2), objective: 'kto' },
] as const;

describe.each([null, { rank: 3, alpha: 6 }])('gradients with adapter %j', (adapter) => {
  it.each(CASES)('of $title agree with differences of the loss', async ({ units, objective }) => {
    const model = openTiny(1, adapter);
    const { training, prepare } = open(model, units, { objective });
    await prepare();
    move(model, 8);
    const random = openRandom(9);
    const weights = model.memory.machine.floats(model.trained.weights);
    const before = weights.slice();
    // What pads a tensor is 0 and stays so.
    const direction = before.map((value) => (value === 0 ? 0 : random() < 0.5 ? -1 : 1));
    const step = 5e-4;
    const lossAt = async (factor: number): Promise<number> => {
      weights.set(before.map((value, index) => value + factor * step * direction[index]!));
      model.refresh();
      return (await training.run(1)).loss;
    };
    const difference = ((await lossAt(1)) - (await lossAt(-1))) / (2 * step);
    await lossAt(0);
    const gradients = model.memory.machine.floats(model.trained.gradients);
    const slope = gradients.reduce((sum, each, index) => sum + each * direction[index]!, 0);
    expect(Math.abs(slope)).toBeGreaterThan(0.01);
    expect(Math.abs(difference - slope)).toBeLessThan(0.02 * Math.abs(slope) + 0.002);
  });
});

describe('a run of preferences', () => {
  it('begins with the loss of a model that moved nowhere', async () => {
    for (const [objective, units, loss] of [
      ['dpo', PAIRS, Math.log(2)],
      ['kto', SINGLE, (0.5 * 3 + 0.75 * 3) / 6],
    ] as const) {
      const { training, prepare, measure } = open(openTiny(2), units, { objective, batchSize: 4 });
      await prepare();
      const found = await measure();
      expect(found?.loss).toBeCloseTo(loss, 4);
      expect((await training.run(1)).loss).toBeCloseTo(loss, 4);
      expect(found?.isRight).toHaveLength(3);
    }
  });

  it('of pairs learns to prefer, whatever passes its steps are cut into', async () => {
    const losses = [];
    for (const maxTokens of [96, 40]) {
      const { training, prepare, measure } = open(openTiny(2), PAIRS, { epochs: 20, rate: 5e-3 }, maxTokens);
      await prepare();
      for (let step = 1; step <= training.steps; step += 1) losses.push((await training.run(step)).loss);
      const found = await measure();
      expect(found?.loss).toBeLessThan(0.2);
      expect(found?.measures).toEqual({ preference_accuracy: 1 });
      expect(found?.metrics).toMatchObject({ 'rewards/accuracies': 1 });
      expect(found?.metrics?.['rewards/margins']).toBeGreaterThan(2);
    }
    expect(losses[20]).toBeCloseTo(losses[0] ?? 0, 4);
  });

  it('for KTO says how far the model is from its start on the answers of other prompts', async () => {
    const model = openTiny(2);
    const { training, prepare } = open(model, SINGLE.slice(0, 2), { objective: 'kto' });
    const [one, other] = ANSWERS as [(typeof ANSWERS)[0], (typeof ANSWERS)[0]];
    // The second half of a row is its answer.
    const join = (prompt: typeof one, answer: typeof one) => {
      const [until, from] = [Math.ceil(prompt.tokens.length / 2), Math.ceil(answer.tokens.length / 2)];
      const pick = (name: 'tokens' | 'isTarget') => [
        ...prompt[name].subarray(0, until),
        ...answer[name].subarray(from),
      ];
      return { tokens: Int32Array.from(pick('tokens')), isTarget: Uint8Array.from(pick('isTarget')) };
    };
    const lossOf = (): number => model.measure(toBatch([join(one, other), join(other, one)])).lossSum;
    await prepare();
    const before = lossOf();
    for (let seed = 1; seed < 4; seed += 1) {
      move(model, seed);
      expect((await training.run(1)).metrics?.['kl']).toBeCloseTo(Math.max(0, (before - lossOf()) / 2), 3);
    }
  });

  it('has each answer once in each epoch, for KTO always in the same batches', async () => {
    const many = [SINGLE, SINGLE, SINGLE]
      .flat()
      .map(({ answers }) => ({ answers: answers.map((one) => ({ ...one })), isCut: false }));
    const { training } = open(openTiny(2), many, { objective: 'kto', epochs: 3 });
    const tokens: number[] = [];
    for (let step = 1; step <= training.steps; step += 1) tokens.push((await training.run(step)).tokens);
    const size = tokens.length / 3;
    expect(size).toBeGreaterThan(1);
    const epochs = [0, 1, 2].map((epoch) => tokens.slice(epoch * size, (epoch + 1) * size).toSorted((a, b) => a - b));
    expect(epochs).toEqual([epochs[0], epochs[0], epochs[0]]);
    expect(epochs[0]!.reduce((sum, count) => sum + count, 0)).toBe(3 * (75 - 6));
  });
});
