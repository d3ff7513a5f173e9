import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenIdle } from './whenIdle.ts';

/** Idle times that were asked for and have not come. */
let asked: IdleRequestCallback[] = [];

/** One idle time with room for `steps` looks at the clock. */
function idle(steps: number): void {
  const [next] = asked.splice(0, 1);
  let left = steps;
  next?.({ didTimeout: false, timeRemaining: () => Math.max(0, left--) });
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('requestIdleCallback', (callback: IdleRequestCallback) => asked.push(callback));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('whenIdle', () => {
  it('runs all waiting tasks in one idle period', () => {
    const done: string[] = [];
    for (const name of ['a', 'b', 'c']) whenIdle(() => done.push(name), 0);
    vi.runAllTimers();
    expect(asked).toHaveLength(1);
    idle(10);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual([]);
  });

  it('runs at least one task, and leaves the rest to the next idle period', () => {
    const done: string[] = [];
    for (const name of ['a', 'b', 'c']) whenIdle(() => done.push(name), 0);
    vi.runAllTimers();
    idle(0);
    expect(done).toEqual(['a']);
    idle(1);
    idle(0);
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('runs tasks that were added meanwhile in a later period, and no cancelled task', () => {
    const done: string[] = [];
    whenIdle(() => {
      done.push('first');
      leave();
      whenIdle(() => done.push('later'), 0);
    }, 0);
    const leave = whenIdle(() => done.push('left'), 0);
    vi.runAllTimers();
    idle(10);
    expect(done).toEqual(['first']);
    vi.runAllTimers();
    idle(10);
    expect(done).toEqual(['first', 'later']);
  });

  it('waits for the given time first', () => {
    whenIdle(() => undefined, 300);
    vi.advanceTimersByTime(299);
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(asked).toHaveLength(1);
  });

  it('runs tasks at once in a browser without idle callbacks', () => {
    vi.stubGlobal('requestIdleCallback', undefined);
    const done = vi.fn();
    whenIdle(done, 0);
    vi.runAllTimers();
    expect(done).toHaveBeenCalledOnce();
  });
});
