import { expect, it } from 'vitest';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { SAMPLING_NAMES, SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { readParameters, toChatRequest, type ChatParameters } from './chatParameters.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const build = (parameters: ChatParameters) => toChatRequest({ model: 'm', messages, parameters });
const BARE = { model: 'm', messages, stream: true };
const tools = [{ type: 'function' as const, function: { name: 'f' } }];

it('sends nothing that is not set', () => {
  expect(build({})).toEqual(BARE);
  expect(Object.keys(build({ temperature: undefined, stop: [], tools: [], seed: undefined })).sort()).toEqual([
    'messages',
    'model',
    'stream',
  ]);
});

it.each<ChatParameters>([
  { temperature: 0 },
  { top_p: 0 },
  { frequency_penalty: -2 },
  { presence_penalty: 0 },
  { max_completion_tokens: 1 },
  { seed: 0 },
  { stop: ['a, b', '\n'] },
  { response_format: { type: 'json_object' } },
  { tools },
  { tools, tool_choice: 'none' },
])('sends what is set, 0 included: %j', (parameters) => {
  expect(build(parameters)).toEqual({ ...BARE, ...parameters });
  expect(parseChatRequest(build(parameters)).ok).toBe(true);
});

it('sends no tool_choice without a tool to choose', () => {
  expect(build({ tool_choice: 'auto' })).toEqual(BARE);
  expect(build({ tool_choice: 'required', tools: [] })).toEqual(BARE);
});

it('asks the local studio for usage, and sends a remote one only what SPEC lists', () => {
  const forMode = (mode: 'local' | 'gateway' | null) => toChatRequest({ model: 'm', messages, parameters: {}, mode });
  expect(forMode('local')).toEqual({ ...BARE, stream_options: { include_usage: true } });
  for (const mode of ['gateway', null] as const) expect('stream_options' in forMode(mode)).toBe(false);
});

it.each(SAMPLING_NAMES)('%s is sent, and read from what is stored, from end to end of its range', (name) => {
  const { min, max } = SAMPLING_PARAMETERS[name];
  for (const value of [min, max]) {
    expect(build({ [name]: value })).toEqual({ ...BARE, [name]: value });
    expect(readParameters({ [name]: value })).toEqual({ [name]: value });
  }
  for (const value of [min - 0.01, max + 0.01, null, String(min)])
    expect(readParameters({ [name]: value })).toEqual({});
});

it("leaves undefined fields of a message out, and the caller's lists alone", () => {
  const stop = ['a'];
  const request = toChatRequest({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi', name: undefined, tool_calls: undefined }],
    parameters: { stop },
  });
  expect(Object.keys(request.messages[0] ?? {})).toEqual(['role', 'content']);
  expect(request.stop).not.toBe(stop);
});

it('reads stored parameters that are within the limits, and nothing else', () => {
  const kept = {
    temperature: 0,
    top_p: 1,
    frequency_penalty: -2,
    presence_penalty: 2,
    max_completion_tokens: 1,
    seed: -7,
    stop: ['a,b'],
  };
  expect(readParameters(kept)).toEqual(kept);
  const wrong = {
    temperature: 2.01,
    top_p: '1',
    frequency_penalty: Number.NaN,
    presence_penalty: -2.5,
    max_completion_tokens: 0,
    seed: 1.5,
    stop: [1, ''],
  };
  expect(readParameters(wrong)).toEqual({});
  for (const value of [null, [], 'text', 7, undefined, JSON.parse('{"__proto__":{"temperature":1}}')])
    expect(readParameters(value)).toEqual({});
});

it('a whole number stays one, and log probabilities are asked for only where they are wished for', () => {
  expect(readParameters({ top_k: 20.5, min_p: 0.05, repetition_penalty: 0, logprobs: 'yes' })).toEqual({ min_p: 0.05 });
  expect(readParameters({ top_k: 20, logprobs: true })).toEqual({ top_k: 20, logprobs: true });
  const toSent = (parameters: ChatParameters) => toChatRequest({ model: 'm', messages: [], parameters });
  expect(toSent({ logprobs: true })).toMatchObject({ logprobs: true, top_logprobs: 5 });
  expect(Object.keys(toSent({ logprobs: false }))).toEqual(['model', 'messages', 'stream']);
});
