import { describe, expect, it } from 'vitest';
import type { ChatRow } from './chatRow.ts';
import { toChatRow } from './readRow.ts';
import { findColumn, type RowMapping } from './rowMapping.ts';

function mapped(value: unknown, mapping: RowMapping): ChatRow | string {
  const result = toChatRow({ number: 1, text: JSON.stringify(value) }, mapping);
  return result.ok ? result.row : result.problem.message;
}
const pair = (question: readonly string[], answer: string, extras: object = {}): RowMapping => ({
  kind: 'pair',
  question,
  answer,
  ...extras,
});

describe('rows by a mapping', () => {
  it('joins the columns of a question, and reads numbers', () => {
    const mapping = pair(['q', 'data.context'], 'a', { system: 's', tools: 't' });
    expect(mapped({ q: 'Q', data: { context: 'C' }, a: 5, s: 'S', t: [{ name: 'x' }] }, mapping)).toEqual({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Q\n\nC' },
        { role: 'assistant', content: '5' },
      ],
      tools: [{ type: 'function', function: { name: 'x' } }],
    });
    expect(mapped({ q: 'Q', a: '' }, mapping)).toMatchObject({ messages: [{ content: 'Q' }, { content: '' }] });
    expect(mapped({ q: '', a: 'A' }, mapping)).toContain('"q"');
    expect(mapped({ q: 'Q' }, mapping)).toContain('"a"');
    expect(mapped({ q: {}, a: 'A' }, mapping)).toContain('holds no text');
  });

  it.each([
    [{ item: 'flour', qty: 2, from: { é: [] } }, '{"item":"flour","qty":2,"from":{"é":[]}}'],
    [['a', null, 1.5], '["a",null,1.5]'],
    [{}, '{}'],
    [[], '[]'],
    [0, '0'],
    [false, 'false'],
    ['{ "a": 1 }', '{ "a": 1 }'],
  ])('writes the answer %j as JSON text, and a text as it is', (label, text) => {
    const mapping = pair(['note'], 'label');
    expect(mapped({ note: '2 kg flour', label }, mapping)).toMatchObject({
      messages: [{ content: '2 kg flour' }, { role: 'assistant', content: text }],
    });
  });

  it('reads an answer within an object, which may be an object too', () => {
    const row = { note: 'N', label: { item: 'flour', more: { qty: 2 }, none: null } };
    const answerOf = (answer: string): unknown => mapped(row, pair(['note'], answer));
    expect(answerOf('label.item')).toMatchObject({ messages: [{ content: 'N' }, { content: 'flour' }] });
    expect(answerOf('label.more')).toMatchObject({ messages: [{ content: 'N' }, { content: '{"qty":2}' }] });
    expect(answerOf('label.more.qty')).toMatchObject({ messages: [{ content: 'N' }, { content: '2' }] });
    expect(answerOf('label.none')).toBe('No text is in "label.none".');
    expect(answerOf('label.other')).toBe('No text is in "label.other".');
  });

  it('has no answer in null, and none that no JSON writer can follow', () => {
    const mapping = pair(['q'], 'a');
    expect(mapped({ q: 'Q', a: null }, mapping)).toBe('No text is in "a".');
    const depth = 50_000;
    const text = `{"q":"Q","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const read = toChatRow({ number: 1, text }, mapping);
    expect(read).toMatchObject({ ok: false, problem: { message: expect.stringContaining('nested too deeply') } });
  });

  it('reads a list of messages with its own names', () => {
    const mapping: RowMapping = {
      kind: 'list',
      messages: 'turns',
      role: 'who',
      content: 'said',
      roles: { customer: 'user', agent: 'assistant' },
    };
    const turns = [
      { who: 'customer', said: 'Q' },
      { who: 'agent', said: 'A' },
    ];
    expect(mapped({ turns }, mapping)).toEqual({
      messages: [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: 'A' },
      ],
    });
    // What a name that is known says is kept.
    const call = { who: 'function_call', said: '{"name":"find","arguments":{}}' };
    expect(mapped({ turns: [...turns, call] }, mapping)).toMatchObject({
      messages: [{}, {}, { role: 'assistant', tool_calls: [{ function: { name: 'find', arguments: '{}' } }] }],
    });
    expect(mapped({ turns: [{ who: 'bird', said: 'A' }] }, mapping)).toContain('"roles"');
    expect(mapped({ turns: [{ said: 'A' }] }, mapping)).toContain('not known');
    expect(mapped({ turns: [5] }, mapping)).toContain('an object');
    expect(mapped({ turns: 'x' }, mapping)).toContain('No list');
    expect(mapped({ turns: [{ who: '__proto__', said: 'A' }] }, mapping)).toContain('not known');
  });

  it('names the fields that it leaves out', () => {
    const result = toChatRow({ number: 1, text: '{"q":"Q","a":"A","id":1,"x.y":2}' }, pair(['q'], 'a'));
    expect(result).toMatchObject({ ok: true, leftOut: ['id', 'x.y'], isSame: false });
  });
});

describe('findColumn', () => {
  it('takes a whole name before a path, and no inherited property', () => {
    expect(findColumn({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
    expect(findColumn({ a: { b: 2 } }, 'a.b')).toBe(2);
    expect(findColumn({ a: 5 }, 'a.b')).toBeUndefined();
    expect(findColumn({}, 'constructor')).toBeUndefined();
    expect(findColumn({ a: {} }, 'a.__proto__.toString')).toBeUndefined();
  });
});
