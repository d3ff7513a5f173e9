import { describe, expect, it } from 'vitest';
import { readObjectRow } from './chatRow.ts';

const user = { role: 'user', content: 'u' };
const call = (args: unknown, more = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: args } }],
  ...more,
});
const read = (row: object) => {
  const made = readObjectRow(row as Record<string, unknown>);
  return made.ok
    ? {
        messages: made.row.messages,
        expected: made.row.expected,
        variables: Object.fromEntries(made.row.variables),
        ...(made.note !== undefined && { note: made.note }),
      }
    : made.message;
};

describe('chats', () => {
  it('that end in a call with a text for arguments expect that text', () => {
    expect(read({ messages: [user, call('"7"')] })).toMatchObject({ expected: '[{"name":"f","arguments":"\\"7\\""}]' });
  });

  it.each([['{"a": 1}'], [{ a: 1 }]])('that end in a call of tools expect it with parsed arguments: %j', (args) => {
    expect(read({ messages: [user, call(args)] })).toEqual({
      messages: [user],
      expected: '[{"name":"f","arguments":{"a":1}}]',
      variables: {},
    });
  });

  it('say that a text beside expected calls is left out', () => {
    expect(read({ messages: [user, call('{}', { content: 'One moment.' })] })).toMatchObject({
      expected: '[{"name":"f","arguments":{}}]',
      note: 'The text beside the expected tool calls is left out.',
    });
  });

  it('keep calls and results that stand before, whatever ids they have', () => {
    const bare = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }, { name: 'g' }] };
    expect(
      read({
        messages: [
          user,
          bare,
          { role: 'tool', content: '1' },
          { role: 'tool', content: '2' },
          { role: 'assistant', content: 'done' },
        ],
      }),
    ).toEqual({
      messages: [
        user,
        {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
            { id: 'call_2', type: 'function', function: { name: 'g', arguments: '{}' } },
          ],
        },
        { role: 'tool', content: '1', tool_call_id: 'call_1' },
        { role: 'tool', content: '2', tool_call_id: 'call_2' },
      ],
      expected: 'done',
      variables: {},
    });
  });

  it('make no id that another call of the chat has, whether it came before or comes later', () => {
    const bare = (...ids: readonly (string | undefined)[]) => ({
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, name: 'f', arguments: '{}' })),
    });
    const results = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ role: 'tool', content: String(at) }));
    const made = readObjectRow({
      messages: [user, bare('call_2', undefined), ...results(2), bare(undefined, 'call_1'), ...results(2), user],
    });
    const messages = made.ok ? (made.row.messages ?? []) : [];
    const ids = ['call_2', 'call_3', 'call_4', 'call_1'];
    expect(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))).toEqual(ids);
    expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
  });

  it('give a result without an id to the first call that has none', () => {
    const two = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', name: 'f' },
        { id: 'b', name: 'g' },
      ],
    };
    const made = readObjectRow({
      messages: [user, two, { role: 'tool', content: '2', tool_call_id: 'b' }, { role: 'tool', content: '1' }],
    });
    expect(made.ok && made.row.messages?.map(({ tool_call_id: id }) => id)).toEqual([undefined, undefined, 'b', 'a']);
  });

  it('of 20,000 messages take no longer for each', () => {
    const turn = [
      user,
      { role: 'assistant', content: null, tool_calls: [{ name: 'f' }] },
      { role: 'tool', content: '1' },
      { role: 'assistant', content: 'a' },
    ];
    const made = readObjectRow({ messages: Array.from({ length: 5000 }, () => turn).flat() });
    expect(made.ok && made.row.messages?.at(-1)).toEqual({ role: 'tool', content: '1', tool_call_id: 'call_5000' });
  });

  it('take text parts, a developer, and the older form of a call', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(
      read({
        messages: [
          { role: 'developer', content: 's' },
          { role: 'user', content: parts },
          { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"x":[1]}' } },
        ],
      }),
    ).toEqual({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a\nb' },
      ],
      expected: '[{"name":"f","arguments":{"x":[1]}}]',
      variables: {},
    });
  });

  it.each<[object, string]>([
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role is robot'],
    [{ messages: [{ role: 'user', content: null }] }, 'messages[0].content is not a text.'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
      'messages[0].content holds a part of type image_url',
    ],
    [{ messages: [user, call('{"a":')] }, "messages[1].tool_calls[0] can't be used: its arguments are not JSON"],
    [{ messages: [user, { role: 'assistant', content: null, tool_calls: [{ function: {} }] }] }, 'it names no tool'],
    [{ messages: [user, { role: 'tool', content: '1' }] }, 'messages[1] is the result of a tool that was not called.'],
    [{ messages: [user, { role: 'assistant', content: null }] }, 'messages[1].content is not a text.'],
    [{ messages: [] }, 'No user message to answer'],
    [{ messages: [1] }, 'messages[0] is not an object.'],
    [
      { messages: [user, { role: 'developer', content: 's' }] },
      'messages[1] is a system message; only the first may be one.',
    ],
    [{ conversations: [{ from: 'observation', value: 'x' }] }, 'conversations[0].from is observation'],
    [{ conversations: [{ from: 'human', value: 7 }] }, 'conversations[0].value is not a text.'],
    [{ conversations: [{ from: 'constructor', value: 'x' }] }, 'conversations[0].from is constructor; a row may hold'],
    [{ system: 's', conversations: [{ from: 'human', value: 7 }] }, 'conversations[0].value is not a text.'],
    [{ prompt: [user], completion: [{ role: 'assistant', content: 7 }] }, 'completion[0].content is not a text.'],
    [
      {
        instruction: 'Hi',
        output: 'Hello',
        system: 's',
        history: [
          ['a', 'b'],
          ['c', 7],
        ],
      },
      'history[1][1] is not a text.',
    ],
    [
      { messages: [user, call('```json\n{}\n```')] },
      "messages[1].tool_calls[0] can't be used: its arguments are not JSON",
    ],
    [
      { messages: [user, call('{}'), { role: 'tool', content: '1', tool_call_id: 'c2' }] },
      'messages[2].tool_call_id is c2, but no call before it has that id.',
    ],
    [
      { messages: [user, call('{}'), { role: 'tool', content: '1' }, { role: 'tool', content: '2' }] },
      'messages[3] is the result of a tool that was not called.',
    ],
  ])('%j: %s', (row, problem) => expect(read(row)).toContain(problem));
});

describe('other forms', () => {
  it('ShareGPT', () => {
    expect(
      read({
        id: 7,
        system: 's',
        conversations: [
          { from: 'human', value: 'a' },
          { from: 'gpt', value: 'b' },
          { from: 'human', value: 'c' },
          { from: 'gpt', value: 'd' },
        ],
      }),
    ).toEqual({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
      expected: 'd',
      variables: { id: '7' },
    });
    expect(
      read({
        conversations: [
          { from: 'system', value: 's' },
          { from: 'human', value: 'a' },
        ],
      }),
    ).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }], expected: null });
  });

  it('Alpaca', () => {
    expect(read({ instruction: 'Add.', input: '1 + 1', output: '2', source: 'x' })).toEqual({
      messages: [{ role: 'user', content: 'Add.\n\n1 + 1' }],
      expected: '2',
      variables: { source: 'x' },
    });
    expect(read({ instruction: 'Hi', input: '', output: 'Hello', history: [['a', 'b']] })).toMatchObject({
      messages: [{ content: 'a' }, { role: 'assistant', content: 'b' }, { role: 'user', content: 'Hi' }],
      expected: 'Hello',
    });
    expect(read({ instruction: 'Hi', city: 'Bern' })).toMatchObject({
      messages: null,
      variables: { instruction: 'Hi', city: 'Bern' },
    });
  });

  it('a prompt of messages with a completion', () => {
    expect(read({ prompt: [user], completion: [{ role: 'assistant', content: 'a' }] })).toMatchObject({
      messages: [user],
      expected: 'a',
      variables: {},
    });
    expect(read({ prompt: [user], completion: 'a' })).toMatchObject({ messages: [user], expected: 'a' });
    expect(read({ prompt: 'u', completion: 'a' })).toMatchObject({
      messages: null,
      variables: { prompt: 'u', completion: 'a' },
    });
  });
});
