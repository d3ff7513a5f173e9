import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { wait } from './wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(ms: number, stop = new AbortController()) {
  const state = { isOver: false, stop };
  void wait(ms, stop.signal).then(() => (state.isOver = true));
  return state;
}

it('is over when its time has passed', async () => {
  const state = start(100);
  await vi.advanceTimersByTimeAsync(99);
  expect(state.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(state.isOver).toBe(true);
});

it('is over with an abort, at once after one, and leaves no timer', async () => {
  const state = start(100);
  state.stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect([state.isOver, vi.getTimerCount()]).toEqual([true, 0]);
  const late = start(100, state.stop);
  await vi.advanceTimersByTimeAsync(0);
  expect([late.isOver, vi.getTimerCount()]).toEqual([true, 0]);
});

it('does not end at once where the time is longer than a timer takes', async () => {
  const state = start(2 ** 31 + 1000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.isOver).toBe(false);
});
