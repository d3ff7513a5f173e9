import { describe, expect, it } from 'vitest';
import type { ModelShape } from './canTrain.ts';
import { toSpeed, trainingEstimate, type EstimateInput, type TrainingEstimate } from './trainingEstimate.ts';

const SHAPE: ModelShape = {
  layers: 4,
  width: 128,
  heads: 4,
  keyHeads: 4,
  headWidth: 32,
  innerWidth: 352,
  vocabulary: 1024,
  context: 512,
  epsilon: 1e-5,
  ropeBase: 10_000,
  hasOutput: false,
};
const INPUT: EstimateInput = {
  shape: SHAPE,
  rank: null,
  tokens: 90_000,
  longest: 100,
  rows: 1_500,
  epochs: 3,
  batchSize: 8,
  threads: 1,
  measuredSpeed: null,
};

describe('an estimate', () => {
  it('counts tokens and steps', () => {
    const { steps, tokens } = trainingEstimate(INPUT);
    expect(tokens.value).toBe(270_000);
    expect(steps.value).toBe(3 * 90);
    expect(steps.formula).toContain('90,000 tokens of rows');
  });

  it.each([
    ['three rows of 75 tokens to a batch of 256', 75, 2, 1000 / 3],
    ['thirteen of them to one of 1,024', 75, 8, 1000 / 13],
    ['rows that are longer than a batch, each alone', 300, 2, 1000],
    ['short rows, of which the best fit leaves 2 % empty', 8, 8, 8000 / (1024 * 0.98)],
  ])('packs %s', (_, mean, batchSize, perEpoch) => {
    const { steps } = trainingEstimate({ ...INPUT, tokens: 1000 * mean, rows: 1000, batchSize });
    expect(steps.value).toBe(3 * Math.ceil(perEpoch));
  });

  it('takes the speed of finished runs where there are some', () => {
    const { seconds: usual, usualSeconds: none } = trainingEstimate(INPUT);
    const speed = toSpeed(SHAPE, { isAdapter: false, tokens: 270_000, seconds: 500 });
    const { seconds: own, usualSeconds } = trainingEstimate({ ...INPUT, measuredSpeed: speed, measuredRuns: 3 });
    expect([none, usualSeconds]).toEqual([null, usual]);
    expect(own.value).toBeCloseTo(500, 6);
    expect(usual.formula).toContain('not measured on this machine');
    expect(own.formula).toContain('from 3 finished runs here');
    expect(toSpeed(SHAPE, { isAdapter: false, tokens: 270_000, seconds: 0 })).toBeNull();
  });

  it('of an adapter takes less time, and its speed is that of a run of all weights', () => {
    const run = { isAdapter: true, tokens: 270_000, seconds: 500 };
    const own = trainingEstimate({ ...INPUT, rank: 8, measuredSpeed: toSpeed(SHAPE, run) });
    expect(own.seconds.value).toBeCloseTo(500, 6);
    expect(trainingEstimate({ ...INPUT, measuredSpeed: toSpeed(SHAPE, run) }).seconds.value).toBeCloseTo(600, 6);
  });

  it('needs less memory for an adapter than for all weights of a large model, and more for long rows', () => {
    const large = { ...INPUT, shape: { ...SHAPE, width: 512, innerWidth: 1408, layers: 8, vocabulary: 8192 } };
    const full = trainingEstimate(large).memory.value;
    expect(trainingEstimate({ ...large, rank: 8 }).memory.value).toBeLessThan(full);
    expect(trainingEstimate({ ...large, longest: 512 }).memory.value).toBeGreaterThan(full);
  });

  it('of a run on several threads is shorter, and of more memory', () => {
    const [one, two] = [1, 2].map((threads) => trainingEstimate({ ...INPUT, threads })) as [
      TrainingEstimate,
      TrainingEstimate,
    ];
    expect(one.seconds.value / two.seconds.value).toBeCloseTo(1.8);
    expect(two.seconds.formula).toContain('on 2 threads');
    expect(two.memory.value).toBeGreaterThan(one.memory.value);
    expect(two.memory.formula).toContain('20 bytes for each');
  });

  it('says what disk it needs where the file of the base model is known', () => {
    expect(trainingEstimate(INPUT).disk).toBeNull();
    expect(trainingEstimate({ ...INPUT, fileBytes: 1_000_000 }).disk).toEqual({
      value: 88_000_000,
      formula: "24 x 1,000,000 bytes of the base model's file, and 64 MB",
    });
  });

  it('takes one step for few rows', () => {
    expect(trainingEstimate({ ...INPUT, tokens: 200, epochs: 2 }).steps.value).toBe(2);
  });
});

it('preferences take a pass of the starting model more, KTO one of mismatched answers, and a pair room for both', () => {
  const [sft, dpo, kto] = (['sft', 'dpo', 'kto'] as const).map((objective) =>
    trainingEstimate({ ...INPUT, epochs: 2, longest: 800, objective }),
  );
  expect((dpo?.seconds.value ?? 0) / (sft?.seconds.value ?? 1)).toBeCloseTo(7 / 6, 5);
  expect((kto?.seconds.value ?? 0) / (sft?.seconds.value ?? 1)).toBeCloseTo(10 / 6, 5);
  expect(dpo?.memory.value).toBeGreaterThan(kto?.memory.value ?? 0);
});
