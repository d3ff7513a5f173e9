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
      20,
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

  /** The schema of one text, which `toText` gives for each of these rows. */
  const schemaOf = (count: number, toText: (at: number) => string, toQuestion = (_text: string) => 'Sort this.') => {
    const forms = Array.from({ length: count }, (_, at) => toText(at)).map((name) =>
      toRowForm({ messages: [user(toQuestion(name)), answer(JSON.stringify({ name }))] }),
    );
    return toAnswerFormat(forms, true)?.json_schema.schema['properties'];
  };
  const FREE = { name: { type: 'string' } };
  const NAMES = ['Ada', 'Björn', 'Chloé'];
  const CHOICES = { name: { type: 'string', enum: NAMES } };
  const toName = (at: number) => NAMES[at % 3]!;

  it('takes values for a fixed set only if they are few, and each is seen often', () => {
    expect(schemaOf(160, (at) => `n${at % 8}`)).not.toEqual(FREE);
    expect(schemaOf(1000, (at) => `n${at % 9}`)).toEqual(FREE);
    expect(schemaOf(60, toName)).toEqual(CHOICES);
    expect(schemaOf(59, toName)).toEqual(FREE);
    expect(schemaOf(1000, (at) => (at === 500 ? 'Zoe' : toName(at)))).toEqual(FREE);
    expect(schemaOf(60, (at) => NAMES[Math.floor(at / 20)]!)).toEqual(CHOICES);
  });

  it('takes no values for a fixed set that are read from the question, whatever their case', () => {
    expect(schemaOf(60, toName, (name) => `Two loaves for ${name.toUpperCase()}, please`)).toEqual(FREE);
    expect(schemaOf(60, toName, (name) => (name === 'Ada' ? 'It is for Ada.' : 'It is for her.'))).toEqual(CHOICES);
  });

  it('takes sentences for free texts', () => {
    expect(schemaOf(60, (at) => `Please send it back to the shop within ${at % 2} days.`)).toEqual(FREE);
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
