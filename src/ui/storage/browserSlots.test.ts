import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openBrowserSlots } from './browserSlots.ts';

type Hold = (lock: { readonly name: string } | null) => Promise<void> | undefined;

/** Locks of a browser with lines of waiting tabs. */
class Lines {
  readonly held = new Set<string>();
  private readonly lines = new Map<string, (() => void)[]>();

  readonly request = async (name: string, { ifAvailable = false, signal }: LockOptions, hold: Hold): Promise<void> => {
    if (this.held.has(name)) {
      if (ifAvailable) return hold(null);
      await new Promise<void>((resolve, reject) => {
        const line = this.lines.get(name) ?? [];
        this.lines.set(name, line);
        line.push(resolve);
        signal?.addEventListener(
          'abort',
          () => (
            line.includes(resolve) && line.splice(line.indexOf(resolve), 1),
            reject(new DOMException('aborted', 'AbortError'))
          ),
        );
      });
    }
    this.held.add(name);
    await hold({ name });
    this.held.delete(name);
    this.lines.get(name)?.shift()?.();
    return undefined;
  };
}

let locks: Lines;
const never = new AbortController().signal;
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  locks = new Lines();
  vi.stubGlobal('navigator', { locks });
});
afterEach(() => vi.unstubAllGlobals());

it('gives so many places to all tabs together; the next waits until one is free', async () => {
  const [one, two] = [openBrowserSlots('s', 2), openBrowserSlots('s', 2)];
  const onWait = vi.fn();
  const first = await one.take(never, onWait);
  await two.take(never, onWait);
  expect(onWait).not.toHaveBeenCalled();
  let isThere = false;
  const third = two.take(never, onWait).then((letGo) => ((isThere = true), letGo));
  await settle();
  expect([isThere, onWait.mock.calls.length]).toEqual([false, 1]);
  first();
  (await third)();
  await settle();
  // The other place that it waited for was given back.
  expect(locks.held.size).toBe(1);
});

it('whoever gives up the wait takes nothing', async () => {
  const slots = openBrowserSlots('s', 1);
  const letGo = await slots.take(never, () => undefined);
  const stop = new AbortController();
  const waiting = slots.take(stop.signal, () => undefined);
  await settle();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  letGo();
  await settle();
  expect(locks.held.size).toBe(0);
});

it('without locks no tab waits for another', async () => {
  vi.stubGlobal('navigator', {});
  const onWait = vi.fn();
  for (let count = 0; count < 9; count += 1) await openBrowserSlots('s', 1).take(never, onWait);
  expect(onWait).not.toHaveBeenCalled();
});
