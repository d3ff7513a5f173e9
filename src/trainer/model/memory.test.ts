import { describe, expect, it } from 'vitest';
import { trainingEstimate } from '#trainer/shared/trainingEstimate.ts';
import { toThreadTokens } from '#trainer/shared/threads.ts';
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
/** Whose matrices are far smaller than the square of their widest side. */
const WIDE = { ...SAMPLE, innerWidth: 4096 };
const MANY_TOKENS = { ...LARGE, vocabulary: 49_152 };
/** Node and what it has loaded; the rest of an estimate is the kernels' memory. */
const PROCESS = 110e6;
/** Of the same for each thread. */
const THREAD = 10e6;

describe('the memory of a run', () => {
  it.each([
    { shape: SAMPLE, rank: null, longest: 100, threads: 1 },
    { shape: SAMPLE, rank: 8, longest: 512, threads: 1 },
    { shape: SAMPLE, rank: null, longest: 80, threads: 2 },
    { shape: LARGE, rank: null, longest: 128, threads: 4 },
    { shape: WIDE, rank: null, longest: 100, threads: 4 },
    { shape: WIDE, rank: 8, longest: 100, threads: 4 },
    { shape: MANY_TOKENS, rank: null, longest: 100, threads: 4 },
    { shape: MANY_TOKENS, rank: 8, longest: 100, threads: 8 },
    { shape: LARGE, rank: 16, longest: 400, threads: 1 },
    { shape: LARGE, rank: 16, longest: 400, threads: 2 },
  ])('is what the estimate says, within a fifth: $rank, $longest, $threads', ({ shape, rank, longest, threads }) => {
    const adapter = rank === null ? null : { rank, alpha: 16 };
    const maxTokens = toThreadTokens(threads, longest);
    const bytes = toModelBytes({ shape, adapter, maxTokens, maxRow: longest, threads }) + PROCESS + threads * THREAD;
    const input = {
      shape,
      rank,
      longest,
      tokens: 1e5,
      rows: 1000,
      epochs: 1,
      batchSize: 8,
      threads,
      measuredSpeed: null,
    };
    const estimate = trainingEstimate(input).memory.value;
    expect(estimate / bytes).toBeGreaterThan(0.8);
    expect(estimate / bytes).toBeLessThan(1.2);
  });
});
