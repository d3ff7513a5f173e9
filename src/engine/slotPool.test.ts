import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkAbort, toAbortable, toAbortError, withAbort } from './abort.ts';
import { EngineError } from './engine.ts';
import { QueueBounds } from './queueBounds.ts';
import { SharedLoad } from './sharedLoad.ts';
import { SlotPool, type SlotLease } from './slotPool.ts';

const idle = new AbortController().signal;
setMaxListeners(0, idle);

/** A pool whose clock is moved by hand, and a log of who got a turn, in order. */
function openPool(size: number, limits = { perCaller: 100, inAll: 1000 }) {
  let time = 0;
  const bounds = new QueueBounds(limits);
  const pool = new SlotPool(size, { bounds, pace: 'Slowly.', now: () => time });
  const begun: string[] = [];
  const turns: SlotLease[] = [];
  const enter = async (caller: string, name: string, signal = idle): Promise<void> => {
    const turn = await pool.enter(caller, signal);
    begun.push(name);
    turns.push(turn);
  };
  const advance = (ms: number): void => {
    time += ms;
  };
  /** Ends the oldest turn, after `ms`. */
  const endOne = async (ms = 0, isComplete = true): Promise<void> => {
    await new Promise(setImmediate);
    advance(ms);
    const turn = turns.shift();
    if (isComplete) turn?.complete();
    turn?.end();
    await new Promise(setImmediate);
  };
  return { pool, bounds, begun, turns, enter, endOne, advance };
}

describe('SlotPool', () => {
  it('gives back a slot once, however often its turn is ended', async () => {
    const pool = new SlotPool(3);
    const [one, two] = [await pool.enter('x', idle), await pool.enter('x', idle)];
    expect(pool.freeCount).toBe(1);
    one.end();
    one.end();
    two.end();
    expect(pool.freeCount).toBe(3);
  });

  it('gives one caller some of the slots, and tells it the time at that pace', async () => {
    let time = 0;
    const pool = new SlotPool(3, { perCaller: 1, now: () => time });
    const first = await pool.enter('x', idle);
    const second = pool.enter('x', idle);
    const other = await pool.enter('y', idle);
    expect(pool.waitingCount).toBe(1);
    time = 2_000;
    expect([pool.secondsUntilTurn('x'), pool.secondsUntilTurn('y')]).toEqual([4, 2]);
    other.end();
    expect(pool.waitingCount).toBe(1);
    first.end();
    (await second).end();
  });

  it('serves one caller in its own order', async () => {
    const { begun, enter, endOne, pool } = openPool(1);
    for (const name of ['1', '2', '3']) void enter('x', name);
    expect(pool.waitingCount).toBe(2);
    for (let round = 0; round < 3; round += 1) await endOne();
    expect(begun).toEqual(['1', '2', '3']);
  });

  it('callers take turns: who asks for one thing does not wait for a flood', async () => {
    const { begun, enter, endOne } = openPool(1);
    for (let index = 0; index < 10; index += 1) void enter('flood', `f${index}`);
    void enter('one', 'a');
    void enter('two', 'b');
    void enter('two', 'c');
    for (let round = 0; round < 13; round += 1) await endOne();
    const rest = Array.from({ length: 7 }, (_, index) => `f${index + 3}`);
    expect(begun).toEqual(['f0', 'f1', 'a', 'b', 'f2', 'c', ...rest]);
  });

  it('gives a turn to whoever waits, not to one who comes in the same moment', async () => {
    const { begun, turns, enter } = openPool(1);
    await enter('x', 'running');
    const waiting = enter('y', 'waiting');
    turns[0]?.end();
    void enter('x', 'late');
    await waiting;
    expect(begun).toEqual(['running', 'waiting']);
  });

  it('forgets a waiter that leaves, at once', async () => {
    const { pool, bounds, begun, enter, endOne } = openPool(1);
    await enter('x', 'running');
    const controller = new AbortController();
    const left = enter('x', 'left', controller.signal);
    void enter('x', 'stays');
    controller.abort();
    expect([pool.waitingCount, bounds.waitingCount]).toEqual([1, 1]);
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await endOne();
    expect(begun).toEqual(['running', 'stays']);
    expect([pool.waitingCount, bounds.waitingCount]).toEqual([0, 0]);
  });
});

describe('a full queue', () => {
  it('refuses one caller beyond its share, and nobody else', async () => {
    const { enter, endOne } = openPool(1, { perCaller: 2, inAll: 10 });
    for (const name of ['running', '1', '2']) void enter('x', name);
    await expect(enter('x', '3')).rejects.toMatchObject({ status: 429, code: 'too_many_waiting', retryAfter: '1' });
    void enter('y', 'other');
    await endOne();
    // Its first one has begun: there is room for one more, which waits behind the others.
    void enter('x', '4');
    await expect(enter('x', '5')).rejects.toMatchObject({ code: 'too_many_waiting' });
  });

  it('refuses everybody beyond its bound', async () => {
    const { enter } = openPool(1, { perCaller: 2, inAll: 3 });
    for (const caller of ['a', 'a', 'a', 'b']) void enter(caller, caller);
    const message = expect.stringMatching(/^The queue is full: 3 .* Slowly\. .* 1 s\.$/) as string;
    await expect(enter('c', 'c')).rejects.toMatchObject({ status: 429, code: 'queue_full', message });
  });

  it('counts the places of a caller in all pools that share its bounds', async () => {
    const bounds = new QueueBounds({ perCaller: 1, inAll: 10 });
    const [one, two] = [new SlotPool(1, { bounds }), new SlotPool(1, { bounds })];
    await Promise.all([one.enter('x', idle), two.enter('x', idle)]);
    void one.enter('x', idle);
    await expect(two.enter('x', idle)).rejects.toMatchObject({ code: 'too_many_waiting' });
  });
});

describe('the time to wait', () => {
  it('is how long the latest answers took, for all that stand before', async () => {
    const { pool, enter, endOne } = openPool(2);
    for (const name of ['1', '2', '3', '4']) void enter('x', name);
    await endOne(4_000);
    await endOne(2_000);
    // Answers took 4 s and 6 s, so 5 s; two at a time. "3" and "4" are running.
    expect(pool.secondsUntilTurn('x')).toBe(3);
    for (let index = 0; index < 9; index += 1) void enter('x', 'more');
    expect(pool.secondsUntilTurn('x')).toBe(25);
    // Another caller's turn comes after one of those.
    expect(pool.secondsUntilTurn('y')).toBe(5);
  });

  it('is not judged by turns that ended without an answer', async () => {
    const { pool, enter, endOne } = openPool(1);
    await enter('x', 'answer');
    await endOne(60_000);
    for (let round = 0; round < 40; round += 1) {
      await enter('x', 'refused');
      await endOne(0, false);
    }
    expect(pool.secondsUntilTurn('x')).toBe(60);
  });

  it('is at least what the running answers have taken so far', async () => {
    const { pool, enter, endOne, advance } = openPool(1);
    for (let round = 0; round < 32; round += 1) {
      await enter('x', 'short');
      await endOne(1_000);
    }
    await enter('x', 'long');
    advance(600_000);
    expect(pool.secondsUntilTurn('x')).toBe(600);
  });

  it('is judged by the running answers while none has ended, and never less than a second', async () => {
    const { pool, enter, endOne } = openPool(1);
    expect(pool.secondsUntilTurn('x')).toBe(1);
    await enter('x', 'running');
    void enter('x', 'waiting');
    expect(pool.secondsUntilTurn('x')).toBe(1);
    await endOne(100);
    expect(pool.secondsUntilTurn('x')).toBe(1);
  });
});

describe('SharedLoad', () => {
  it('is given up when the last caller has left, not before', async () => {
    let inner: AbortSignal = idle;
    const load = new SharedLoad<number>(
      (signal) =>
        new Promise((_resolve, reject) => {
          inner = signal;
          signal.addEventListener('abort', () => reject(toAbortError(signal)));
        }),
    );
    const [one, two] = [new AbortController(), new AbortController()];
    const joins = [load.join(one.signal), load.join(two.signal)];
    one.abort();
    await expect(joins[0]).rejects.toMatchObject({ name: 'AbortError' });
    expect(inner.aborted).toBe(false);
    two.abort();
    await expect(joins[1]).rejects.toMatchObject({ name: 'AbortError' });
    expect([inner.aborted, load.isAbandoned, await load.settled()]).toEqual([true, true, null]);
  });

  it('keeps its result', async () => {
    const load = new SharedLoad(() => Promise.resolve(5));
    expect(await load.join(idle)).toBe(5);
    expect([load.value, load.isAbandoned, await load.join(idle)]).toEqual([5, false, 5]);
  });
});

describe('abort', () => {
  it('passes an EngineError on as the reason', () => {
    const controller = new AbortController();
    controller.abort(new EngineError('closing', 503, 'engine_closed'));
    expect(toAbortError(controller.signal)).toMatchObject({ code: 'engine_closed' });
  });

  it('does not wait for what is aborted', async () => {
    const controller = new AbortController();
    const never = withAbort(new Promise(() => undefined), controller.signal);
    controller.abort();
    await expect(never).rejects.toMatchObject({ name: 'AbortError' });
    await expect(withAbort(Promise.reject(new Error('own')), idle)).rejects.toThrow('own');
  });

  it('unties signals', () => {
    const [outer, inner] = [new AbortController(), new AbortController()];
    linkAbort(outer.signal, inner)();
    outer.abort();
    expect(inner.signal.aborted).toBe(false);
  });

  it('ends a pending step when the reader leaves', async () => {
    let hasEnded = false;
    const stream = toAbortable<number>(
      async function* (signal) {
        try {
          yield 1;
          await withAbort(new Promise(() => undefined), signal);
        } finally {
          hasEnded = true;
        }
      },
      [idle],
    );
    expect(await stream.next()).toEqual({ done: false, value: 1 });
    const pending = stream.next();
    await Promise.all([stream.return?.(), expect(pending).rejects.toMatchObject({ name: 'AbortError' })]);
    expect(hasEnded).toBe(true);
  });
});
