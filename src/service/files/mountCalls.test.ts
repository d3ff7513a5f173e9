import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Place, Silence } from './mountCalls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Calls that answer when they are told to. */
function makeCalls() {
  const calls: ((value: string) => void)[] = [];
  return { calls, call: () => new Promise<string>((resolve) => void calls.push(resolve)) };
}
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof Silence ? 'silent' : error));

describe('a place whose mount hangs', () => {
  it('says since when within the time of a call, and refuses the next ones at once', async () => {
    const place = new Place({ callMs: 100, now: () => Date.UTC(2026, 0, 2, 10, 42, 7) });
    const { call, calls } = makeCalls();
    const asked = expect(place.run(call)).rejects.toThrow(
      'its disk or network mount has not answered since 10:42:07 UTC',
    );
    await vi.advanceTimersByTimeAsync(100);
    await asked;
    expect(await codeOf(place.run(call))).toBe('silent');
    expect(calls).toHaveLength(1);
  });

  it('keeps no more than three threads for calls and two for looks, however often it is asked and however long', async () => {
    const place = new Place({ callMs: 100 });
    const { call, calls } = makeCalls();
    const asked = Array.from({ length: 20 }, () => codeOf(place.run(call)));
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, () => 'silent'));
    expect(calls).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(calls).toHaveLength(5);
    for (const answer of calls) answer('');
    await vi.advanceTimersByTimeAsync(0);
  });

  it('answers again when a call that was given up returns, which hands over what it has opened', async () => {
    const place = new Place({ callMs: 100 });
    const { call, calls } = makeCalls();
    const late: string[] = [];
    const asked = codeOf(place.run(call, (value) => void late.push(value)));
    await vi.advanceTimersByTimeAsync(100);
    expect([await asked, place.silentSince === null]).toEqual(['silent', false]);
    calls[0]?.('a file');
    await vi.advanceTimersByTimeAsync(0);
    expect([late, place.silentSince]).toEqual([['a file'], null]);
    expect(await place.run(async () => 'b')).toBe('b');
  });

  it('answers again when another mount took its place, although the calls about the first one never return', async () => {
    let isMounted = false;
    const place = new Place({
      callMs: 100,
      probe: () => (isMounted ? Promise.resolve() : new Promise<void>(() => undefined)),
    });
    const asked = codeOf(place.run(() => new Promise<string>(() => undefined)));
    await vi.advanceTimersByTimeAsync(5_100);
    expect([await asked, place.silentSince === null]).toEqual(['silent', false]);
    isMounted = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(place.silentSince).toBeNull();
  });

  it('counts a call that fails as an answer', async () => {
    const place = new Place({ callMs: 100 });
    await expect(place.run(() => Promise.reject(new Error('EACCES')))).rejects.toThrow('EACCES');
    expect(place.silentSince).toBeNull();
  });
});
