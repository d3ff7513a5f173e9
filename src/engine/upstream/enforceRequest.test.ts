import { expect, it } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { EngineEvent } from '#engine/engine.ts';
import { toAskedFor } from './enforceRequest.ts';

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const text = (value: string): EngineEvent => ({ type: 'text-delta', text: value });
const call = (name: string, args: string): EngineEvent => ({
  type: 'tool-call-delta',
  index: 0,
  id: 'c',
  name,
  arguments: args,
});
const end = (finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null = 'stop'): EngineEvent => ({
  type: 'message-end',
  finish_reason,
  usage: USAGE,
});

interface Got {
  readonly events: readonly EngineEvent[];
  readonly error: (Error & { status?: number; code?: string; param?: string | null }) | null;
}

async function read(request: Partial<ChatRequest>, ...events: readonly EngineEvent[]): Promise<Got> {
  const got: EngineEvent[] = [];
  async function* answer(): AsyncGenerator<EngineEvent, void> {
    yield* events;
  }
  try {
    for await (const event of toAskedFor({ model: 'm', messages: [], ...request }, answer(), 'http://e'))
      got.push(event);
    return { events: got, error: null };
  } catch (error) {
    return { events: got, error: error as Error };
  }
}

const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const FORMAT = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } } as const;
const tool = (name: string, more: object = {}) => ({
  type: 'function' as const,
  function: { name, parameters: schema, ...more },
});
const NAMED = { tools: [tool('f'), tool('g')], tool_choice: { type: 'function', function: { name: 'f' } } } as const;
const named = { ...NAMED, tools: [...NAMED.tools] };

it.each<[string, Partial<ChatRequest>, EngineEvent[], string]>([
  ['prose for a schema', FORMAT, [text('Thank you.'), end()], 'response_format'],
  ['another shape for a schema', FORMAT, [text('{"a":"b"}'), end()], 'response_format'],
  ['a code fence for a schema', FORMAT, [text('```json\n{"a":1}\n```'), end()], 'response_format'],
  ['prose without a reason for a schema', FORMAT, [text('Thank you.'), end(null)], 'response_format'],
  ['prose for an object', { response_format: { type: 'json_object' } }, [text('Hi'), end()], 'response_format'],
  ['a list for an object', { response_format: { type: 'json_object' } }, [text('[1]'), end()], 'response_format'],
  ['no required call', { tools: [tool('f')], tool_choice: 'required' }, [text('Hi'), end()], 'tool_choice'],
  ['no named call', named, [text('Hi'), end()], 'tool_choice'],
  ['a call of another tool', named, [call('g', '{"a":1}'), end('tool_calls')], 'tool_choice'],
  ['arguments that do not fit', named, [call('f', '{"a":"b"}'), end('tool_calls')], 'tool_choice'],
  [
    'wrong arguments of a strict tool',
    { tools: [tool('f', { strict: true })] },
    [call('f', '{}'), end()],
    'tool_choice',
  ],
  ['a call in spite of "none"', { tools: [tool('f')], tool_choice: 'none' }, [call('f', '{}'), end()], 'tool_choice'],
])('refuses %s', async (_, request, events, param) => {
  const { error, events: got } = await read(request, ...events);
  expect(error).toMatchObject({ status: 502, code: 'schema_not_followed', param });
  // What came before the end was passed on already.
  expect(got).toEqual(events.slice(0, -1));
});

it.each<[string, Partial<ChatRequest>, EngineEvent[]]>([
  ['what fits', FORMAT, [text('{"a"'), text(':1}'), end()]],
  ['what was cut by its length', FORMAT, [text('{"a"'), end('length')]],
  ['what a filter cut', FORMAT, [text('{"a"'), end('content_filter')]],
  ['a call instead of a format', { ...FORMAT, tools: [tool('f')] }, [call('f', '{}'), end('tool_calls')]],
  ['the call that was asked for', named, [call('f', '{"a":1}'), end('tool_calls')]],
  ['free text', {}, [text('Hi'), end()]],
  ['calls of free choice, whatever their arguments', { tools: [tool('f')] }, [call('f', '{'), end('tool_calls')]],
  [
    'what a schema that can not be used would judge',
    { response_format: { type: 'json_schema', schema: { $ref: '#/none' } } },
    [text('1'), end()],
  ],
])('passes on %s', async (_, request, events) => {
  expect(await read(request, ...events)).toEqual({ events, error: null });
});

it('passes on what takes too long to judge', async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  const slow = { $defs: { ...wide, d40: { type: 'object' } }, $ref: '#/$defs/d0' };
  const { error } = await read({ response_format: { type: 'json_schema', schema: slow } }, text('{}'), end());
  expect(error).toBeNull();
});

it('has the text in the error of a whole answer, and not in that of a stream', async () => {
  const events = [text('Thank you.'), end()];
  expect((await read(FORMAT, ...events)).error?.message).toContain('It answered: Thank you.');
  expect((await read({ ...FORMAT, stream: true }, ...events)).error?.message).not.toContain('Thank you.');
});

it('cuts at a stop sequence that the server kept, and keeps its usage', async () => {
  const { events } = await read({ stop: 'ease' }, text('Thank you. Pl'), text('ease, '), end('length'));
  expect(events).toEqual([text('Thank you. Pl'), end('stop')]);
});

it('ends an answer of a server that went on after a stop sequence', async () => {
  const { events } = await read({ stop: ['. '] }, text('Thank you. Pl'), text('ease'), text(' send'), end());
  expect(events).toEqual([text('Thank you'), { type: 'message-end', finish_reason: 'stop', usage: null }]);
});

it('shows the start of a stop sequence that did not come', async () => {
  const { events } = await read({ stop: 'abc' }, text('xab'), end());
  expect(events).toEqual([text('x'), text('ab'), end()]);
});
