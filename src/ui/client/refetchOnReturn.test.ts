// Polling through a real query client with a made clock: how soon a page is live again after the service was away.
import { environmentManager, focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectQuery } from './queries.ts';
import type { Connection } from './request.ts';
import { wakeUpWith } from './refetchOnReturn.ts';

const TREE = JSON.stringify({
  project: {
    id: 'p',
    type: 'project',
    name: 'P',
    children: [{ id: 'd', type: 'dataset', label: 'D', status: 'completed' }],
  },
});

let client: QueryClient;
let isUp: boolean;
let isStarting: boolean;
let isLimited: boolean;
let isArriving: boolean;
let requests: number;
let page: { window: EventTarget; document: EventTarget & { visibilityState: DocumentVisibilityState } };
let stop: () => void;
let query: QueryObserver<unknown>;

const connection: Connection = { baseUrl: 'http://studio.test', now: () => Date.now() };
const live = (): boolean =>
  query.getCurrentResult().error === null &&
  query.getCurrentResult().fetchStatus === 'idle' &&
  query.getCurrentResult().data !== undefined;
const isOffline = (): boolean => query.getCurrentResult().error !== null;

async function waitFor(check: () => boolean, most: number): Promise<number> {
  const start = Date.now();
  while (!check() && Date.now() - start < most) await vi.advanceTimersByTimeAsync(50);
  return Date.now() - start;
}

beforeEach(async () => {
  vi.useFakeTimers();
  // Without a browser nothing would be polled.
  environmentManager.setIsServer(() => false);
  [isUp, isStarting, isLimited, isArriving, requests] = [true, false, false, false, 0];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    requests += 1;
    if (isLimited) return new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
    if (isArriving)
      return new Promise<Response>((_resolve, reject) =>
        (init.signal as AbortSignal).addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
      );
    if (isStarting) return new Response('{}', { status: 503, headers: { 'retry-after': '1' } });
    if (!isUp) throw new TypeError('Failed to fetch');
    return new Response(TREE, { headers: { 'content-type': 'application/json' } });
  });
  client = new QueryClient();
  page = {
    window: new EventTarget(),
    document: Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState }),
  };
  stop = wakeUpWith(client, {
    window: page.window as Window,
    document: page.document as unknown as Document,
    now: () => Date.now(),
  });
  query = new QueryObserver(client, projectQuery('p', connection) as never);
  const leave = query.subscribe(() => undefined);
  const quiet = stop;
  stop = () => {
    leave();
    quiet();
  };
  await waitFor(live, 5000);
});

afterEach(() => {
  stop();
  client.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

describe('after the service was away', () => {
  it.each([20_000, 60_000, 600_000])('for %d ms, the page is live again within 3 s', async (away) => {
    isUp = false;
    await vi.advanceTimersByTimeAsync(away);
    expect(isOffline()).toBe(true);
    isUp = true;
    expect(await waitFor(live, 60_000)).toBeLessThanOrEqual(3000);
  });

  it('and has said that it is starting, too', async () => {
    isUp = false;
    await vi.advanceTimersByTimeAsync(60_000);
    [isUp, isStarting] = [true, true];
    await vi.advanceTimersByTimeAsync(20_000);
    isStarting = false;
    expect(await waitFor(live, 60_000)).toBeLessThanOrEqual(3000);
  });

  it('and while all is well again, it is asked for as rarely as before', async () => {
    isUp = false;
    await vi.advanceTimersByTimeAsync(60_000);
    isUp = true;
    await waitFor(live, 60_000);
    const before = requests;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests - before).toBe(4);
  });

  it.each<[string, () => void]>([
    ['the network is back', () => page.window.dispatchEvent(new Event('online'))],
    ['the window has the focus', () => page.window.dispatchEvent(new Event('focus'))],
    ['the tab is shown', () => page.document.dispatchEvent(new Event('visibilitychange'))],
  ])('asks at once when %s', async (_what, happen) => {
    isUp = false;
    await vi.advanceTimersByTimeAsync(60_000);
    isUp = true;
    happen();
    expect(await waitFor(live, 60_000)).toBeLessThanOrEqual(50);
  });

  it('asks once for events that come together, and never from a hidden tab', async () => {
    isUp = false;
    await waitFor(isOffline, 60_000);
    const before = requests;
    page.document.visibilityState = 'hidden';
    page.window.dispatchEvent(new Event('online'));
    expect(requests).toBe(before);
    page.document.visibilityState = 'visible';
    page.document.dispatchEvent(new Event('visibilitychange'));
    page.window.dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toBe(before + 1);
  });
});

it('asks for nothing sooner than the service has asked for', async () => {
  isLimited = true;
  await waitFor(isOffline, 600_000);
  const before = requests;
  client.mount();
  for (let time = 0; time < 10; time += 1) {
    page.window.dispatchEvent(new Event('focus'));
    // React Query itself asks when the tab is shown again.
    for (const isShown of [false, true]) focusManager.setFocused(isShown);
    await vi.advanceTimersByTimeAsync(1000);
  }
  focusManager.setFocused(undefined);
  client.unmount();
  expect(requests).toBe(before);
  // Also while it waits between two tries.
  await waitFor(() => requests > before, 120_000);
  await vi.advanceTimersByTimeAsync(1000);
  page.window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toBe(before + 1);
});

it('does not begin anew what is arriving while the old error stands', async () => {
  isUp = false;
  await waitFor(isOffline, 60_000);
  const before = requests;
  isArriving = true;
  await waitFor(() => requests > before, 60_000);
  page.window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toBe(before + 1);
});

it('asks for nothing that was answered', async () => {
  const before = requests;
  page.window.dispatchEvent(new Event('focus'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(requests).toBe(before);
});
