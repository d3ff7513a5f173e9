import { describe, expect, it } from 'vitest';
import { trainingEstimate } from '#trainer/shared/trainingEstimate.ts';
import { toModelBytes } from './memory.ts';
import { TINY } from './tinyModel.fixture.ts';

const SAMPLE = {
  ...TINY,
  layers: 4,
  width: 128,
  heads: 4,
  keyHeads: 4,
  headWidth: 32,
  innerWidth: 352,
  vocabulary: 1024,
  context: 512,
};
const LARGE = { ...SAMPLE, layers: 8, width: 384, heads: 6, keyHeads: 2, headWidth: 64, innerWidth: 1024 };
/** Node and what it has loaded; the rest of an estimate is the kernels' memory. */
const PROCESS = 110e6;

describe('the memory of a run', () => {
  it.each([
    { shape: SAMPLE, rank: null, longest: 100 },
    { shape: SAMPLE, rank: 8, longest: 512 },
    { shape: LARGE, rank: null, longest: 128 },
    { shape: LARGE, rank: 16, longest: 400 },
  ])('is what the estimate says, within a fifth: $rank, $longest', ({ shape, rank, longest }) => {
    const adapter = rank === null ? null : { rank, alpha: 16 };
    const bytes = toModelBytes({ shape, adapter, maxTokens: 1024, maxRow: longest }) + PROCESS;
    const input = { shape, rank, longest, tokens: 1e5, rows: 1000, epochs: 1, batchSize: 8, measuredSpeed: null };
    const estimate = trainingEstimate(input).memory.value;
    expect(estimate / bytes).toBeGreaterThan(0.8);
    expect(estimate / bytes).toBeLessThan(1.2);
  });
});
