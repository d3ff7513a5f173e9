import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { StreamEvent } from './events.ts';
import { EMPTY_MESSAGE, reduceMessage, reduceMessages } from './message.ts';

const call = (index: number, id: string, name: string, text: string): StreamEvent => ({
  type: 'tool-call-delta',
  index,
  id,
  name,
  arguments: text,
});

describe('what each event adds', () => {
  it('collects an answer', () => {
    const message = reduceMessages(EMPTY_MESSAGE, [
      { type: 'message-start', id: 'i', model: 'm', fingerprint: 'f', created: 5 },
      { type: 'reasoning-delta', text: 'r1' },
      { type: 'reasoning-delta', text: 'r2' },
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
      call(0, 'c', 'f', '{"a'),
      call(0, 'c', '', '":1}'),
      call(1, 'd', 'g', ''),
      { type: 'usage', usage: { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 } },
      { type: 'timings', tokensPerSecond: 12.5 },
      { type: 'message-end', finish_reason: 'tool_calls' },
    ]);
    expect(message).toEqual({
      id: 'i',
      model: 'm',
      fingerprint: 'f',
      created: 5,
      text: 'ab',
      reasoning: 'r1r2',
      toolCalls: [
        { id: 'c', name: 'f', arguments: '{"a":1}' },
        { id: 'd', name: 'g', arguments: '' },
      ],
      usage: { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 },
      tokensPerSecond: 12.5,
      finish_reason: 'tool_calls',
      state: 'complete',
      problem: null,
    });
  });

  it('keeps what had arrived when the answer fails or is interrupted', () => {
    const half = reduceMessages(EMPTY_MESSAGE, [{ type: 'text-delta', text: 'a' }, call(0, 'c', 'f', '{"a')]);
    const failed = reduceMessage(half, { type: 'stream-error', message: 'no', code: 'oom', param: 'model' });
    expect(failed).toEqual({ ...half, state: 'failed', problem: { message: 'no', code: 'oom', param: 'model' } });
    const interrupted = reduceMessage(half, { type: 'stream-interrupted', reason: 'gone' });
    expect(interrupted).toEqual({
      ...half,
      state: 'interrupted',
      problem: { message: 'gone', code: null, param: null },
    });
    expect(interrupted.toolCalls[0]?.arguments).toBe('{"a');
  });

  it('takes an id that comes late, and the first name', () => {
    const { toolCalls } = reduceMessages(EMPTY_MESSAGE, [
      call(0, 'made', '', ''),
      call(0, 'real', 'f', ''),
      call(0, 'real', 'g', '1'),
    ]);
    expect(toolCalls).toEqual([{ id: 'real', name: 'f', arguments: '1' }]);
  });
});

describe('identity', () => {
  const message = reduceMessages(EMPTY_MESSAGE, [
    { type: 'message-start', id: 'i', model: 'm', fingerprint: null, created: 5 },
    { type: 'text-delta', text: 'a' },
    call(0, 'c', 'f', '1'),
    { type: 'usage', usage: { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 } },
    { type: 'timings', tokensPerSecond: 2 },
  ]);

  it.each<[string, StreamEvent]>([
    ['an empty text', { type: 'text-delta', text: '' }],
    ['an empty reasoning', { type: 'reasoning-delta', text: '' }],
    ['the same start', { type: 'message-start', id: 'i', model: 'm', fingerprint: null, created: 5 }],
    ['a tool call delta without news', call(0, 'c', 'f', '')],
    ['the same usage', { type: 'usage', usage: { completion_tokens: 2, prompt_tokens: 1, total_tokens: 3 } }],
    ['the same speed', { type: 'timings', tokensPerSecond: 2 }],
  ])('%s gives the very same message', (_what, event) => {
    expect(reduceMessage(message, event)).toBe(message);
  });

  it('leaves the old message and its unchanged parts alone', () => {
    const copy = structuredClone(message);
    const next = reduceMessages(message, [{ type: 'text-delta', text: 'b' }, call(1, 'd', 'g', '2')]);
    expect(message).toEqual(copy);
    expect(next.usage).toBe(message.usage);
    expect(next.toolCalls[0]).toBe(message.toolCalls[0]);
    expect(reduceMessage(message, { type: 'text-delta', text: 'b' }).toolCalls).toBe(message.toolCalls);
  });

  it('gives the starting message for no events', () => {
    expect(reduceMessages(message, [])).toBe(message);
    expect(Object.isFrozen(EMPTY_MESSAGE) && Object.isFrozen(EMPTY_MESSAGE.toolCalls)).toBe(true);
  });
});

it('is plain data: it survives being stored', () => {
  const delta = fc.oneof(
    fc.record({ type: fc.constant('text-delta' as const), text: fc.string() }),
    fc.record({ type: fc.constant('reasoning-delta' as const), text: fc.string() }),
    fc.record({ type: fc.constant('message-end' as const), finish_reason: fc.option(fc.string()) }),
  );
  fc.assert(
    fc.property(fc.array(delta), (events) => {
      const message = reduceMessages(EMPTY_MESSAGE, events);
      expect(JSON.parse(JSON.stringify(message))).toEqual(message);
      expect(message).toEqual(events.reduce(reduceMessage, EMPTY_MESSAGE));
      expect(message.text).toBe(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join(''));
    }),
  );
});

it('appends hundreds of thousands of deltas', () => {
  const text: StreamEvent = { type: 'text-delta', text: 'token ' };
  const pieces: StreamEvent = call(0, 'c', '', '12');
  let message = reduceMessage(EMPTY_MESSAGE, call(0, 'c', 'f', ''));
  // A copy for each delta would move 200 GB: the runner's own time limit would end this.
  for (let index = 0; index < 250_000; index += 1) message = reduceMessage(reduceMessage(message, text), pieces);
  expect(message.text.length).toBe(1_500_000);
  expect(message.toolCalls[0]?.arguments.length).toBe(500_000);
});

it('takes its text for reasoning when it is told so, behind what is there', () => {
  const said = reduceMessages(EMPTY_MESSAGE, [
    { type: 'text-delta', text: '\nr' },
    { type: 'text-was-reasoning' },
    { type: 'text-delta', text: 'a' },
  ]);
  expect(said).toMatchObject({ reasoning: 'r', text: 'a' });
  expect(reduceMessage(EMPTY_MESSAGE, { type: 'text-was-reasoning' })).toBe(EMPTY_MESSAGE);
});

it('a message keeps that its tokens came with log probabilities, not these', () => {
  const event = { type: 'logprobs', tokens: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }] } as const;
  const message = reduceMessage(EMPTY_MESSAGE, event);
  expect(message).toEqual({ ...EMPTY_MESSAGE, hasLogprobs: true });
  expect(reduceMessage(message, event)).toBe(message);
});
