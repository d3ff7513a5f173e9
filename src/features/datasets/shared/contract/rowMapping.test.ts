import { describe, expect, it } from 'vitest';
import { parseMapping } from './rowMapping.ts';

describe('parseMapping', () => {
  it('reads both kinds, with and without `kind`', () => {
    expect(parseMapping({ question: 'q', answer: 'a', system: null })).toEqual({
      ok: true,
      value: { kind: 'pair', question: ['q'], answer: 'a' },
    });
    expect(parseMapping({ messages: 'turns', roles: { customer: 'user', agent: 'assistant' } })).toEqual({
      ok: true,
      value: {
        kind: 'list',
        messages: 'turns',
        role: 'role',
        content: 'content',
        roles: { customer: 'user', agent: 'assistant' },
      },
    });
  });

  it.each([
    [null, 'it must be an object'],
    [[], 'it must be an object'],
    [{}, 'question'],
    [{ question: [], answer: 'a' }, 'question'],
    [{ question: 'q' }, 'answer'],
    [{ question: 'q', answer: 'a', tools: 5 }, 'tools'],
    [{ question: 'q', answer: 'a', system: {} }, 'system'],
    [{ kind: 'other' }, 'kind'],
    [{ kind: 'list' }, 'messages'],
    [{ messages: 'm', role: 5 }, 'role'],
    [{ messages: 'm', content: '' }, 'content'],
    [{ messages: 'm', roles: [] }, 'roles'],
    [{ messages: 'm', roles: { x: 'bird' } }, 'x'],
    [{ question: 'q'.repeat(201), answer: 'a' }, 'question'],
    [JSON.parse('{"__proto__":{"question":"q","answer":"a"}}'), 'question'],
  ])('refuses %j', (value, reason) => {
    const read = parseMapping(value);
    expect(read.ok ? '' : read.reason).toContain(reason);
  });
});
