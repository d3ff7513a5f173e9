import { expect, it } from 'vitest';
import { parseResponsesRequest } from './responses.ts';

const parse = (fields: object) => parseResponsesRequest({ model: 'm', ...fields });
const chatOf = (fields: object) => {
  const parsed = parse(fields);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.value.chat;
};
const user = { role: 'user', content: 'Hi' };

it.each([
  ['a text', { input: 'Hi' }, [user]],
  ['parts of text', { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }] }, [user]],
  ['instructions', { input: 'Hi', instructions: 'Be brief.' }, [{ role: 'system', content: 'Be brief.' }, user]],
  [
    'instructions before a system message',
    { input: [{ role: 'developer', content: 'b' }, user], instructions: 'a' },
    [{ role: 'developer', content: 'a\n\nb' }, user],
  ],
])('reads %s', (_, fields, messages) => expect(chatOf(fields).messages).toEqual(messages));

it('joins calls to the message of the assistant before them, and drops thoughts', () => {
  const call = (id: string) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'f', arguments: '{}' });
  const input = [
    user,
    { type: 'reasoning', id: 'rs', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.', annotations: [] }] },
    call('a'),
    call('b'),
    { type: 'function_call_output', call_id: 'a', output: '1' },
    { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: '2' }] },
    call('c'),
  ];
  const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
  expect(chatOf({ input }).messages).toEqual([
    user,
    { role: 'assistant', content: 'Look.', tool_calls: [toolCall('a'), toolCall('b')] },
    { role: 'tool', content: '1', tool_call_id: 'a' },
    { role: 'tool', content: '2', tool_call_id: 'b' },
    { role: 'assistant', content: null, tool_calls: [toolCall('c')] },
  ]);
});

it('reads tools, the choice, the format, and limits; null is as good as absent', () => {
  const schema = { type: 'object' };
  const tool = { type: 'function', name: 'f', parameters: schema, strict: true, description: null };
  expect(
    chatOf({
      input: 'Hi',
      tools: [tool],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 'x', schema, strict: true } },
      max_output_tokens: 5,
      temperature: 0,
      top_p: null,
      instructions: null,
      previous_response_id: null,
      store: true,
      include: ['reasoning.encrypted_content'],
    }),
  ).toEqual({
    model: 'm',
    messages: [user],
    tools: [{ type: 'function', function: { name: 'f', parameters: schema, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } },
    max_completion_tokens: 5,
    temperature: 0,
  });
});

it.each([
  [{ input: 'Hi', previous_response_id: 'resp_1' }, 'previous_response_id', 'Send the whole conversation as input'],
  [{ input: 'Hi', conversation: 'c' }, 'conversation', 'Send the whole conversation as input'],
  [{ input: 'Hi', background: true }, 'background', 'must be false'],
  [{ input: 'Hi', tools: [{ type: 'web_search' }] }, 'tools[0].type', '"function"'],
  [{ input: 'Hi', max_output_tokens: 0 }, 'max_output_tokens', 'at least 1'],
  [{ input: 'Hi', temperature: 3 }, 'temperature', 'at most 2'],
  [{ input: 'Hi', tool_choice: 'required' }, 'tool_choice', 'needs at least one entry in tools'],
  [{ input: [user, { role: 'system', content: 'a' }] }, 'input', 'only as the first message'],
  [{}, 'input', 'not valid'],
])('refuses %j and names the field', (fields, param, words) => {
  const parsed = parse(fields);
  expect(parsed).toMatchObject({ ok: false, problem: { param, message: expect.stringContaining(words) as string } });
});
