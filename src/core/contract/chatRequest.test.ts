// SPEC 4.3 and 8: every limit on both sides of its edge, and errors that name the field at fault.
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { parseChatRequest } from './chatRequest.ts';
import { MAX_TOKENS_LIMITS, MESSAGE_LIMITS, REQUEST_LIMITS, SEED_LIMITS } from './limits.ts';
import { SAMPLING_NAMES, SAMPLING_PARAMETERS, type SamplingName } from './samplingParameters.ts';

const user = { role: 'user', content: 'Hi' };
const GOOD = { model: 'm', messages: [user] };

function problemOf(body: unknown): { message: string; param: string | null } {
  const parsed = parseChatRequest(body);
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.value).slice(0, 200)}`);
  return parsed.problem;
}

const accepts = (fields: object): void =>
  expect(parseChatRequest({ ...GOOD, ...fields })).toMatchObject({ ok: true, value: fields });

function refuses(fields: object, param: string | null, words: string | RegExp): void {
  const problem = problemOf({ ...GOOD, ...fields });
  expect(problem.param).toBe(param);
  expect(problem.message).toMatch(words);
}

/** The next double above or below: no limit is wider than it says, by however little. */
function nextDouble(value: number, step: 1 | -1): number {
  if (value === 0) return step * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 ? step : -step));
  return view.getFloat64(0);
}

/** The next number above or below that a parameter could have. */
const nextOf = (name: SamplingName, value: number, step: 1 | -1): number =>
  'isInteger' in SAMPLING_PARAMETERS[name] ? value + step : nextDouble(value, step);

describe.each(SAMPLING_NAMES)('%s', (name) => {
  const { min, max } = SAMPLING_PARAMETERS[name];
  const isInteger = 'isInteger' in SAMPLING_PARAMETERS[name];

  it('accepts both bounds and anything between', () => {
    for (const value of [min, max, (min + max) / 2, nextOf(name, min, 1), nextOf(name, max, -1)])
      accepts({ [name]: value });
    fc.assert(
      fc.property(isInteger ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }), (value) => {
        accepts({ [name]: value });
      }),
      { numRuns: 50 },
    );
  });

  it('refuses the next number beyond each bound', () => {
    refuses({ [name]: nextOf(name, min, -1) }, name, `${name} must be at least ${min}.`);
    refuses({ [name]: nextOf(name, max, 1) }, name, `${name} must be at most ${max}.`);
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }).filter((value) => value < min || value > max),
        (value) => {
          expect(problemOf({ ...GOOD, [name]: value }).param).toBe(name);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes null only where the wire allows it', () => {
    if (SAMPLING_PARAMETERS[name].isNullable) accepts({ [name]: null });
    else refuses({ [name]: null }, name, 'must be a number');
    if (isInteger) refuses({ [name]: min + 0.5 }, name, 'must be a whole number');
  });

  it('refuses what is not a number', () => {
    for (const value of ['1', true, {}, [], Number.NaN]) refuses({ [name]: value }, name, 'must be a number');
  });
});

it('allows null for temperature, top_p and max_completion_tokens only (SPEC 4.3)', () => {
  for (const name of ['temperature', 'top_p', 'max_completion_tokens']) accepts({ [name]: null });
  for (const name of [
    'frequency_penalty',
    'presence_penalty',
    'seed',
    'stop',
    'stream',
    'response_format',
    'tools',
    'tool_choice',
  ]) {
    expect(problemOf({ ...GOOD, [name]: null }).param).toBe(name);
  }
});

describe('max_completion_tokens', () => {
  it('is greater than 0 and whole', () => {
    for (const value of [1, 2, MAX_TOKENS_LIMITS.max]) accepts({ max_completion_tokens: value });
    refuses({ max_completion_tokens: 0 }, 'max_completion_tokens', 'must be at least 1');
    refuses({ max_completion_tokens: -1 }, 'max_completion_tokens', 'must be at least 1');
    refuses({ max_completion_tokens: MAX_TOKENS_LIMITS.max + 1 }, 'max_completion_tokens', /must be/);
    refuses({ max_completion_tokens: 1.5 }, 'max_completion_tokens', 'must be a whole number');
    refuses({ max_completion_tokens: '5' }, 'max_completion_tokens', 'must be a');
  });
});

describe('seed', () => {
  it('is any integer that JSON carries exactly', () => {
    for (const value of [0, -0, 1, -1, SEED_LIMITS.min, SEED_LIMITS.max]) accepts({ seed: value });
    for (const value of [SEED_LIMITS.min - 1, SEED_LIMITS.max + 1, 0.5, Number.POSITIVE_INFINITY, '1'])
      refuses({ seed: value }, 'seed', /must be/);
  });
});

describe('messages', () => {
  const many = (count: number) => Array.from({ length: count }, () => user);

  it('holds at least one (SPEC 8) and at most our own bound', () => {
    refuses({ messages: [] }, 'messages', 'messages must have at least 1 item.');
    accepts({ messages: many(MESSAGE_LIMITS.min) });
    accepts({ messages: many(MESSAGE_LIMITS.max) });
    refuses({ messages: many(MESSAGE_LIMITS.max + 1) }, 'messages', `at most ${MESSAGE_LIMITS.max} items`);
  });

  it('is required, a list of objects', () => {
    expect(problemOf({ model: 'm' })).toEqual({ param: 'messages', message: 'messages is required.' });
    refuses({ messages: user }, 'messages', 'messages must be a list.');
    refuses({ messages: [user, 'Hi'] }, 'messages[1]', 'must be an object');
  });

  it.each(['system', 'developer'])('allows a %s message only as the first (SPEC 2.3)', (role) => {
    const first = { role, content: 'Be brief.' };
    accepts({ messages: [first] });
    accepts({ messages: [first, user] });
    refuses({ messages: [user, first] }, 'messages[1].role', 'Join its text to that of the first message');
    refuses({ messages: [first, { ...first }] }, 'messages[1].role', 'only as the first message');
  });

  it.each(['user', 'assistant'])('allows %s anywhere', (role) => {
    accepts({
      messages: [
        { role, content: 'a' },
        { role, content: '' },
      ],
    });
  });

  it('names the role that does not exist', () => {
    refuses(
      { messages: [{ role: 'robot', content: 'a' }] },
      'messages[0].role',
      '"system" or "developer" or "user" or "assistant" or "tool"',
    );
    refuses({ messages: [{ content: 'a' }] }, 'messages[0].role', /role/);
  });

  it('asks a tool message for the call it answers', () => {
    accepts({ messages: [{ role: 'tool', content: '4', tool_call_id: 'c' }] });
    refuses({ messages: [{ role: 'tool', content: '4' }] }, 'messages[0].tool_call_id', 'tool_call_id');
  });

  it('lets only an assistant message with calls leave the content out', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }];
    accepts({ messages: [{ role: 'assistant', tool_calls }] });
    accepts({ messages: [{ role: 'assistant', content: null, tool_calls }] });
    refuses({ messages: [{ role: 'assistant', content: null }] }, 'messages[0].content', 'must be a text');
    refuses({ messages: [{ role: 'assistant', tool_calls: [] }] }, 'messages[0].content', 'must be a text');
    refuses({ messages: [{ role: 'user', tool_calls }] }, 'messages[0].content', 'must be a text');
    refuses({ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content', /must be/);
  });

  it('checks tool calls to the last field', () => {
    const withCall = (call: unknown) => ({ messages: [{ role: 'assistant', tool_calls: [call] }] });
    refuses(
      withCall({ type: 'function', function: { name: 'f', arguments: '{}' } }),
      'messages[0].tool_calls[0].id',
      'is required',
    );
    refuses(
      withCall({ id: 'c', type: 'other', function: { name: 'f', arguments: '{}' } }),
      'messages[0].tool_calls[0].type',
      '"function"',
    );
    refuses(
      withCall({ id: 'c', type: 'function', function: { name: 'f', arguments: {} } }),
      'messages[0].tool_calls[0].function.arguments',
      'must be a text',
    );
  });
});

describe('model', () => {
  it('is a text of 1 to 256 characters', () => {
    accepts({ model: 'a' });
    accepts({ model: 'a'.repeat(REQUEST_LIMITS.modelCharacters) });
    refuses({ model: '' }, 'model', 'model must have at least 1 character.');
    refuses({ model: 'a'.repeat(REQUEST_LIMITS.modelCharacters + 1) }, 'model', 'at most 256 characters');
    refuses({ model: 5 }, 'model', 'model must be a text.');
    expect(problemOf({ messages: [user] })).toEqual({ param: 'model', message: 'model is required.' });
  });
});

describe('stop', () => {
  it('is a text or a list of them, none empty, each bounded', () => {
    const longest = 'x'.repeat(REQUEST_LIMITS.stopCharacters);
    for (const stop of [
      'a',
      longest,
      [],
      ['a, b', '\n'],
      Array.from({ length: REQUEST_LIMITS.stopSequences }, () => longest),
    ])
      accepts({ stop });
    for (const stop of [
      '',
      [''],
      `${longest}x`,
      [`${longest}x`],
      Array.from({ length: REQUEST_LIMITS.stopSequences + 1 }, () => 'a'),
      5,
      [5],
      {},
    ]) {
      const { param, message } = problemOf({ ...GOOD, stop });
      expect(param).toMatch(/^stop(\[\d+\])?$/);
      expect(message).toMatch(
        /must (be a non-empty text or a list|have at (least 1|most 1024) character|have at most 64 items)/,
      );
    }
  });
});

describe('tools and tool_choice', () => {
  const tool = (name: unknown) => ({ type: 'function', function: { name } });
  const tools = [tool('get_weather')];

  it('bounds the number of tools and their names', () => {
    accepts({ tools: Array.from({ length: REQUEST_LIMITS.tools }, (_, index) => tool(`t${index}`)) });
    refuses({ tools: Array.from({ length: REQUEST_LIMITS.tools + 1 }, () => tool('t')) }, 'tools', 'at most 128 items');
    for (const name of ['a', 'A-b_c.9', 'x'.repeat(64)]) accepts({ tools: [tool(name)] });
    for (const name of ['', 'a b', 'ü', 'x'.repeat(65), 'a\n'])
      refuses({ tools: [tool(name)] }, 'tools[0].function.name', '1 to 64 letters');
    refuses({ tools: [{ type: 'retrieval' }] }, 'tools[0].type', '"function"');
    refuses(
      { tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] },
      'tools[0].function.parameters',
      'must be an object',
    );
  });

  it('refuses a second tool of the same name, whatever the choice', () => {
    for (const tool_choice of [undefined, 'none', 'auto', 'required']) {
      refuses(
        { tool_choice, tools: [tool('a'), tool('b'), tool('a')] },
        'tools[2].function.name',
        '"a" is taken by an earlier tool',
      );
    }
    accepts({ tools: [tool('a'), tool('A')] });
  });

  it.each<unknown>(['none', 'auto'])('takes %j with and without tools', (tool_choice) => {
    accepts({ tool_choice });
    accepts({ tool_choice, tools });
  });

  it('wants a tool where one is required or named', () => {
    accepts({ tool_choice: 'required', tools });
    refuses({ tool_choice: 'required' }, 'tool_choice', 'needs at least one entry in tools');
    refuses({ tool_choice: 'required', tools: [] }, 'tool_choice', 'needs at least one entry in tools');
    const named = (name: string) => ({ type: 'function', function: { name } });
    accepts({ tool_choice: named('get_weather'), tools });
    refuses({ tool_choice: named('other'), tools }, 'tool_choice', '"other", which is not in tools');
    refuses({ tool_choice: named('get_weather') }, 'tool_choice', 'not in tools');
  });

  it.each<unknown>(['any', '', 1, {}, { type: 'function' }, { type: 'tool', function: { name: 'get_weather' } }])(
    'refuses %j',
    (tool_choice) => {
      refuses({ tool_choice, tools }, 'tool_choice', 'must be "none", "auto", "required" or');
    },
  );
});

describe('response_format', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };

  it.each<unknown>([
    { type: 'text' },
    { type: 'json_object' },
    { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } },
    { type: 'json_schema', json_schema: { schema } },
    { type: 'json_schema', schema },
  ])('takes %j', (response_format) => accepts({ response_format }));

  it.each<unknown>([
    'json',
    {},
    { type: 'xml' },
    { type: 'json_schema' },
    { type: 'json_schema', json_schema: {} },
    { type: 'json_schema', json_schema: { schema: 'x' } },
  ])('refuses %j', (response_format) => refuses({ response_format }, 'response_format', 'must be {"type":"text"}'));
});

describe('the body as a whole', () => {
  it.each<unknown>([undefined, null, 5, 'text', true, [], [GOOD]])('refuses %j', (body) => {
    expect(problemOf(body)).toMatchObject({
      param: null,
      message: expect.stringMatching(/^The request body (must be an object|is required)/),
    });
  });

  it('drops unknown fields at every level, so that nothing unchecked is passed on', () => {
    const body = {
      ...GOOD,
      logit_bias: { 1: 100 },
      messages: [{ ...user, images: ['x'] }],
      stream_options: { include_usage: true, other: 1 },
      tools: [{ type: 'function', extra: 1, function: { name: 'f', extra: 1 } }],
    };
    expect(parseChatRequest(body)).toEqual({
      ok: true,
      value: {
        ...GOOD,
        stream_options: { include_usage: true },
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
    });
  });

  it('keeps a JSON schema whole, and Object.prototype as it is', () => {
    const body: unknown = JSON.parse(
      '{"model":"m","__proto__":{"polluted":1},"messages":[{"role":"user","content":"a","__proto__":{"polluted":1}}],"response_format":{"type":"json_schema","schema":{"__proto__":{"polluted":1},"properties":{"constructor":{"type":"string"}}}}}',
    );
    const parsed = parseChatRequest(body);
    expect(parsed.ok && Object.keys(parsed.value).sort()).toEqual(['messages', 'model', 'response_format']);
    expect(JSON.stringify(parsed)).toContain('"constructor"');
    expect('polluted' in {}).toBe(false);
  });

  it('never throws and always says which field, whatever comes', () => {
    const field = fc.constantFrom(
      'model',
      'messages',
      'stop',
      'seed',
      'tools',
      'tool_choice',
      'response_format',
      'stream',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (body) => {
        const parsed = parseChatRequest(body);
        const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
        if (!parsed.ok && !(parsed.problem.message.endsWith('.') && (parsed.problem.param === null) === !isObject))
          expect.fail(JSON.stringify(parsed.problem));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same again for what it has accepted', () => {
    const request = fc.record(
      {
        model: fc.string({ minLength: 1 }),
        messages: fc.array(fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string() }), {
          minLength: 1,
        }),
        temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
        seed: fc.maxSafeInteger(),
        stop: fc.array(fc.string({ minLength: 1 })),
        stream: fc.boolean(),
      },
      { requiredKeys: ['model', 'messages'] },
    );
    fc.assert(
      fc.property(request, (body) => {
        expect(parseChatRequest(body)).toEqual({ ok: true, value: body });
      }),
    );
  });
});
