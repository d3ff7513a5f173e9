import { describe, expect, it } from 'vitest';
import { openStreamQueue, type StreamQueue } from './streamQueue.ts';

type Log = string[];

/** A stream that gives its name and then stays open until it is told to end or to fail. */
class Caller {
  readonly stop = new AbortController();
  readonly done: Promise<unknown>;
  private settle: { readonly end: () => void; readonly fail: (error: Error) => void } | null = null;
  private readonly ending: Promise<void>;

  constructor(queue: StreamQueue, name: string, log: Log) {
    this.ending = new Promise((resolve, reject) => (this.settle = { end: resolve, fail: reject }));
    const ending = this.ending;
    async function* open(): AsyncGenerator<string> {
      log.push(`${name} opens`);
      yield name;
      await ending;
    }
    const read = async (): Promise<void> => {
      const onWait = (isWaiting: boolean): void => void log.push(`${name} ${isWaiting ? 'waits' : 'goes on'}`);
      for await (const item of queue.run(open, this.stop.signal, onWait)) log.push(`${item} reads`);
      log.push(`${name} ends`);
    };
    this.done = read().catch((error: unknown) =>
      log.push(`${name} throws ${error instanceof Error ? error.name : String(error)}`),
    );
  }

  end(): Promise<unknown> {
    this.settle?.end();
    return this.done;
  }

  fail(): Promise<unknown> {
    this.settle?.fail(new TypeError('lost'));
    return this.done;
  }

  abort(): Promise<unknown> {
    this.stop.abort();
    return this.done;
  }
}

/** Everything that was ready to go on has. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function start(
  places: number,
  names: string,
): { readonly log: Log; readonly queue: StreamQueue; readonly callers: Readonly<Record<string, Caller>> } {
  const log: Log = [];
  const queue = openStreamQueue(places);
  return { log, queue, callers: Object.fromEntries([...names].map((name) => [name, new Caller(queue, name, log)])) };
}

describe('a queue of streams', () => {
  it('runs as many as there are places, the others in the order they came', async () => {
    const { log, callers } = start(2, 'abcd');
    await settled();
    expect(log.toSorted()).toEqual(['a opens', 'a reads', 'b opens', 'b reads', 'c waits', 'd waits']);
    await callers['b']?.end();
    await settled();
    expect(log.filter((line) => line.startsWith('c'))).toEqual(['c waits', 'c goes on', 'c opens', 'c reads']);
    expect(log).not.toContain('d opens');
    await callers['a']?.end();
    await settled();
    expect(log).toContain('d reads');
  });

  it('frees the place of a stream that fails or loses its consumer', async () => {
    const { log, queue, callers } = start(1, 'ab');
    await settled();
    await callers['a']?.fail();
    await settled();
    expect(log).toContain('a throws TypeError');
    expect(log).toContain('b reads');
    await callers['b']?.end();
    async function* two(): AsyncGenerator<number> {
      yield 1;
      yield 2;
    }
    for await (const item of queue.run(two, new AbortController().signal, () => undefined)) if (item === 1) break;
    const last = new Caller(queue, 'z', log);
    await settled();
    expect(log.at(-1)).toBe('z reads');
    await last.end();
  });

  it('lets one that waits be stopped: never opened, and its turn goes to the next', async () => {
    const { log, callers } = start(1, 'abc');
    await settled();
    await callers['b']?.abort();
    expect(log).toContain('b throws ApiFailure');
    await callers['a']?.end();
    await settled();
    expect(log).toContain('c reads');
    expect(log).not.toContain('b opens');
    expect(log).not.toContain('b goes on');
  });
});
