import { describe, expect, it } from 'vitest';
import type { StreamEvent } from './events.ts';
import { EMPTY_MESSAGE, reduceMessages } from './message.ts';
import { readStream } from './readStream.ts';
import { DONE, encodeData } from './sseEncode.ts';

const encoder = new TextEncoder();
const chunk = (content: string): string =>
  encodeData(JSON.stringify({ id: 'i', choices: [{ index: 0, delta: { content } }] }));
const FINISH = encodeData(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));

interface Source {
  readonly body: ReadableStream<Uint8Array>;
  /** How often the reader asked for more, and whether it let go. */
  readonly seen: { pulls: number; cancelled: unknown };
}

/** Gives the pieces one by one, then closes, fails, or stays silent. */
function source(pieces: readonly (string | Uint8Array)[], end: 'close' | 'silent' | Error = 'close'): Source {
  const seen: Source['seen'] = { pulls: 0, cancelled: null };
  const queue = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulls += 1;
        const piece = queue.shift();
        if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
        else if (end === 'close') controller.close();
        else if (end instanceof Error) controller.error(end);
        else return new Promise(() => undefined);
        return undefined;
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

async function collect(body: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<StreamEvent[][]> {
  const batches: StreamEvent[][] = [];
  for await (const batch of readStream(body, { signal })) batches.push([...batch]);
  return batches;
}

describe('batches', () => {
  it('gives one batch per read, none of them empty', async () => {
    const { body } = source([chunk('a') + chunk('b'), ': beat\n\n', chunk('c'), FINISH + DONE]);
    const batches = await collect(body);
    expect(batches.map((batch) => batch.map((event) => event.type))).toEqual([
      ['message-start', 'text-delta', 'text-delta'],
      ['text-delta'],
      ['message-end'],
    ]);
  });

  it('reads a real Response', async () => {
    const { body } = new Response(chunk('a') + FINISH + DONE);
    expect(reduceMessages(EMPTY_MESSAGE, (await collect(body!)).flat())).toMatchObject({
      text: 'a',
      state: 'complete',
    });
  });

  it('decodes characters that are split between reads, and keeps those that are cut off visible', async () => {
    const bytes = encoder.encode(chunk('zażółć 👩🏽‍🚀') + DONE);
    const single = Array.from(bytes, (_, index) => bytes.slice(index, index + 1));
    const message = reduceMessages(EMPTY_MESSAGE, (await collect(source(single).body)).flat());
    expect(message.text).toBe('zażółć 👩🏽‍🚀');
    const broken = Uint8Array.from([
      ...encoder.encode('data: {"choices":[{"delta":{"content":"a'),
      0xf0,
      0x9f,
      ...encoder.encode('"}}]}\n\n'),
    ]);
    expect(reduceMessages(EMPTY_MESSAGE, (await collect(source([broken]).body)).flat()).text).toBe('a\uFFFD');
  });

  it('asks for more only when a batch has been taken', async () => {
    const { body, seen } = source(Array.from({ length: 100 }, () => chunk('a')));
    const batches = readStream(body);
    await batches.next();
    expect(seen.pulls).toBe(1);
    await batches.next();
    expect(seen.pulls).toBe(2);
    await batches.return();
  });
});

describe('how it ends', () => {
  it('stops reading after [DONE], also when the service keeps the connection', async () => {
    const { body, seen } = source([chunk('a'), DONE], 'silent');
    expect((await collect(body)).flat().at(-1)).toEqual({ type: 'message-end', finish_reason: null });
    expect(seen).toEqual({ pulls: 2, cancelled: true });
  });

  it('stops reading after an error in the stream', async () => {
    const { body, seen } = source([encodeData('{"error":"no"}'), chunk('late')]);
    expect((await collect(body)).flat()).toEqual([{ type: 'stream-error', message: 'no', code: null, param: null }]);
    expect(seen.cancelled).toBe(true);
  });

  it('is interrupted when the connection is lost, and says why', async () => {
    const { body } = source([chunk('a')], new Error('socket hang up'));
    const events = (await collect(body)).flat();
    expect(events.at(-1)).toEqual({
      type: 'stream-interrupted',
      reason: 'The connection was lost before the answer was complete (socket hang up).',
    });
    expect(reduceMessages(EMPTY_MESSAGE, events).text).toBe('a');
  });

  it('is complete when the connection is lost after the finish_reason, even one whose blank line is missing', async () => {
    const events = (await collect(source([chunk('a'), FINISH.trimEnd()], new Error('reset')).body)).flat();
    expect(events.at(-1)).toEqual({ type: 'message-end', finish_reason: 'stop' });
  });

  it('is interrupted when nothing comes at all', async () => {
    expect((await collect(source([]).body)).flat().map((event) => event.type)).toEqual(['stream-interrupted']);
  });

  it('lets go of the connection when the loop is left', async () => {
    const { body, seen } = source([chunk('a'), chunk('b')], 'silent');
    for await (const batch of readStream(body)) {
      if (batch.length > 0) break;
    }
    expect(seen.cancelled).toBe(true);
  });
});

describe('aborting', () => {
  it('ends a read that waits on a silent service', async () => {
    const { body, seen } = source([chunk('a')], 'silent');
    const stop = new AbortController();
    const batches = readStream(body, { signal: stop.signal });
    await batches.next();
    const waiting = batches.next();
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen.cancelled).toBe(true);
  });

  it('ends before the first read, and between two batches', async () => {
    const stop = new AbortController();
    const early = source([chunk('a')]);
    const batches = readStream(early.body, { signal: stop.signal });
    await batches.next();
    stop.abort();
    await expect(batches.next()).rejects.toMatchObject({ name: 'AbortError' });
    const late = source([chunk('a')]);
    await expect(collect(late.body, stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(late.seen.pulls).toBe(0);
  });

  it('does not change an answer that is over', async () => {
    const stop = new AbortController();
    const events = (await collect(source([chunk('a'), DONE]).body, stop.signal)).flat();
    stop.abort();
    expect(events.at(-1)?.type).toBe('message-end');
  });
});

it('reads 100,000 deltas whole, with one batch for each network read', async () => {
  const piece = Array.from({ length: 100 }, () => chunk('token ')).join('');
  const { body, seen } = source(Array.from({ length: 1000 }, () => piece));
  const batches = await collect(body);
  expect(reduceMessages(EMPTY_MESSAGE, batches.flat()).text).toBe('token '.repeat(100_000));
  // The last read finds the end of the stream.
  expect([batches.length, seen.pulls]).toEqual([1001, 1001]);
});
