import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChannelLocks, type Channel } from './channelLocks.ts';
import { TabClaims } from './tabClaims.ts';

/** Tabs that hear each other, but for those that are frozen. */
class Air {
  private readonly tabs: { readonly listeners: ((event: { readonly data: unknown }) => void)[]; isFrozen: boolean }[] =
    [];
  open(): Channel & { isFrozen: boolean } {
    const tab = { listeners: [] as ((event: { readonly data: unknown }) => void)[], isFrozen: false };
    this.tabs.push(tab);
    const { tabs } = this;
    return Object.assign(tab, {
      send(data: unknown) {
        for (const other of tabs)
          if (other !== tab && !other.isFrozen)
            queueMicrotask(() => other.listeners.forEach((listener) => listener({ data })));
      },
      addEventListener: (_type: 'message', listener: (event: { readonly data: unknown }) => void) =>
        void tab.listeners.push(listener),
    });
  }
}

let air: Air;
const pass = (ms = 200): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const forEver = (): Promise<void> => new Promise(() => undefined);

function openTab(id: string) {
  const lost: string[] = [];
  const channel = air.open();
  const locks = new ChannelLocks(channel, id, (name) => lost.push(name));
  const take = async (name: string): Promise<boolean> => {
    let isOurs: boolean | null = null;
    void locks.request(name, { ifAvailable: true }, (lock) => ((isOurs = lock !== null), lock ? forEver() : undefined));
    await pass();
    return isOurs ?? false;
  };
  return { locks, lost, channel, take };
}

beforeEach(() => {
  vi.useFakeTimers();
  air = new Air();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('one tab has a lock, others are told', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  expect([await a.take('x'), await b.take('x'), await b.take('y')]).toEqual([true, false, true]);
  const asked = a.locks.query();
  await pass();
  expect((await asked).held?.map(({ name }) => name)).toEqual(['y', 'x']);
});

it('asks the others which locks they hold, and nothing more', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  const heard: unknown[] = [];
  b.channel.addEventListener('message', ({ data }) => heard.push(data));
  void a.locks.query();
  await pass();
  expect(heard).toEqual([{ kind: 'who', from: 'a' }]);
});

it('of two that ask at once, one has it', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  expect(await Promise.all([b.take('x'), a.take('x')])).toEqual([false, true]);
});

it('a lock that is let go is free for others', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  let letGo = (): void => undefined;
  void a.locks.request('x', {}, () => new Promise<void>((resolve) => (letGo = resolve)));
  await pass();
  expect(await b.take('x')).toBe(false);
  letGo();
  await pass();
  expect(await b.take('x')).toBe(true);
});

it('a tab that was frozen gives way when it comes back', async () => {
  const [a, b] = [openTab('a'), openTab('b')];
  await a.take('x');
  a.channel.isFrozen = true;
  expect(await b.take('x')).toBe(true);
  a.channel.isFrozen = false;
  a.locks.askAgain();
  await pass();
  expect([a.lost, b.lost]).toEqual([['x'], []]);
});

it('a duplicated tab without the browser’s locks starts from a copy, under an id of its own', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), {
      BroadcastChannel: function open() {
        const tab = air.open();
        return Object.assign(tab, { postMessage: tab.send });
      },
    }),
  );
  const kept = new Map<string, string>();
  const stub = (map: Map<string, string>) =>
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => map.get(key) ?? null,
      setItem: (key: string, value: string) => void map.set(key, value),
    });
  let count = 0;
  const makeId = (): string => `new${(count += 1)}`;
  const claim = async (map: Map<string, string>) => {
    stub(map);
    const claimed = new TabClaims('studio.desk').claim(['late'], makeId);
    await pass(2_000);
    return claimed;
  };
  expect(await claim(kept)).toEqual({ id: 'late', from: 'late' });
  expect(await claim(new Map(kept))).toEqual({ id: 'new1', from: 'late' });
});
