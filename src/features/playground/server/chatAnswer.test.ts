// The two forms of an answer without HTTP: events in, completion or text out.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { completionSchema } from '#core/contract/completion.ts';
import { EngineError, type EngineEvent, type LoadedModel } from '#engine/engine.ts';
import { dropSlowReader, shutdownProblem, tooLongProblem, watchCaller, type ChatRun } from './chatAnswer.ts';
import { collectCompletion } from './chatCompletion.ts';
import { streamAnswer, writeChunks, type StreamOptions } from './chatStream.ts';
import type { EventStream } from '#service/http/eventStream.ts';
import { openStreams } from '#service/http/openStreams.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const END: EngineEvent = { type: 'message-end', finish_reason: 'stop', usage: USAGE };

function toModel(events: readonly (EngineEvent | Error)[]): LoadedModel {
  return {
    id: 'model-1',
    fingerprint: null,
    async *generate() {
      for (const event of events) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

function toRun(events: readonly (EngineEvent | Error)[], more: Partial<ChatRun> = {}): ChatRun {
  return {
    id: 'chatcmpl-1',
    created: 5,
    request: { model: 'alias', messages: [{ role: 'user', content: 'x' }] },
    signal: new AbortController().signal,
    caller: 'me',
    load: async () => toModel(events),
    ...more,
  };
}

const text = (value: string): EngineEvent => ({ type: 'text-delta', text: value });

describe('collectCompletion', () => {
  it('folds text', async () => {
    const completion = completionSchema.parse(await collectCompletion(toRun([text('a'), text('b'), END])));
    expect(completion).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 5,
      model: 'model-1',
      system_fingerprint: null,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ab' } }],
      usage: USAGE,
    });
  });

  it('an empty answer is an empty text', async () => {
    expect((await collectCompletion(toRun([END]))).choices[0]?.message.content).toBe('');
  });

  it('text beside tool calls stays', async () => {
    const { choices } = await collectCompletion(
      toRun([text('I look.'), { type: 'tool-call-delta', index: 0, id: 'a', name: 'f', arguments: '{}' }, END]),
    );
    expect(choices[0]?.message).toEqual({
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
  });

  it('a gap in the calls leaves no hole', async () => {
    const { choices } = await collectCompletion(
      toRun([{ type: 'tool-call-delta', index: 3, id: 'a', name: 'f', arguments: '1' }, END]),
    );
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
  });

  it('an engine that just stops is a failure', async () => {
    await expect(collectCompletion(toRun([text('a')]))).rejects.toThrow(
      expect.objectContaining({ status: 500, code: 'engine_stopped' }) as Error,
    );
  });

  it('a model that is not there, and one that can not be loaded', async () => {
    await expect(
      collectCompletion(toRun([], { load: () => Promise.reject(new HttpProblem(404, 'None.')) })),
    ).rejects.toThrow('None.');
    await expect(collectCompletion(toRun([new EngineError('Full.', 503, 'full')]))).rejects.toThrow('Full.');
  });
});

/** A stream that keeps what is written; `full` makes each write wait until `drain` is called. */
function memoryStream(full = false): EventStream & { readonly written: string[]; ended: boolean; drain(): void } {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  return {
    written: [],
    ended: false,
    get isOpen() {
      return isOpen;
    },
    open() {
      isOpen = true;
    },
    write(value) {
      this.written.push(value);
      return full ? new Promise((resolve) => void waiting.push(resolve)) : null;
    },
    end(value) {
      this.written.push(value);
      this.ended = true;
    },
    drain() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

const explain = (error: unknown): HttpProblem =>
  error instanceof HttpProblem ? error : new HttpProblem(500, 'Told.', { code: 'told' });

const streamCompletion = (run: ChatRun, options: StreamOptions): Promise<void> =>
  streamAnswer((stream) => writeChunks(run, stream), options);

describe('a streamed answer', () => {
  it('opens with the first event and ends with the mark', async () => {
    const stream = memoryStream();
    await streamCompletion(toRun([text('a'), END]), { stream, explain });
    expect(stream.isOpen).toBe(true);
    expect(stream.ended).toBe(true);
    expect(stream.written).toHaveLength(2);
    expect(stream.written[0]).toMatch(/"role":"assistant"[^]*"content":"a"/);
    expect(stream.written[1]).toMatch(/"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/);
  });

  it('an empty answer is still a whole stream', async () => {
    const stream = memoryStream();
    await streamCompletion(toRun([END]), { stream, explain });
    expect(stream.written.join('')).toMatch(/"role":"assistant"[^]*"finish_reason":"stop"[^]*\[DONE\]/);
  });

  it.each([
    ['no model', { load: () => Promise.reject(new HttpProblem(404, 'None.')) }, [], 'None.'],
    ['a failure at once', {}, [new EngineError('Full.', 503, 'full')], 'Full.'],
    ['nothing at all', {}, [], 'without finishing'],
  ])('%s: thrown while nothing is written', async (_, more, events, message) => {
    const stream = memoryStream();
    await expect(streamCompletion(toRun(events, more), { stream, explain })).rejects.toThrow(message);
    expect([stream.isOpen, stream.ended, stream.written]).toEqual([false, false, []]);
  });

  it('a failure after the grace is said in the stream, also when nothing came before', async () => {
    const stream = memoryStream();
    const late = new Promise<never>(
      (_, reject) =>
        void vi
          .waitFor(() => expect(stream.isOpen).toBe(true))
          .then(() => reject(new EngineError('Full.', 503, 'full'))),
    );
    await streamCompletion(toRun([], { load: () => late }), { stream, graceMs: 5, explain });
    expect(stream.written).toEqual([expect.stringContaining('"code":"told"')]);
    expect(stream.ended).toBe(true);
  });

  it('says nothing to a caller who has left', async () => {
    const stream = memoryStream();
    await streamCompletion(toRun([text('a'), new Error('aborted')]), { stream, explain: () => null });
    expect(stream.written.at(-1)).toBe('');
    expect(stream.ended).toBe(true);
  });

  it('waits for a reader who is behind', async () => {
    const stream = memoryStream(true);
    let made = 0;
    const model: LoadedModel = {
      id: 'm',
      fingerprint: null,
      async *generate() {
        for (; made < 3; made += 1) yield text(String(made));
        yield END;
      },
    };
    const done = streamCompletion(toRun([], { load: async () => model }), { stream, explain });
    await vi.waitFor(() => expect(stream.written).toHaveLength(1));
    await new Promise(setImmediate);
    expect(made).toBe(0);
    while (!stream.ended) {
      stream.drain();
      await new Promise(setImmediate);
    }
    await done;
    expect(stream.written).toHaveLength(4);
  });
});

/** As much of a response as a watch looks at. */
function toOutgoing(state: { destroyed?: boolean; writableFinished?: boolean } = {}): ServerResponse {
  return Object.assign(new EventEmitter(), {
    destroyed: false,
    writableFinished: false,
    ...state,
  }) as unknown as ServerResponse;
}

describe('watchCaller', () => {
  it('a caller who leaves aborts the run', () => {
    const outgoing = toOutgoing();
    const watch = watchCaller(outgoing, openStreams());
    expect([watch.signal.aborted, watch.reason()]).toEqual([false, null]);
    outgoing.emit('close');
    expect([watch.signal.aborted, watch.reason()]).toEqual([true, 'caller-gone']);
  });

  it('one who left before it began, too', () => {
    expect(watchCaller(toOutgoing({ destroyed: true }), openStreams()).reason()).toBe('caller-gone');
  });

  it('a connection that closes after the answer is no leaving', () => {
    const outgoing = toOutgoing({ writableFinished: true });
    const watch = watchCaller(outgoing, openStreams());
    outgoing.emit('close');
    expect(watch.reason()).toBeNull();
  });

  it('a shutdown aborts, and the first reason stays', () => {
    const streams = openStreams();
    const outgoing = toOutgoing();
    const watch = watchCaller(outgoing, streams);
    streams.endAll();
    outgoing.emit('close');
    expect([watch.signal.aborted, watch.reason()]).toEqual([true, 'shutdown']);
    expect(shutdownProblem()).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });

  it('an answer that takes too long is aborted', async () => {
    const watch = watchCaller(toOutgoing(), openStreams(), 1);
    await vi.waitFor(() => expect([watch.signal.aborted, watch.reason()]).toEqual([true, 'too-long']));
    const problem = tooLongProblem(2 * 3_600_000);
    expect([problem.status, problem.code]).toEqual([504, 'answer_too_long']);
    expect(problem.message).toContain('120 min');
  });

  it('lets go when the answer is over', () => {
    const streams = openStreams();
    const outgoing = toOutgoing();
    const watch = watchCaller(outgoing, streams);
    watch.release();
    expect([streams.count, outgoing.listenerCount('close')]).toEqual([0, 0]);
    streams.endAll();
    expect(watch.reason()).toBeNull();
  });
});

describe('dropSlowReader', () => {
  it('ends a connection whose answer is not taken in time, and leaves the others alone', async () => {
    const slow = Object.assign(toOutgoing(), { destroy: vi.fn<() => void>() });
    const quick = Object.assign(toOutgoing(), { destroy: vi.fn<() => void>() });
    dropSlowReader(slow, 5);
    dropSlowReader(quick, 5);
    quick.emit('close');
    await vi.waitFor(() => expect(slow.destroy).toHaveBeenCalledOnce());
    expect(quick.destroy).not.toHaveBeenCalled();
  });
});

describe('openStreams', () => {
  it('tells each running answer once', () => {
    const streams = openStreams();
    const told: string[] = [];
    streams.add(() => told.push('a'));
    const removeB = streams.add(() => told.push('b'));
    streams.add(() => told.push('c'));
    removeB();
    expect(streams.count).toBe(2);
    streams.endAll();
    streams.endAll();
    expect(told).toEqual(['a', 'c']);
    expect(streams.count).toBe(0);
  });

  it('tells one that comes later at once', () => {
    const streams = openStreams();
    streams.endAll();
    const told = vi.fn<() => void>();
    streams.add(told);
    expect(told).toHaveBeenCalledOnce();
    expect(streams.count).toBe(0);
  });
});
