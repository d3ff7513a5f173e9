import { describe, expect, it } from 'vitest';
import { SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { toSampling, toSeed } from './sampling.ts';

describe('toSeed', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2 ** 32 + 7, 7],
    [-2, 2 ** 32 - 2],
    [Number.MAX_SAFE_INTEGER, 2 ** 32 - 2],
    [Number.MIN_SAFE_INTEGER, 1],
  ])('reduces %d to 32 bits: %d', (seed, reduced) => {
    expect(toSeed(seed)).toBe(reduced);
  });

  it("never is llama.cpp's word for a random seed", () => {
    for (const seed of [-1, 2 ** 32 - 1, 2 ** 33 - 1]) expect(toSeed(seed)).not.toBe(0xffff_ffff);
  });

  it('draws a seed when none is given', () => {
    expect(new Set(Array.from({ length: 20 }, () => toSeed(undefined))).size).toBeGreaterThan(15);
  });
});

describe('toSampling', () => {
  it.each(SAMPLING_NAMES)('hands %s on: both ends of its range make other options than the default', (name) => {
    const { min, max, fallback } = SAMPLING_PARAMETERS[name];
    const toOptions = (value: number): string =>
      JSON.stringify(toSampling({ messages: [], model: 'm', seed: 1, [name]: value }, [], 10));
    for (const value of [min, max].filter((end) => end !== fallback))
      expect(toOptions(value)).not.toBe(toOptions(fallback));
  });

  it('punishes what is generated later, too', () => {
    const generated: never[] = [];
    const { repeatPenalty } = toSampling({ messages: [], model: 'm', frequency_penalty: 1 }, generated, 10);
    const read = repeatPenalty?.punishTokens;
    generated.push(5 as never);
    expect(typeof read === 'function' ? read() : null).toEqual([5]);
    expect(repeatPenalty?.maxPunishTokens).toBeGreaterThan(10);
  });

  it('takes the most likely token for a top_p of 0, whatever the temperature', () => {
    const request = { messages: [], model: 'm', temperature: 2 };
    expect(toSampling({ ...request, top_p: 0 }, [], 10)).toMatchObject({ temperature: 0, topP: 1 });
    expect(toSampling({ ...request, top_p: 0.1 }, [], 10)).toMatchObject({ temperature: 2, topP: 0.1 });
    expect(toSampling({ ...request, top_p: null }, [], 10)).toMatchObject({ temperature: 2, topP: 1 });
  });

  it('asks for no penalty when there is none', () => {
    expect(toSampling({ messages: [], model: 'm' }, [], 10).repeatPenalty).toBeUndefined();
  });
});
