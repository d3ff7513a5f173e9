import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdLease, LeaseLost, type Hold, type HoldOptions } from './holdLease.ts';

const MS = 15_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
let held: Hold[] = [];
afterEach(() => {
  for (const each of held.splice(0)) each.stop();
  vi.useRealTimers();
});

function hold(renew: HoldOptions['renew'], more: Partial<HoldOptions> = {}): Hold {
  const opened = holdLease({ renew, ms: MS, askedAt: performance.now(), isShared: true, ...more });
  held.push(opened);
  return opened;
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
let sleptMs = 0;
/** The clock goes on, and no timer fires: the process was stopped. */
function sleep(ms: number): void {
  sleptMs += ms;
}
beforeEach(() => {
  const now = performance.now.bind(performance);
  sleptMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + sleptMs);
});
afterEach(() => vi.restoreAllMocks());

it('a lease that is renewed goes on', async () => {
  const renew = vi.fn(async () => true);
  const lease = hold(renew);
  await pass(10 * MS);
  expect(lease.signal.aborted).toBe(false);
  expect(renew).toHaveBeenCalledTimes(40);
  lease.stop();
  await pass(10 * MS);
  expect(renew).toHaveBeenCalledTimes(40);
  expect(lease.signal.aborted).toBe(false);
});

it.each([
  ['fails', () => Promise.reject(new Error('away'))],
  ['gets no answer', () => new Promise<never>(() => undefined)],
])('a holder is told while a third of its lease is left, when the renewing %s', async (_how, silence) => {
  let renew: HoldOptions['renew'] = async () => true;
  const lease = hold(() => renew());
  await pass(MS);
  renew = silence;
  // Renewed last at the end of the first 15 s.
  await pass((MS * 2) / 3 - 1);
  expect(lease.signal.aborted).toBe(false);
  await pass(1);
  expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
  expect([lease.isLost(), lease.leftMs()]).toEqual([false, MS / 3]);
  await pass(MS);
  expect(lease.leftMs()).toBe(0);
});

it('a renewal that gets no answer does not hold up the next one', async () => {
  let calls = 0;
  const lease = hold(() => ((calls += 1) % 2 === 1 ? new Promise(() => undefined) : Promise.resolve(true)));
  await pass(3 * MS);
  expect(lease.signal.aborted).toBe(false);
});

it('a lease lasts from when it was asked for, not from when the answer came', async () => {
  const lease = hold(() => new Promise((resolve) => setTimeout(resolve, 3_000, true)));
  // Asked at 3,750 ms, answered at 6,750 ms.
  await pass(6_750);
  expect(lease.leftMs()).toBe(MS - 3_000);
  const late = hold(() => new Promise(() => undefined), { askedAt: performance.now() - 10_000 });
  await pass(1_000);
  expect(late.signal.aborted).toBe(true);
});

it('a holder is told at once when somebody else has its lease, and renews it no more', async () => {
  let isKept = true;
  const renew = vi.fn(async () => isKept);
  const lease = hold(renew);
  await pass(MS);
  isKept = false;
  const before = renew.mock.calls.length;
  await pass(MS / 4);
  expect([lease.signal.aborted, lease.isLost(), lease.leftMs()]).toEqual([true, true, 0]);
  await pass(MS);
  expect(renew.mock.calls.length).toBe(before + 1);
});

describe('a process that slept for longer than its lease', () => {
  const wakeWith = (renew: HoldOptions['renew']): Hold => {
    const lease = hold(renew);
    sleep(66_000);
    expect(lease.leftMs()).toBe(0);
    expect(() => lease.check()).toThrow(LeaseLost);
    return lease;
  };

  it('goes on if nobody else has taken it', async () => {
    const lease = wakeWith(async () => true);
    await pass(10 * MS);
    expect(lease.signal.aborted).toBe(false);
    expect(lease.check()).toBeUndefined();
  });

  it('is told when somebody else has, or when there is no answer to that', async () => {
    const lost = hold(async () => false);
    const silent = wakeWith(() => new Promise(() => undefined));
    // Its timers are late, too: this is when the one comes that looks at the clock.
    await pass(MS * 0.6);
    expect([lost.signal.aborted, lost.isLost()]).toEqual([true, true]);
    expect(silent.signal.aborted).toBe(false);
    await pass(1_000);
    expect([silent.signal.aborted, silent.isLost()]).toEqual([true, false]);
  });
});

it('where nobody else can take it, a lease does not end by the clock', async () => {
  const lease = hold(() => Promise.reject(new Error('busy')), { isShared: false });
  await pass(100 * MS);
  expect([lease.signal.aborted, lease.leftMs()]).toEqual([false, Number.POSITIVE_INFINITY]);
});
