// SPEC 4.3 and ours as numbers. They are written out here again, so that a slip in a record is seen.
import { describe, expect, it } from 'vitest';
import {
  dropNarrowing,
  mapSampling,
  readSupported,
  SAMPLING_NAMES,
  SAMPLING_PARAMETERS,
  toSamplingValues,
} from './samplingParameters.ts';

it.each([
  ['temperature', 0, 2, 0.7, true],
  ['top_p', 0, 1, 1, true],
  ['top_k', 0, 1000, 0, true],
  ['min_p', 0, 1, 0, true],
  ['frequency_penalty', -2, 2, 0, false],
  ['presence_penalty', -2, 2, 0, false],
  ['repetition_penalty', 0.1, 2, 1, true],
] as const)(
  '%s goes from %d to %d and is %d when not sent; null is taken: %s',
  (name, min, max, fallback, isNullable) => {
    expect(SAMPLING_PARAMETERS[name]).toMatchObject({ min, max, fallback, isNullable });
  },
);

it('lists every parameter once, in the order of the dashboard', () => {
  expect(SAMPLING_NAMES).toEqual([
    'temperature',
    'top_p',
    'top_k',
    'min_p',
    'frequency_penalty',
    'presence_penalty',
    'repetition_penalty',
  ]);
  for (const face of ['label', 'about'] as const)
    expect(new Set(Object.values(mapSampling((name) => SAMPLING_PARAMETERS[name][face]))).size).toBe(
      SAMPLING_NAMES.length,
    );
});

it('at temperature 0 what narrows the choice of tokens is left out, and nothing else', () => {
  const fields = { temperature: 0, top_p: 0.9, top_k: 5, min_p: 0.1, repetition_penalty: 1.1, seed: 3 };
  expect(dropNarrowing(fields)).toEqual({ temperature: 0, repetition_penalty: 1.1, seed: 3 });
});

it.each([
  [{ supported_parameters: ['temperature', 'min_p', 'logprobs', 7] }, { supported_parameters: ['min_p', 'logprobs'] }],
  [{ supported_parameters: [] }, { supported_parameters: [] }],
  [{ supported_parameters: 'top_k' }, {}],
  [{}, {}],
  [null, {}],
])('of the model %j it is known that it takes %j', (entry, known) => expect(readSupported(entry)).toEqual(known));

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
