// SPEC 4.3 as numbers. They are written out here again, so that a slip in a record is seen.
import { describe, expect, it } from 'vitest';
import { mapSampling, SAMPLING_NAMES, SAMPLING_PARAMETERS, toSamplingValues } from './samplingParameters.ts';

it.each([
  ['temperature', 0, 2, 0.7, true],
  ['top_p', 0, 1, 1, true],
  ['frequency_penalty', -2, 2, 0, false],
  ['presence_penalty', -2, 2, 0, false],
] as const)(
  '%s goes from %d to %d and is %d when not sent; null is taken: %s',
  (name, min, max, fallback, isNullable) => {
    expect(SAMPLING_PARAMETERS[name]).toMatchObject({ min, max, fallback, isNullable });
  },
);

it('lists every parameter once, in the order of the dashboard', () => {
  expect(SAMPLING_NAMES).toEqual(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty']);
  for (const face of ['label', 'about'] as const)
    expect(new Set(Object.values(mapSampling((name) => SAMPLING_PARAMETERS[name][face]))).size).toBe(
      SAMPLING_NAMES.length,
    );
});

describe.each(SAMPLING_NAMES)('%s', (name) => {
  const { min, max, step, fallback, label, about } = SAMPLING_PARAMETERS[name];

  it('has steps that reach both ends, and a default between them', () => {
    expect(Math.round((max - min) / step) * step).toBeCloseTo(max - min, 9);
    expect(fallback).toBeGreaterThanOrEqual(min);
    expect(fallback).toBeLessThanOrEqual(max);
  });

  it('has a label, and a sentence about what it does', () => {
    expect(label).toMatch(/^[A-Z]/);
    expect(about).toMatch(/^[A-Z].*\.$/);
  });

  it('is the default where a request leaves it open, and any value that is sent, 0 included', () => {
    expect(toSamplingValues({})[name]).toBe(fallback);
    expect(toSamplingValues({ [name]: null })[name]).toBe(fallback);
    for (const value of [min, max, 0]) expect(toSamplingValues({ [name]: value })[name]).toBe(value);
  });
});
