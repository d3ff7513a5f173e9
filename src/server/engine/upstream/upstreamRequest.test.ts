import { expect, it } from 'vitest';
import { SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#shared/contract/samplingParameters.ts';
import { toUpstreamBody } from './upstreamRequest.ts';

it.each(SAMPLING_NAMES)('%s is sent as it is set', (name) => {
  const { min, max } = SAMPLING_PARAMETERS[name];
  for (const value of [(min + max) / 2, max])
    expect(toUpstreamBody({ model: 'm', messages: [], [name]: value })[name]).toBe(value);
});
