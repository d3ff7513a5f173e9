import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { deltaReader } from './deltas.ts';
import { isLastEvent, type StreamEvent } from './events.ts';
import type { SseEvent } from './sseDecode.ts';
import { MAX_TOOL_CALLS } from './toolCallPlaces.ts';

const sse = (data: unknown, event: string | null = null, fault: SseEvent['fault'] = null): SseEvent => ({
  event,
  data: typeof data === 'string' ? data : JSON.stringify(data),
  fault,
});

const INTERRUPTED: StreamEvent = {
  type: 'stream-interrupted',
  reason: 'The connection ended before the answer was complete.',
};

/** All steps but `message-start`, which has its own tests. */
function read(...list: SseEvent[]): StreamEvent[] {
  const reader = deltaReader();
  const events = [...list.flatMap((event) => reader.push(event)), ...reader.close()];
  return events.filter((event) => event.type !== 'message-start');
}

const says = (delta: unknown, finish_reason: string | null = null) =>
  sse({ choices: [{ index: 0, delta, finish_reason }] });
const text = (value: string): StreamEvent => ({ type: 'text-delta', text: value });
const end = (finish_reason: string | null): StreamEvent => ({ type: 'message-end', finish_reason });

describe('chunks that say little or odd things', () => {
  it.each<[string, unknown, StreamEvent[]]>([
    ['content null', { choices: [{ delta: { content: null } }] }, []],
    [
      'content as parts',
      {
        choices: [
          {
            delta: {
              content: [
                { type: 'thinking', thinking: 'r' },
                { type: 'text', text: 'a' },
              ],
            },
          },
        ],
      },
      [{ type: 'reasoning-delta', text: 'r' }, text('a')],
    ],
    ['content of another type', { choices: [{ delta: { content: { a: 1 } } }] }, []],
    ['delta missing', { choices: [{ finish_reason: null }] }, []],
    ['delta null', { choices: [{ delta: null }] }, []],
    ['choices empty', { choices: [] }, []],
    ['choices missing', { id: 'x' }, []],
    ['choices null', { choices: null }, []],
    ['choices not a list', { choices: { 0: {} } }, []],
    ['a choice that is null', { choices: [null] }, []],
    ['a choice without index', { choices: [{ delta: { content: 'a' } }] }, [text('a')]],
    ['another choice', { choices: [{ index: 1, delta: { content: 'b' } }] }, []],
    [
      'another choice first',
      {
        choices: [
          { index: 1, delta: { content: 'b' } },
          { index: 0, delta: { content: 'a' } },
        ],
      },
      [text('a')],
    ],
    ['a whole message', { choices: [{ message: { role: 'assistant', content: 'a' } }] }, [text('a')]],
    ['a refusal', { choices: [{ delta: { refusal: 'I can not.' } }] }, [text('I can not.')]],
    ['error null', { error: null, choices: [{ delta: { content: 'a' } }] }, [text('a')]],
    [
      'reasoning_content',
      { choices: [{ delta: { reasoning_content: 'r' } }] },
      [{ type: 'reasoning-delta', text: 'r' }],
    ],
    ['reasoning', { choices: [{ delta: { reasoning: 'r' } }] }, [{ type: 'reasoning-delta', text: 'r' }]],
    [
      'both, equal',
      { choices: [{ delta: { reasoning: 'r', reasoning_content: 'r' } }] },
      [{ type: 'reasoning-delta', text: 'r' }],
    ],
    [
      'reasoning and text',
      { choices: [{ delta: { content: 'a', reasoning: 'r' } }] },
      [{ type: 'reasoning-delta', text: 'r' }, text('a')],
    ],
    [
      'usage only',
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      [{ type: 'usage', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }],
    ],
    [
      'half a usage',
      { usage: { prompt_tokens: 1, completion_tokens: 'x' } },
      [{ type: 'usage', usage: { prompt_tokens: 1, completion_tokens: null, total_tokens: null } }],
    ],
    ['usage null', { usage: null }, []],
    ['usage empty', { usage: {} }, []],
    ['timings', { timings: { predicted_per_second: 41.5 } }, [{ type: 'timings', tokensPerSecond: 41.5 }]],
    ['timings of nothing', { timings: { predicted_per_second: 0 } }, []],
    ['timings broken', { timings: { predicted_per_second: null } }, []],
  ])('%s', (_what, chunk, expected) => {
    expect(read(sse(chunk))).toEqual([...expected, INTERRUPTED]);
  });
});

it.each<[string, unknown, string, string | null]>([
  ["FastAPI's text", { detail: 'Not Found' }, 'Not Found', null],
  ["FastAPI's list", { detail: [{ loc: ['body', 'model'], msg: 'Field required' }] }, 'model: Field required', 'model'],
  ["Google's list", [{ error: { message: 'Overloaded.' } }], 'Overloaded.', null],
  ['a list of errors', { errors: [{ message: 'no' }] }, 'no', null],
])('takes %s in a stream for its error', (_what, body, message, param) => {
  expect(read(says({ content: 'a' }), sse(body))).toEqual([
    text('a'),
    { type: 'stream-error', message, code: null, param },
  ]);
});

describe('message-start', () => {
  const start = (fields: object): StreamEvent =>
    ({ type: 'message-start', id: null, model: null, fingerprint: null, created: null, ...fields }) as StreamEvent;
  const starts = (...chunks: object[]): StreamEvent[] => {
    const reader = deltaReader();
    return chunks.flatMap((chunk) => reader.push(sse(chunk)));
  };

  it('comes once when the first chunk says all', () => {
    const chunk = { id: 'i', model: 'm', created: 5, system_fingerprint: 'f' };
    expect(starts(chunk, chunk, { ...chunk, id: 'other' })).toEqual([
      start({ id: 'i', model: 'm', created: 5, fingerprint: 'f' }),
    ]);
  });

  it('comes again when a later chunk fills in what was missing', () => {
    expect(starts({ id: '', model: '', created: 0 }, { id: 'i' }, { id: 'i' }, { model: 'm' })).toEqual([
      start({}),
      start({ id: 'i' }),
      start({ id: 'i', model: 'm' }),
    ]);
  });
});

describe('how a stream ends', () => {
  it.each<[string, SseEvent[], StreamEvent[]]>([
    ['finish_reason and [DONE]', [says({ content: 'a' }, 'stop'), sse('[DONE]')], [text('a'), end('stop')]],
    ['finish_reason without [DONE]', [says({ content: 'a' }, 'length')], [text('a'), end('length')]],
    ['[DONE] without finish_reason', [says({ content: 'a' }), sse('[DONE]')], [text('a'), end(null)]],
    ['[DONE] with spaces', [says({}, 'stop'), sse(' [DONE] ')], [end('stop')]],
    ['a finish_reason nobody knows', [says({}, 'eos_token'), sse('[DONE]')], [end('eos_token')]],
    ['finish_reason, then chunks with null', [says({}, 'stop'), says({ content: '' }, null)], [end('stop')]],
    ['neither', [says({ content: 'a' })], [text('a'), INTERRUPTED]],
    ['nothing at all', [], [INTERRUPTED]],
    [
      'half a chunk',
      [says({ content: 'a' }), sse('{"choices":[{"delta":{"con', null, 'cut')],
      [text('a'), INTERRUPTED],
    ],
    ['half a [DONE]', [says({ content: 'a' }), sse('[DO', null, 'cut')], [text('a'), INTERRUPTED]],
    [
      'a whole chunk, its blank line missing',
      [sse({ choices: [{ delta: { content: 'a' } }] }, null, 'cut')],
      [text('a'), INTERRUPTED],
    ],
    ['more after [DONE]', [says({}, 'stop'), sse('[DONE]'), says({ content: 'late' }), sse('x')], [end('stop')]],
  ])('%s', (_what, list, expected) => {
    expect(read(...list)).toEqual(expected);
  });

  it('says why the connection went, when it is known', () => {
    const reader = deltaReader();
    expect(reader.close('It was lost.')).toEqual([{ type: 'stream-interrupted', reason: 'It was lost.' }]);
    expect(reader.isEnded()).toBe(true);
    expect(reader.close()).toEqual([]);
  });
});

describe('errors in the stream', () => {
  const error = (message: string, code: string | null = null, param: string | null = null): StreamEvent => ({
    type: 'stream-error',
    message,
    code,
    param,
  });

  it.each<[string, SseEvent, StreamEvent]>([
    [
      'data with an error',
      sse({ error: { message: 'out of memory', code: 'oom', param: 'model' } }),
      error('out of memory', 'oom', 'model'),
    ],
    ['a text as error', sse({ error: 'out of memory' }), error('out of memory')],
    ['a number as code', sse({ error: { message: 'no', code: 503 } }), error('no', '503')],
    ['an empty error', sse({ error: {} }), error('The service reported an error without saying which.')],
    ['error: true', sse({ error: true }), error('The service reported an error without saying which.')],
    ['event: error with JSON', sse({ error: { message: 'no' } }, 'error'), error('no')],
    ['event: error with a message', sse({ message: 'no' }, 'error'), error('no')],
    ['event: error with a text', sse('engine died', 'error'), error('engine died')],
    ['event: error with a JSON text', sse('"engine died"', 'error'), error('engine died')],
    ['event: error cut off', sse('{"error":{"mess', 'error', 'cut'), error('{"error":{"mess')],
    ['vLLM without an envelope', sse({ object: 'error', message: 'too long', code: 400 }), error('too long', '400')],
    [
      'an event above the cap',
      sse('', null, 'too-large'),
      error('One event of the stream is larger than this client accepts.', 'event_too_large'),
    ],
    [
      'not JSON',
      sse('<html>Bad gateway'),
      error('The service sent something that is not a chunk of an answer: <html>Bad gateway', 'invalid_chunk'),
    ],
    [
      'not JSON in an event named message',
      sse('oops', 'message'),
      error('The service sent something that is not a chunk of an answer: oops', 'invalid_chunk'),
    ],
    [
      'JSON that is no object',
      sse('[1,2]'),
      error('The service sent something that is not a chunk of an answer: [1,2]', 'invalid_chunk'),
    ],
    ['null', sse('null'), error('The service sent something that is not a chunk of an answer: null', 'invalid_chunk')],
  ])('%s', (_what, event, expected) => {
    // What came before is kept, what comes after is not read.
    expect(read(says({ content: 'a' }), event, says({ content: 'b' }), sse('[DONE]'))).toEqual([text('a'), expected]);
  });

  it('shows the start of what is not JSON only', () => {
    const [event] = read(sse('x'.repeat(10_000)));
    expect(event?.type === 'stream-error' && event.message.length).toBeLessThan(300);
  });

  it('passes over heartbeats and events of other kinds', () => {
    expect(
      read(sse(''), sse('  '), sse('keep-alive', 'ping'), sse('{}', 'ping'), says({ content: 'a' }, 'stop')),
    ).toEqual([text('a'), end('stop')]);
  });

  it('stops an answer with too many tool calls', () => {
    const calls = Array.from({ length: MAX_TOOL_CALLS + 1 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'f' },
    }));
    expect(read(says({ tool_calls: calls }))).toEqual([
      error(`The answer holds more than ${MAX_TOOL_CALLS} tool calls.`, 'too_many_tool_calls'),
    ]);
  });
});

describe('a completion in one piece', () => {
  const body = {
    id: 'i',
    object: 'chat.completion',
    created: 5,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: 'a',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  };

  it('gives the same steps as a stream', () => {
    expect(deltaReader().pushCompletion(body)).toEqual([
      { type: 'message-start', id: 'i', model: 'm', fingerprint: null, created: 5 },
      text('a'),
      { type: 'tool-call-delta', index: 0, id: 'c', name: 'f', arguments: '{}' },
      { type: 'usage', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      end('stop'),
    ]);
  });

  it('reads an error, and says once that it is over', () => {
    const reader = deltaReader();
    expect(reader.pushCompletion({ error: 'no' })).toEqual([
      { type: 'stream-error', message: 'no', code: null, param: null },
    ]);
    expect(reader.pushCompletion(body)).toEqual([]);
    expect(deltaReader().pushCompletion({}).at(-1)).toEqual(end(null));
    expect(deltaReader().pushCompletion([{ error: { message: 'no', code: 400 } }])).toEqual([
      { type: 'stream-error', message: 'no', code: '400', param: null },
    ]);
  });

  it('takes each entry of its tool calls for one call, with an id of its own', () => {
    const entry = { type: 'function', function: { name: 'f', arguments: '{}' } };
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [entry, entry, { ...entry, id: 'c' }, { ...entry, id: 'c' }],
    };
    const calls = deltaReader()
      .pushCompletion({ id: 'i', choices: [{ message, finish_reason: 'tool_calls' }] })
      .filter((event) => event.type === 'tool-call-delta');
    expect(calls.map(({ index, id }) => [index, id])).toEqual([
      [0, 'call_i_0'],
      [1, 'call_i_1'],
      [2, 'c'],
      [3, 'call_i_3'],
    ]);
  });
});

describe('whatever comes', () => {
  it('never throws, and gives exactly one last event, last', () => {
    const part = fc.oneof(
      fc.jsonValue(),
      fc.record({ choices: fc.jsonValue() }),
      fc.record({ choices: fc.array(fc.record({ delta: fc.jsonValue(), finish_reason: fc.jsonValue() })) }),
    );
    const event = fc.record({
      event: fc.option(fc.constantFrom('error', 'message', 'ping')),
      data: fc.oneof(
        part.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      fault: fc.constantFrom(null, null, 'cut' as const, 'too-large' as const),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (list) => {
        const events = read(...list);
        expect(events.filter(isLastEvent)).toEqual([events.at(-1)]);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves Object.prototype as it is', () => {
    const evil =
      '{"__proto__":{"polluted":1},"choices":[{"__proto__":{"polluted":1},"delta":{"__proto__":{"content":"x","polluted":1},"tool_calls":[{"index":0,"id":"__proto__","function":{"name":"__proto__","arguments":"{\\"__proto__\\":{\\"polluted\\":1}}"}}]}}]}';
    const events = read(sse(evil));
    expect(events).toEqual([
      {
        type: 'tool-call-delta',
        index: 0,
        id: '__proto__',
        name: '__proto__',
        arguments: '{"__proto__":{"polluted":1}}',
      },
      INTERRUPTED,
    ]);
    expect('polluted' in {}).toBe(false);
  });
});
