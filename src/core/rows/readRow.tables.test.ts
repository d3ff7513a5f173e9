import { describe, expect, it } from 'vitest';
import { read, rowOf, problemOf, user, assistant, tool, call } from './readRow.fixture.ts';
import { recogniseForm } from '#features/datasets/shared/recogniseForm.ts';

describe('spellings of other tools', () => {
  it('have calls as the text of a message of their own role', () => {
    const text = '{"name":"get_order","arguments":{"id":7}}';
    for (const [asks, answers] of [
      ['function_call', 'observation'],
      ['tool_call', 'tool_response'],
    ])
      expect(
        rowOf({ messages: [user, { role: asks, content: text }, { role: answers, content: '1' }, assistant] }).messages,
      ).toEqual([
        user,
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ ...call, id: 'call_1', function: { name: 'get_order', arguments: '{"id":7}' } }],
        },
        { role: 'tool', content: '1', tool_call_id: 'call_1' },
        assistant,
      ]);
  });

  it('have NaN where a table has no value, and it is said what to write', () => {
    expect(problemOf('{"messages":[],"score":NaN}').message).toContain(
      'Python writes NaN where a table has no value: write null',
    );
    expect(problemOf('{"messages":[],"score":-Infinity}').message).toContain('write null');
    expect(problemOf('{"messages":[],"score":no}').message).not.toContain('NaN');
  });
});

describe('rows as tables keep them', () => {
  const messages = [user, assistant];

  it('have a system text beside their messages', () => {
    const system = { role: 'system', content: 'Be kind.' };
    expect(read({ system: 'Be kind.', messages })).toMatchObject({
      isSame: false,
      leftOut: [],
      row: { messages: [system, ...messages] },
    });
    expect(read({ system: 'Be rude.', messages: [system, ...messages] })).toMatchObject({ leftOut: ['system'] });
    expect(problemOf('{"system":"a","messages":[{"role":"bird"}]}').column).toBe(35);
  });

  it('have lists, messages and parameters of tools as JSON text', () => {
    expect(rowOf({ messages: JSON.stringify(messages) }).messages).toEqual(messages);
    expect(rowOf({ messages: messages.map((message) => JSON.stringify(message)) }).messages).toEqual(messages);
    const texts = JSON.stringify([
      { from: 'human', value: 'Hi' },
      { from: 'gpt', value: 'Hello' },
    ]);
    expect(rowOf({ conversations: texts }, 'sharegpt').messages).toEqual(messages);
    const written = { ...tool, function: { ...tool.function, parameters: JSON.stringify(tool.function.parameters) } };
    expect(rowOf({ messages, tools: [written] }).tools).toEqual([tool]);
  });

  it('are named where Python printed them', () => {
    const text = "[{'role': 'user', 'content': 'Hi'}, {'role': 'assistant', 'content': \"it's\"}]";
    expect(recogniseForm([JSON.stringify({ messages: text })]).form).toBe('chat');
    expect(problemOf({ messages: text }).message).toContain(
      'as Python prints a list, not JSON. Write them with json.dumps',
    );
  });
});
