import { expect, it } from 'vitest';
import { isOwnSampling, SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { findRefused, listOmitted, toUpstreamBody, type OwnField } from './upstreamRequest.ts';

it.each(SAMPLING_NAMES.filter((name) => !isOwnSampling(name)))('%s is sent as it is set', (name) => {
  const { min, max } = SAMPLING_PARAMETERS[name];
  for (const value of [(min + max) / 2, max])
    expect(toUpstreamBody({ model: 'm', messages: [], [name]: value })[name]).toBe(value);
});

const ASKED = { model: 'm', messages: [] };
const refusal = (message: string, param: string | null = null) => ({ message, param });

it.each([
  ['by its param', ASKED, refusal('Unsupported value.', 'temperature'), 'temperature'],
  ['by its name', ASKED, refusal("Unexpected fields in the request: {'presence_penalty'}"), 'presence_penalty'],
  [
    'the older limit',
    { ...ASKED, max_completion_tokens: 5 },
    refusal("'max_tokens' is not supported. Use 'max_completion_tokens'.", 'max_tokens'),
    'max_tokens',
  ],
  [
    'the older of both limits',
    { ...ASKED, max_completion_tokens: 5 },
    refusal('Set max_tokens or max_completion_tokens, not both.'),
    'max_tokens',
  ],
  [
    'the newer limit',
    { ...ASKED, max_completion_tokens: 5 },
    refusal('Unknown: max_completion_tokens'),
    'max_completion_tokens',
  ],
  ['the wish for usage', ASKED, refusal('Unknown field stream_options'), 'stream_options'],
])('finds the field of ours that a server refuses %s', (_, request, said, name) => {
  expect(findRefused(request, new Set(), said)).toBe(name);
  expect(toUpstreamBody(request, new Set([name as OwnField]))[name as 'seed']).toBeUndefined();
});

it.each([
  ['was asked for', { ...ASKED, temperature: 1 }, refusal('Unsupported value.', 'temperature')],
  ['is the temperature that stands for a top_p of 0', { ...ASKED, top_p: 0 }, refusal('No.', 'temperature')],
  ['is the only limit', { ...ASKED, max_completion_tokens: 5 }, refusal('No.', 'max_completion_tokens'), 'max_tokens'],
  ['is another one', ASKED, refusal('No.', 'messages')],
  ['was left out already', ASKED, refusal('No.', 'temperature'), 'temperature'],
] as const)('finds none where what is refused %s', (_, request, said, left?: OwnField) => {
  expect(findRefused({ ...request, messages: [] }, new Set(left === undefined ? [] : [left]), said)).toBeNull();
});

it('sends a field that the server has refused if it was asked for', () => {
  const left = new Set<OwnField>(['temperature']);
  expect(toUpstreamBody({ ...ASKED, temperature: 1 }, left)['temperature']).toBe(1);
  expect(listOmitted({ ...ASKED, temperature: 1 }, left)).toEqual([]);
  expect(listOmitted(ASKED, left)).toEqual(['temperature']);
});
