import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseChatRequest } from './chatRequest.ts';
import { chatMessageSchema, toolChoiceSchema, toolSchema } from './chatMessage.ts';
import { completionSchema } from './completion.ts';
import { countSchema, uuidSchema } from './schemas.ts';
import { projectResponseSchema } from './tree.ts';

afterEach(() => vi.unstubAllGlobals());

it('makes no code from text, which the CSP of the page forbids', () => {
  vi.stubGlobal('Function', () => {
    throw new EvalError('Refused to evaluate a string as JavaScript');
  });
  expect(parseChatRequest({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], temperature: 2 }).ok).toBe(true);
  expect(projectResponseSchema.safeParse({}).success).toBe(false);
  expect(completionSchema.safeParse({}).success).toBe(false);
});

it('counts in whole numbers from 0', () => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) expect(countSchema.safeParse(value).success).toBe(true);
  for (const value of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, '1', null])
    expect(countSchema.safeParse(value).success).toBe(false);
});

it('takes UUIDs only', () => {
  expect(uuidSchema.safeParse('3F0C1A52-7b1e-4a1d-9c55-0123456789ab').success).toBe(true);
  for (const value of ['', 'x', 5, null, '3f0c1a52-7b1e-4a1d-9c55-0123456789ab/..'])
    expect(uuidSchema.safeParse(value).success).toBe(false);
});

describe('messages and tools', () => {
  const isGood = (message: object): boolean => chatMessageSchema.safeParse(message).success;

  it('takes each role of SPEC 2.3 and of the clients that speak the same form', () => {
    for (const role of ['system', 'developer', 'user', 'assistant', 'tool'])
      expect(isGood({ role, content: 'a' })).toBe(true);
    for (const role of ['function', 'System', '', null, undefined]) expect(isGood({ role, content: 'a' })).toBe(false);
  });

  it('takes a name and a call id that are texts', () => {
    expect(isGood({ role: 'user', content: 'a', name: 'Ada', tool_call_id: 'c' })).toBe(true);
    expect(isGood({ role: 'user', content: 'a', name: 5 })).toBe(false);
    expect(isGood({ role: 'tool', content: 'a', tool_call_id: null })).toBe(false);
  });

  it('keeps the parameters of a tool as they are, and drops what it does not know', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string', 'x-note': 1 } }, required: ['city'] };
    const tool = { type: 'function', function: { name: 'f', description: 'd', parameters, strict: null } };
    expect(toolSchema.parse({ ...tool, cache: true })).toEqual(tool);
  });

  it('drops what a named choice holds beside the name', () => {
    const choice = { type: 'function', function: { name: 'f' } };
    expect(toolChoiceSchema.parse({ ...choice, extra: 1 })).toEqual(choice);
  });
});
