import { describe, expect, it } from 'vitest';
import { linkAbort, toAbortable, toAbortError, withAbort } from './abort';
import { EngineError } from './engine';
import { SharedLoad } from './sharedLoad';
import { SlotPool } from './slotPool';

const idle = new AbortController().signal;

describe('SlotPool', () => {
  it('gives free slots by score and waiters in their order', async () => {
    const pool = new SlotPool(['a', 'b', 'c']);
    expect(await pool.acquire(idle, (slot) => (slot === 'b' ? 2 : 1))).toBe('b');
    await pool.acquire(idle);
    await pool.acquire(idle);
    const order: string[] = [];
    const first = pool.acquire(idle).then((slot) => order.push(`first ${slot}`));
    const second = pool.acquire(idle).then((slot) => order.push(`second ${slot}`));
    expect(pool.waitingCount).toBe(2);
    pool.release('c');
    pool.release('a');
    await Promise.all([first, second]);
    expect(order).toEqual(['first c', 'second a']);
    pool.release('b');
    expect(pool.freeCount).toBe(1);
  });

  it('forgets a waiter that leaves', async () => {
    const pool = new SlotPool([1]);
    const slot = await pool.acquire(idle);
    const controller = new AbortController();
    const left = pool.acquire(controller.signal);
    const stays = pool.acquire(idle);
    controller.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    pool.release(slot);
    expect(await stays).toBe(1);
    expect(pool.waitingCount).toBe(0);
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
    const stream = toAbortable<number>(async function* (signal) {
      try {
        yield 1;
        await withAbort(new Promise(() => undefined), signal);
      } finally {
        hasEnded = true;
      }
    }, [idle]);
    expect(await stream.next()).toEqual({ done: false, value: 1 });
    const pending = stream.next();
    await Promise.all([stream.return?.(), expect(pending).rejects.toMatchObject({ name: 'AbortError' })]);
    expect(hasEnded).toBe(true);
  });
});
