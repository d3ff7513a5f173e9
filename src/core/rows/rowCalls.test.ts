import { expect, it } from 'vitest';
import { countCharacters, findCalls } from './rowCalls.ts';

const call = { id: 'a', type: 'function' as const, function: { name: 'get', arguments: '{"id":' } };

it('finds calls of both forms, in order, and those that are damaged', () => {
  const content =
    'Let me look.<tool_call>{"name":"say","arguments":{"a":1}}</tool_call> <tool_call>{"name":</tool_call>' +
    '<tool_call>[1]</tool_call><tool_call>{"name":"cut"';
  expect(findCalls({ role: 'assistant', content, tool_calls: [call] })).toEqual([
    { name: 'get', arguments: '{"id":', isText: false },
    { name: 'say', arguments: '{"a":1}', isText: true },
    { name: '', arguments: '{"name":', isText: true },
    { name: '', arguments: '[1]', isText: true },
    { name: '', arguments: '{"name":"cut"', isText: true },
  ]);
  expect(findCalls({ role: 'user', content })).toEqual([]);
  expect(findCalls({ role: 'assistant', content: null })).toEqual([]);
});

it('reads many open tags in linear time', () => {
  expect(findCalls({ role: 'assistant', content: '<tool_call>'.repeat(100_000) })).toHaveLength(1);
});

it('counts characters of texts and calls', () => {
  const messages = [
    { role: 'user', content: 'ab' } as const,
    { role: 'assistant', content: null, tool_calls: [call] } as const,
  ];
  expect(countCharacters({ messages: structuredClone(messages) as never })).toBe(2 + 3 + 6);
});
