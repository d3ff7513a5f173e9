import { describe, expect, it } from 'vitest';
import type { ReadUsage } from '#core/stream/events.ts';
import { UpstreamEvents } from './upstreamEvents.ts';

const delta = (index: number, name: string, args: string) => ({
  type: 'tool-call-delta' as const,
  index,
  id: `call_${index}`,
  name,
  arguments: args,
});
const END = { type: 'message-end' as const, finish_reason: 'tool_calls' };
const open = (): UpstreamEvents => new UpstreamEvents('http://engine', (text) => text);

it('a token has the alternatives that were asked for, and none of those that the server adds', () => {
  const alternatives = ['a', 'b'].map((token) => ({ token, logprob: -1, bytes: null }));
  const event = (top: typeof alternatives) => ({
    type: 'logprobs' as const,
    tokens: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: top }],
  });
  for (const asked of [0, 1, 2, 5])
    expect(new UpstreamEvents('http://engine', (text) => text, asked).push(event(alternatives))).toEqual([
      event(alternatives.slice(0, asked)),
    ]);
});

describe('a call whose name is late', () => {
  it('is given out with its arguments once the name comes', () => {
    const events = open();
    expect(events.push(delta(0, '', '{"a"'))).toEqual([]);
    expect(events.push(delta(0, 'f', ':1}'))).toEqual([
      { type: 'tool-call-delta', index: 0, id: 'call_0', name: 'f' },
      { type: 'tool-call-delta', index: 0, arguments: '{"a":1}' },
    ]);
    expect(events.push(END)).toEqual([{ type: 'message-end', finish_reason: 'tool_calls', usage: null }]);
  });

  it.each(['{}', ''])('fails the answer when it never comes (arguments %j)', (args) => {
    const events = open();
    events.push(delta(0, 'f', '{}'));
    events.push(delta(1, '', args));
    expect(() => events.push(END)).toThrow(
      expect.objectContaining({ name: 'EngineError', status: 502, code: 'upstream_unreadable' }) as Error,
    );
    expect(events.isEnded).toBe(false);
  });
});

it('an error in the stream: the key is in none of its fields', () => {
  const events = new UpstreamEvents('http://engine', (text) => text.replaceAll('KEY', '…'));
  const push = (): unknown => events.push({ type: 'stream-error', message: 'a KEY', code: 'b KEY', param: 'c KEY' });
  expect(push).toThrow(
    expect.objectContaining({ message: expect.stringContaining('a …') as string, code: 'b …', param: 'c …' }) as Error,
  );
});

describe('the end of an answer', () => {
  const endOf = (finish_reason: string | null, usage: ReadUsage | null): unknown => {
    const events = open();
    if (usage) events.push({ type: 'usage', usage });
    return events.push({ type: 'message-end', finish_reason })[0];
  };
  const usage = (
    prompt_tokens: number | null,
    completion_tokens: number | null,
    total_tokens: number | null,
  ): ReadUsage => ({ prompt_tokens, completion_tokens, total_tokens });

  it.each<[string | null, string | null]>([
    ['stop', 'stop'],
    ['length', 'length'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['eos', 'stop'],
    // Nobody said it.
    [null, null],
  ])('has the reason %s as %s', (given, expected) => {
    expect(endOf(given, null)).toMatchObject({ finish_reason: expected });
  });

  it('has the usage as it was given; a total that was left out is the sum', () => {
    expect(endOf('stop', usage(3, 2, 5))).toMatchObject({ usage: usage(3, 2, 5) });
    expect(endOf('stop', usage(3, 0, 9))).toMatchObject({ usage: usage(3, 0, 9) });
    expect(endOf('stop', usage(3, 2, null))).toMatchObject({ usage: usage(3, 2, 5) });
  });

  it('has no usage of a server that does not count', () => {
    expect(endOf('stop', usage(0, 0, 0))).toMatchObject({ usage: null });
    expect(endOf('stop', usage(0, 2, 2))).toMatchObject({ usage: usage(0, 2, 2) });
  });

  it.each([
    [usage(3, -7, 5)],
    [usage(1.5, 2, 5)],
    [usage(3, 2, -1)],
    [usage(3, 2, 0.5)],
    [usage(3, null, 5)],
    [usage(null, 2, 5)],
    [usage(3, 1e300, 5)],
  ])('has no usage where a count is none: %j', (given) => {
    expect(endOf('stop', given)).toMatchObject({ usage: null });
  });
});
