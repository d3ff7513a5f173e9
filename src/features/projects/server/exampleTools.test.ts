import { describe, expect, it } from 'vitest';
import { toExampleTools } from './exampleTools.ts';

const says = (message: object) => ({
  messages: [
    { role: 'user', content: 'Please.' },
    { role: 'assistant', ...message },
  ],
});
const textCall = (name: string, values: unknown) =>
  says({ content: `<tool_call>${JSON.stringify({ name, arguments: values })}</tool_call>` });
const call = (name: string, args: string) =>
  says({ content: null, tool_calls: [{ id: '1', type: 'function', function: { name, arguments: args } }] });
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

describe('tools of example prompts', () => {
  it('are those of the rows as they stand there, each once', () => {
    const rows = [
      { ...says({ content: 'Sunny.' }), tools: [WEATHER, { type: 'other' }] },
      { ...call('get_weather', '{"city":"Bern","unit":"C"}'), tools: [WEATHER] },
    ];
    expect(toExampleTools(rows)).toEqual([WEATHER]);
  });

  it('are made of the calls where rows define none: arguments that every call has are required', () => {
    const tools = toExampleTools([
      textCall('change_address', { order_id: 'SO1', city: 'Bern' }),
      textCall('change_address', { order_id: 17 }),
      call('cancel_order', '{"order_id":"SO1","parts":[1],"fee":2.5,"note":null}'),
      call('cancel_order', '{"order_id":"SO2","parts":[],"fee":2,"note":null}'),
    ]);
    expect(tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'cancel_order',
          parameters: {
            type: 'object',
            properties: {
              order_id: { type: 'string' },
              parts: { type: 'array' },
              fee: { type: 'number' },
              note: { type: 'null' },
            },
            required: ['order_id', 'parts', 'fee', 'note'],
            additionalProperties: false,
          },
        },
      },
      {
        type: 'function',
        function: {
          name: 'change_address',
          parameters: {
            type: 'object',
            properties: { order_id: { type: ['string', 'integer'] }, city: { type: 'string' } },
            required: ['order_id'],
            additionalProperties: false,
          },
        },
      },
    ]);
  });

  it.each([
    ['no calls', says({ content: 'Hello.' })],
    ['a call that is no JSON', says({ content: '<tool_call>{"name":</tool_call>' })],
    ['arguments that are no object', textCall('a', [1])],
    ['arguments that are no JSON', call('a', '{')],
    ['a name that no tool can have', textCall('has space', {})],
    ['messages that are no list', { messages: 5 }],
    ['calls that are no list', says({ tool_calls: { function: 1 } })],
  ])('are none with %s', (_what, row) => {
    expect(toExampleTools([row])).toEqual([]);
  });
});
