import { afterEach, expect, it, vi } from 'vitest';
import { openSpares } from './idleThreads.ts';

afterEach(() => vi.useRealTimers());

function openTest(idleMs: number) {
  const ended: number[] = [];
  let count = 0;
  const spares = openSpares(() => {
    const number = (count += 1);
    let settle: (end: never) => void = () => undefined;
    const hasEnded = new Promise<never>((resolve) => {
      settle = resolve;
    });
    const end = async (): Promise<void> => {
      ended.push(number);
      settle(undefined as never);
    };
    return { number, isolated: { ended: hasEnded, end } };
  }, idleMs);
  return { spares, ended };
}

it('a thread that has done its work is taken again, and one of two waits', () => {
  const { spares, ended } = openTest(1000);
  const [one, two] = [spares.take(), spares.take()];
  expect([one.number, two.number]).toEqual([1, 2]);
  spares.giveBack(one);
  spares.giveBack(two);
  expect(ended).toEqual([1]);
  expect([spares.take().number, spares.take().number]).toEqual([2, 3]);
});

it('it ends when nobody needs it for a while, and is not taken once it has ended', async () => {
  vi.useFakeTimers();
  const { spares, ended } = openTest(1000);
  spares.giveBack(spares.take());
  vi.advanceTimersByTime(999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([1]);
  const next = spares.take();
  spares.giveBack(next);
  await next.isolated.end();
  await Promise.resolve();
  expect(spares.take().number).toBe(3);
});
