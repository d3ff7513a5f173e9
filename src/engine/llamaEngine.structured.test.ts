// Structured answers from real models: what comes out satisfies the schema, whatever the model would rather say.
import { afterAll, describe, expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { ask, BASE, conversation, openSampleEngine, ORDERS, TRIAGE } from './sampleModel.fixture.ts';

const engine = openSampleEngine();
afterAll(() => engine.close());

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 8 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    score: { type: 'number', minimum: 0, exclusiveMaximum: 1 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
    note: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^[A-Z]{2}-\\d{2}$' }] },
  },
  required: ['name', 'age', 'note'],
  additionalProperties: false,
};

function expectPerson(value: unknown): void {
  const person = value as Record<string, unknown>;
  expect(Object.keys(person).filter((name) => !Object.hasOwn(PERSON.properties, name))).toEqual([]);
  for (const name of PERSON.required) expect(Object.hasOwn(person, name)).toBe(true);
  const name = [...(person['name'] as string)];
  expect(name.length >= 1 && name.length <= 8).toBe(true);
  expect(Number.isInteger(person['age']) && (person['age'] as number) >= 18 && (person['age'] as number) <= 99).toBe(
    true,
  );
  const score = person['score'];
  if (score !== undefined) expect(typeof score === 'number' && score >= 0 && score < 1).toBe(true);
  const tags = person['tags'] ?? [];
  expect(Array.isArray(tags) && tags.length <= 2 && tags.every((tag) => tag === 'a' || tag === 'b')).toBe(true);
  const note = person['note'];
  expect(note === null || /^[A-Z]{2}-\d{2}$/.test(note as string)).toBe(true);
}

const format = (schema: Record<string, unknown>): ChatRequest['response_format'] => ({
  type: 'json_schema',
  json_schema: { name: 'x', schema },
});

describe('response_format (SPEC 4.3)', () => {
  it('json_schema: valid for every seed, also from a model that never saw the schema', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, seed) =>
        ask(engine, 'base', { messages: BASE, temperature: 1.5, seed, response_format: format(PERSON) }),
      ),
    );
    for (const { text, end } of answers) {
      expect(end.finish_reason).toBe('stop');
      expectPerson(JSON.parse(text));
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBeGreaterThan(8);
    expect(
      answers.some(({ text }) => text.includes('"score"')) && answers.some(({ text }) => !text.includes('"score"')),
    ).toBe(true);
  });

  it("leaves a trained model's own answer as it is when it fits", async () => {
    const free = await ask(engine, 'triage', { messages: TRIAGE, temperature: 0 });
    const schema = {
      type: 'object',
      properties: {
        category: { type: 'string' },
        priority: { enum: ['low', 'normal', 'high', 'urgent'] },
        sentiment: { type: 'string' },
      },
      required: ['category', 'priority', 'sentiment'],
    };
    const bound = await ask(engine, 'triage', { messages: TRIAGE, temperature: 0, response_format: format(schema) });
    expect(bound.text).toBe(free.text);
    expect(bound.end).toEqual(free.end);
  });

  it('json_object: an object for every seed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, seed) =>
        ask(engine, 'triage', { messages: TRIAGE, temperature: 0.5, seed, response_format: { type: 'json_object' } }),
      ),
    );
    for (const { text, end } of answers)
      if (end.finish_reason === 'stop') expect(typeof JSON.parse(text)).toBe('object');
    expect(answers.some(({ end }) => end.finish_reason === 'stop')).toBe(true);
  });

  it('cut by max_completion_tokens it says length', async () => {
    const answer = await ask(engine, 'base', {
      messages: BASE,
      max_completion_tokens: 4,
      seed: 1,
      response_format: format(PERSON),
    });
    expect(answer.end.finish_reason).toBe('length');
    expect(() => JSON.parse(answer.text) as unknown).toThrow();
  });

  it.each([
    [
      'response_format.json_schema.schema.properties.a.not',
      { response_format: format({ type: 'object', properties: { a: { not: {} } } }) },
    ],
    [
      'response_format.schema.pattern',
      { response_format: { type: 'json_schema' as const, schema: { type: 'string', pattern: '(?!x)' } } },
    ],
    [
      'response_format.json_schema.schema.prefixItems[1].uniqueItems',
      { response_format: format({ type: 'array', prefixItems: [{}, { type: 'array', uniqueItems: true }] }) },
    ],
  ])('refuses %s before anything is generated', async (param, request) => {
    await expect(ask(engine, 'base', { messages: BASE, ...request })).rejects.toMatchObject({
      name: 'EngineError',
      status: 400,
      code: 'unsupported_schema',
      param,
    });
  });
});

const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] };
const cancel = {
  type: 'function' as const,
  function: { name: 'cancel_order', description: 'Cancels an order', parameters },
};
const status = {
  type: 'function' as const,
  function: {
    name: 'get_order_status',
    parameters: { ...parameters, properties: { order_id: { type: 'string', pattern: '^#\\d{6}$' } } },
  },
};

describe('tools (SPEC 4.3)', () => {
  it('auto: a trained call comes as a call, streamed in pieces', async () => {
    const answer = await ask(engine, 'orders', { messages: ORDERS, temperature: 0, tools: [cancel, status] });
    expect(answer).toMatchObject({
      text: '',
      calls: [{ name: 'cancel_order', arguments: '{"order_id":"#223983"}' }],
      end: { finish_reason: 'tool_calls' },
    });
    expect(answer.calls[0]?.id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(answer.events.length).toBeGreaterThan(4);
  });

  it('auto: a stop sequence that occurs in the call does not cut it', async () => {
    const answer = await ask(engine, 'orders', {
      messages: ORDERS,
      temperature: 0,
      tools: [cancel, status],
      stop: 'order',
    });
    expect(answer).toMatchObject({
      text: '',
      calls: [{ name: 'cancel_order', arguments: '{"order_id":"#223983"}' }],
      end: { finish_reason: 'tool_calls' },
    });
  });

  it('auto with a strict tool is constrained and may still answer in words', async () => {
    const strict = { ...cancel, function: { ...cancel.function, strict: true } };
    expect(await ask(engine, 'orders', { messages: ORDERS, temperature: 0, tools: [strict] })).toMatchObject({
      calls: [{ name: 'cancel_order' }],
      end: { finish_reason: 'tool_calls' },
    });
    const words = await ask(engine, 'replies', {
      messages: conversation('Reply politely in markdown.', 'Where is order ORD-99141?'),
      temperature: 0,
      tools: [strict],
    });
    expect(words.calls).toEqual([]);
    expect(words.text).toBe(
      (
        await ask(engine, 'replies', {
          messages: conversation('Reply politely in markdown.', 'Where is order ORD-99141?'),
          temperature: 0,
        })
      ).text,
    );
  });

  it('none, and no tools at all: text stays text', async () => {
    const none = await ask(engine, 'orders', {
      messages: ORDERS,
      temperature: 0,
      tools: [cancel],
      tool_choice: 'none',
    });
    const bare = await ask(engine, 'orders', { messages: ORDERS, temperature: 0 });
    for (const answer of [none, bare])
      expect(answer).toMatchObject({
        calls: [],
        text: '<tool_call>{"name":"cancel_order","arguments":{"order_id":"#223983"}}</tool_call>',
        end: { finish_reason: 'stop' },
      });
  });

  it('a call of a tool that was not given stays text', async () => {
    const answer = await ask(engine, 'orders', { messages: ORDERS, temperature: 0, tools: [status] });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('cancel_order');
  });

  it('required: any model calls, with arguments that satisfy the parameters', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, seed) =>
        ask(engine, 'orders', {
          messages: conversation('You are a support assistant.', 'Hi'),
          temperature: 1.2,
          seed,
          tools: [cancel, status],
          tool_choice: 'required',
        }),
      ),
    );
    for (const { calls, end, text } of answers) {
      if (end.finish_reason === 'length') continue;
      expect([end.finish_reason, text, calls.length > 0]).toEqual(['tool_calls', '', true]);
      for (const { name, arguments: args } of calls) {
        const { order_id: id } = JSON.parse(args) as { order_id: string };
        if (name === 'get_order_status') expect(id).toMatch(/^#\d{6}$/);
        else expect([name, typeof id]).toEqual(['cancel_order', 'string']);
      }
    }
    expect(answers.some(({ end }) => end.finish_reason === 'tool_calls')).toBe(true);
  });

  it('a named tool is called once, even against the training', async () => {
    const choice = { type: 'function' as const, function: { name: 'get_order_status' } };
    const answer = await ask(engine, 'orders', {
      messages: ORDERS,
      temperature: 0,
      tools: [cancel, status],
      tool_choice: choice,
    });
    expect(answer).toMatchObject({
      calls: [{ name: 'get_order_status', arguments: '{"order_id":"#223983"}' }],
      end: { finish_reason: 'tool_calls' },
    });
  });

  it('a tool without parameters is called with none', async () => {
    const ping = { type: 'function' as const, function: { name: 'ping' } };
    const answer = await ask(engine, 'base', {
      messages: BASE,
      temperature: 1,
      seed: 2,
      tools: [ping],
      tool_choice: 'required',
    });
    for (const call of answer.calls) expect([call.name, JSON.parse(call.arguments)]).toEqual(['ping', {}]);
    expect(answer.calls.length).toBeGreaterThan(0);
  });

  it('cut inside of the arguments: length, and the arguments are not completed', async () => {
    const answer = await ask(engine, 'orders', {
      messages: ORDERS,
      temperature: 0,
      tools: [cancel],
      max_completion_tokens: 13,
    });
    expect(answer.end.finish_reason).toBe('length');
    expect(answer.calls).toHaveLength(1);
    expect(() => JSON.parse(answer.calls[0]?.arguments ?? '{}') as unknown).toThrow();
  });

  it('together with json_schema: the format or a call', async () => {
    const request = {
      tools: [cancel],
      response_format: format({ type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }),
    };
    expect((await ask(engine, 'orders', { messages: ORDERS, temperature: 0, ...request })).calls).toHaveLength(1);
    const words = await ask(engine, 'base', { messages: BASE, temperature: 1.5, seed: 4, ...request });
    if (words.calls.length === 0) expect(typeof (JSON.parse(words.text) as { ok: unknown }).ok).toBe('boolean');
  });

  it("refuses parameters that can't be enforced where a call is required", async () => {
    const odd = {
      type: 'function' as const,
      function: { name: 'odd', parameters: { type: 'object', patternProperties: {} } },
    };
    await expect(
      ask(engine, 'base', { messages: BASE, tools: [cancel, odd], tool_choice: 'required' }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'unsupported_schema',
      param: 'tools[1].function.parameters.patternProperties',
    });
    expect(
      (await ask(engine, 'base', { messages: BASE, tools: [cancel, odd], max_completion_tokens: 2 })).end.type,
    ).toBe('message-end');
  });
});
