import { describe, expect, it } from 'vitest';
import { runInSlices, startSlices, toRunner, URGENT_SLICES } from './slices.ts';

function* count(to: number, seen: number[]): Generator<undefined, string> {
  for (let step = 0; step < to; step += 1) {
    seen.push(step);
    yield undefined;
  }
  return 'done';
}

/** A clock that a step moves on by 3 ms, and pauses that end when the test says so. */
function setUp(steps: number) {
  const state = { time: 0, seen: 0, done: [] as string[], pauses: [] as (() => void)[] };
  function* work(): Generator<undefined, string> {
    for (; state.seen < steps; state.seen += 1) {
      state.time += 3;
      yield undefined;
    }
    return 'done';
  }
  const rule = {
    budgetMs: 8,
    now: () => state.time,
    pause: () => new Promise<void>((resolve) => void state.pauses.push(resolve)),
  };
  const goOn = async () => {
    state.pauses.shift()?.();
    await new Promise((resolve) => void setTimeout(resolve, 0));
  };
  return { state, work, rule, goOn, start: () => startSlices(work(), rule, (result) => void state.done.push(result)) };
}

describe('runInSlices', () => {
  it('takes no more than its time and goes on after the pause', async () => {
    const { state, work, rule, goOn } = setUp(7);
    const run = runInSlices(work(), rule);
    expect([state.time, state.pauses.length]).toEqual([9, 1]);
    await goOn();
    expect([state.time, state.pauses.length]).toEqual([18, 1]);
    await goOn();
    expect(await run).toBe('done');
    expect([state.seen, state.pauses.length]).toEqual([7, 0]);
  });

  it('does short work at once', async () => {
    const seen: number[] = [];
    const run = runInSlices(count(20, seen), { budgetMs: 8, now: () => 0, pause: () => Promise.reject(new Error()) });
    expect(seen).toHaveLength(20);
    expect(await run).toBe('done');
  });

  it('lets others in between', async () => {
    let time = 0;
    let others = 0;
    const seen: number[] = [];
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => (others += 1));
    port1.start();
    port2.postMessage(null);
    const rule = { ...URGENT_SLICES, now: () => (time += 8) };
    expect(await runInSlices(count(20, seen), rule)).toBe('done');
    port1.close();
    expect(seen).toHaveLength(20);
    expect(others).toBeGreaterThan(0);
  });

  it('passes a failure on', async () => {
    function* fail(): Generator<undefined, never> {
      yield undefined;
      throw new SyntaxError('no JSON');
    }
    let time = 0;
    const rule = { budgetMs: 30, pause: () => Promise.resolve(), now: () => (time += 50) };
    await expect(runInSlices(fail(), rule)).rejects.toThrow('no JSON');
  });
});

it('a runner gives short works one slice together', async () => {
  const { state, rule, goOn } = setUp(0);
  const run = toRunner(rule);
  const seen: number[] = [];
  await run(count(2, seen));
  state.time = 9;
  const second = run(count(2, seen));
  expect(state.pauses).toHaveLength(1);
  await goOn();
  expect(await second).toBe('done');
  expect(seen).toEqual([0, 1, 0, 1]);
});

describe('startSlices', () => {
  it('calls back with the result', async () => {
    const { state, start, goOn } = setUp(4);
    start();
    expect(state.done).toEqual([]);
    await goOn();
    expect([state.seen, state.done]).toEqual([4, ['done']]);
  });

  it('takes no further step once it is stopped, and does not call back', async () => {
    const { state, start, goOn } = setUp(7);
    const stop = start();
    stop();
    await goOn();
    expect([state.time, state.seen, state.done]).toEqual([9, 2, []]);
  });

  it('does not call back where it is stopped after the last step', async () => {
    const { state, start, goOn } = setUp(1);
    start()();
    await goOn();
    expect([state.seen, state.done]).toEqual([1, []]);
  });
});
