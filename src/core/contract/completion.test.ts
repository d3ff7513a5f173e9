// SPEC 2.4: the shape of answers, of stream chunks (ASSUMED) and of the list of models.
import { describe, expect, it } from 'vitest';
import { chunkSchema, completionSchema, modelListSchema } from './completion.ts';

const usage = { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 };
const message = { role: 'assistant', content: 'Hi' };
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1763650000,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message }],
  system_fingerprint: 'fp',
  usage,
};

describe('completion', () => {
  const isGood = (change: object): boolean => completionSchema.safeParse({ ...completion, ...change }).success;
  const withMessage = (change: object): object => ({
    choices: [{ index: 0, finish_reason: 'stop', message: { ...message, ...change } }],
  });

  it('may leave out what SPEC lets it leave out', () => {
    for (const change of [{}, { usage: undefined }, { system_fingerprint: null }, { system_fingerprint: undefined }])
      expect(isGood(change)).toBe(true);
  });

  it('may call tools instead of saying something', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    expect(isGood(withMessage({ content: null, tool_calls }))).toBe(true);
    expect(isGood(withMessage({ tool_calls: [{ ...tool_calls[0], id: undefined }] }))).toBe(false);
  });

  it.each<object>([
    { id: undefined },
    { object: 'chat.completion.chunk' },
    { created: 1.5 },
    { created: '2025' },
    { model: null },
    { choices: undefined },
    { choices: [{ index: 0, message }] },
    { choices: [{ index: 0, finish_reason: 'eos', message }] },
    { choices: [{ index: -1, finish_reason: 'stop', message }] },
    withMessage({ role: 'user' }),
    withMessage({ content: undefined }),
    { usage: null },
    { usage: { completion_tokens: 1, prompt_tokens: 1 } },
    { usage: { ...usage, total_tokens: -1 } },
    { extra: 1 },
  ])('refuses %j', (change) => expect(isGood(change)).toBe(false));
});

describe('chunk', () => {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const isGood = (choices: unknown, rest: object = {}): boolean =>
    chunkSchema.safeParse({ ...chunk, choices, ...rest }).success;
  const choice = (delta: unknown, finish_reason: unknown = null): unknown[] => [{ index: 0, delta, finish_reason }];

  it('takes the steps of a stream', () => {
    expect(isGood(choice({ role: 'assistant', content: '' }))).toBe(true);
    expect(isGood(choice({ content: 'a' }))).toBe(true);
    expect(isGood(choice({ reasoning_content: 'a' }))).toBe(true);
    expect(
      isGood(choice({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] })),
    ).toBe(true);
    expect(isGood(choice({ tool_calls: [{ index: 0, function: { arguments: '{' } }] }))).toBe(true);
    expect(isGood(choice({}, 'stop'))).toBe(true);
    expect(isGood([], { usage })).toBe(true);
    expect(isGood(choice({}), { usage: null, system_fingerprint: null })).toBe(true);
  });

  it('refuses what our service must not send', () => {
    expect(isGood(undefined)).toBe(false);
    expect(isGood(choice(undefined))).toBe(false);
    expect(isGood(choice({ role: 'user' }))).toBe(false);
    expect(isGood(choice({ text: 'a' }))).toBe(false);
    expect(isGood(choice({ tool_calls: [{ function: {} }] }))).toBe(false);
    expect(isGood([{ index: 0, delta: {} }])).toBe(false);
    expect(isGood([], { object: 'chat.completion' })).toBe(false);
  });
});

it('lists models', () => {
  const entry = { id: 'm', object: 'model', created: 1, owned_by: 'studio' };
  expect(modelListSchema.safeParse({ object: 'list', data: [entry] }).success).toBe(true);
  expect(modelListSchema.safeParse({ object: 'list', data: [{ ...entry, path: '/secret' }] }).success).toBe(false);
  expect(modelListSchema.safeParse({ data: [entry] }).success).toBe(false);
});
