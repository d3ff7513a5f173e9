// What every browser test gets: an empty page that is signed in to a running studio, and a watch on what no page may ever
// do.
import { test as base, type Page } from '@playwright/test';
import { expect } from './expect.ts';
import { openRemoteStudio, type RemoteOptions, type RemoteStudio } from './remoteStudio.ts';
import { startStudio, type StartedStudio } from './startStudio.ts';

export interface Gateway {
  readonly remote: RemoteStudio;
  readonly studio: StartedStudio;
}

/** Collects page errors, console errors and requests that leave the studio's origin. */
export function watchPage(page: Page, origin: string): { readonly faults: string[] } {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    // A failed request is logged by the browser itself; what the page makes of it is what tests look at.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) faults.push(`request to ${url.origin}`);
  });
  return { faults };
}

const studios = new WeakMap<Page, StartedStudio>();

/** Where the studio of this page is. */
export function originOf(page: Page): string {
  return studios.get(page)?.origin ?? new URL(page.url()).origin;
}

/** Signs in without loading a page: a test opens the address that it is about, and no other one before it. */
export async function signIn(page: Page, studio: StartedStudio): Promise<void> {
  studios.set(page, studio);
  const answer = await page.request.post(`${studio.origin}/api/session`, { data: { token: studio.token } });
  expect(answer.status()).toBe(204);
}

/** Opens the studio as its link does, and waits for the tree. */
export async function openHome(page: Page): Promise<void> {
  await page.goto(`${originOf(page)}/`);
  await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
}

/**
 * Goes to an address, which begins with `?`: in a page that is open as Back does, since a load takes 0.8 s of
 * processor time. Where loading is what a test is about, it says `page.goto`.
 */
export async function goTo(page: Page, search: string): Promise<void> {
  const { origin, pathname } = new URL(page.url());
  if (origin !== originOf(page) || pathname !== '/') return void (await page.goto(`${originOf(page)}/${search}`));
  await page.evaluate((next) => {
    history.pushState(null, '', next);
    dispatchEvent(new PopStateEvent('popstate'));
  }, search);
}

/** As somebody who has opened them: they would close with the first answer. */
export async function openParameters(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // A blank page has no storage.
    if (origin !== 'null' && sessionStorage.getItem('studio.parameters') === null)
      sessionStorage.setItem('studio.parameters', 'open');
  });
}

/**
 * Started once a worker, when a test first asks for one. All are named here: tests with fixtures of their own for a
 * worker would get another worker, and its studios would start again.
 */
interface Studios {
  readonly studio: StartedStudio;
  readonly gateway: Gateway;
  /** A second project with 100,000 nodes. */
  readonly largeGateway: Gateway;
}

/** A remote studio, and a studio in front of it; the caller closes both. */
export async function openGateway(
  options: Omit<RemoteOptions, 'token'> = {},
): Promise<Gateway & { close(): Promise<void> }> {
  const remote = await openRemoteStudio({ token: 'remote-secret', ...options });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: 'remote-secret' } });
  return {
    remote,
    studio,
    async close() {
      await studio.stop();
      await remote.close();
    },
  };
}

export const test = base.extend<{ studioPage: Page; gatewayPage: Page }, Studios>({
  studio: [
    async ({}, use) => {
      const studio = await startStudio();
      await use(studio);
      await studio.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  gateway: [
    async ({}, use) => {
      const gateway = await openGateway();
      await use(gateway);
      await gateway.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  largeGateway: [
    async ({}, use) => {
      const gateway = await openGateway({ nodes: 100_000 });
      await use(gateway);
      await gateway.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  studioPage: async ({ page, studio }, use) => {
    await openParameters(page);
    const watch = watchPage(page, studio.origin);
    await signIn(page, studio);
    await use(page);
    expect(watch.faults).toEqual([]);
  },
  gatewayPage: async ({ page, gateway }, use) => {
    await openParameters(page);
    gateway.remote.restore();
    const watch = watchPage(page, gateway.studio.origin);
    await signIn(page, gateway.studio);
    await use(page);
    expect(watch.faults).toEqual([]);
  },
});

export { expect };
