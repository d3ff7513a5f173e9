import { describe, expect, it } from 'vitest';
import { findContinuation, toAnswerFormat, toRowForm, toTurnKind } from './exampleShape.ts';

const user = (content: string) => ({ role: 'user', content });
const answer = (content: string) => ({ role: 'assistant', content });
const row = (value: unknown) => ({ messages: [user('Sort this.'), answer(JSON.stringify(value))] });
const repeat = (values: readonly unknown[], count: number) =>
  Array.from({ length: count }, () => values.map(row)).flat();

describe('the schema of answers', () => {
  it('has the names of the answers in their order, with the choices of small fixed sets', () => {
    const rows = repeat(
      [
        { topic: 'billing', urgent: true, score: 1, tags: ['a'], note: null, at: { city: 'Bern' } },
        { topic: 'account', urgent: false, score: 2.5, tags: [], note: 'x', at: { city: 'Oslo' } },
      ],
      10,
    );
    expect(toAnswerFormat(rows.map(toRowForm), true)?.json_schema).toEqual({
      name: 'answer',
      strict: true,
      schema: {
        type: 'object',
        properties: {
          topic: { type: 'string', enum: ['account', 'billing'] },
          urgent: { type: 'boolean' },
          score: { type: 'number' },
          tags: { type: 'array', items: { type: 'string', enum: ['a'] } },
          note: { type: ['null', 'string'] },
          at: {
            type: 'object',
            properties: { city: { type: 'string', enum: ['Bern', 'Oslo'] } },
            required: ['city'],
            additionalProperties: false,
          },
        },
        required: ['topic', 'urgent', 'score', 'tags', 'note', 'at'],
        additionalProperties: false,
      },
    });
  });

  it('takes texts that rarely repeat for free texts', () => {
    const rows = Array.from({ length: 20 }, (_, index) => row({ name: `n${index % 5}` }));
    expect(toAnswerFormat(rows.map(toRowForm), true)?.json_schema.schema['properties']).toEqual({
      name: { type: 'string' },
    });
  });

  it('has no fixed sets where rows were left out', () => {
    const forms = repeat([{ topic: 'billing', tags: ['a'], at: { city: 'Bern' } }], 20).map(toRowForm);
    expect(JSON.stringify(toAnswerFormat(forms, true))).toContain('enum');
    expect(JSON.stringify(toAnswerFormat(forms, false))).not.toContain('enum');
  });

  it.each([
    ['a text', [row({ a: 1 }), { messages: [user('Hi'), answer('Hello')] }]],
    ['a list', [row([1])]],
    ['other names', [row({ a: 1 }), row({ a: 1, b: 2 })]],
    ['no rows', []],
  ])('is unknown with %s', (_, rows) => {
    expect(toAnswerFormat(rows.map(toRowForm), true)).toBeNull();
  });
});

it('tells rows with one question from conversations', () => {
  const single = { messages: [{ role: 'system', content: 'Sort.' }, user('a'), answer('b')] };
  expect(toTurnKind([single, single].map(toRowForm))).toBe('single');
  expect(toTurnKind([single, { messages: [user('a'), answer('b'), user('c'), answer('d')] }].map(toRowForm))).toBe(
    'multi',
  );
  expect(toTurnKind([])).toBeNull();
});

describe('going on after a tool result', () => {
  const written = { messages: [user('Cancel it.'), answer('<tool_call>{"name":"cancel"}</tool_call>')] };
  const listed = { messages: [user('Cancel it.'), { role: 'assistant', content: null, tool_calls: [{ id: '1' }] }] };

  it('is false where rows end with their calls', () => {
    expect(findContinuation([written].map(toRowForm))).toBe(false);
    expect(
      findContinuation([listed, { messages: [...listed.messages, { role: 'tool', content: '{}' }] }].map(toRowForm)),
    ).toBe(false);
  });

  it('is true where an answer follows a result', () => {
    const whole = { messages: [...listed.messages, { role: 'tool', content: '{}' }, answer('Done.')] };
    expect(findContinuation([written, whole].map(toRowForm))).toBe(true);
  });

  it('is unknown where nothing is called', () => {
    expect(findContinuation([row({ a: 1 })].map(toRowForm))).toBeNull();
  });
});
