import { describe, expect, it } from 'vitest';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { cleanNulls } from './nullArguments.ts';

const toRow = (given: unknown, properties: object, more: object = {}): ChatRow => ({
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'f', arguments: typeof given === 'string' ? given : JSON.stringify(given) },
        },
      ],
    },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties, ...more } } }],
});
const argumentsOf = (row: ChatRow): unknown => row.messages[1]?.tool_calls?.[0]?.function.arguments;

describe('cleanNulls', () => {
  it.each([
    ['a name that the tool does not have', { a: 1, b: null }, { a: { type: 'integer' } }, '{"a":1}'],
    ['a value that may not be null', { a: null }, { a: { type: 'string' } }, '{}'],
    ['inside an object', { a: { b: 1, c: null } }, { a: { type: 'object', properties: { b: {} } } }, '{"a":{"b":1}}'],
  ])('takes out %s', (_name, given, properties, text) => {
    expect(argumentsOf(cleanNulls(toRow(given, properties)))).toBe(text);
  });

  it.each([
    ['a type with null', { a: null }, { a: { type: ['string', 'null'] } }],
    ['one of several', { a: null }, { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }],
    ['a value of a set', { a: null }, { a: { enum: ['x', null] } }],
    ['no type', { a: null }, { a: {} }],
    ['OpenAPI', { a: null }, { a: { type: 'string', nullable: true } }],
    ['values of a free object', { a: { b: null } }, { a: { type: 'object' } }],
    ['a text', { a: 'null' }, { a: { type: 'string' } }],
    ['broken arguments', '{"a":null', { a: { type: 'string' } }],
  ])('leaves what the schema allows: %s', (_name, given, properties) => {
    const row = toRow(given, properties);
    expect(cleanNulls(row)).toBe(row);
  });

  it('takes out what other tools left in a schema, but no null that it means', () => {
    const properties = { a: { type: 'string', default: null, enum: ['x', null], description: null }, b: null };
    const cleaned = cleanNulls(toRow({}, properties, { required: null }));
    expect(cleaned.tools?.[0]?.function.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string', default: null, enum: ['x', null] } },
    });
  });

  it('is of both answers of a pair, and of no row without tools', () => {
    const { messages, tools } = toRow({ a: null }, { a: { type: 'string' } });
    const [ask, call] = messages;
    if (!ask || !call || !tools) throw new Error('It has both.');
    const pair = cleanNulls({ messages: [ask], tools, chosen: [call], rejected: [call] });
    expect([pair.chosen, pair.rejected].map((answer) => answer?.[0]?.tool_calls?.[0]?.function.arguments)).toEqual([
      '{}',
      '{}',
    ]);
    const bare = { messages };
    expect(cleanNulls(bare)).toBe(bare);
  });
});
