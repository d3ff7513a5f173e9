// What every browser test gets: a signed-in page of a running studio, and a watch on what no page may ever do.
import { test as base, expect, type Page } from '@playwright/test';
import { openRemoteStudio } from './remoteStudio.ts';
import { startStudio, type StartedStudio } from './startStudio.ts';

type RemoteStudio = Awaited<ReturnType<typeof openRemoteStudio>>;

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

/** As somebody who has opened them: they would close with the first answer. */
async function openParameters(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // A blank page has no storage.
    if (origin !== 'null' && sessionStorage.getItem('studio.parameters') === null)
      sessionStorage.setItem('studio.parameters', 'open');
  });
}

export const test = base.extend<{ studioPage: Page; gatewayPage: Page }, { studio: StartedStudio; gateway: Gateway }>({
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
      const remote = await openRemoteStudio({ token: 'remote-secret' });
      const studio = await startStudio({
        args: ['--base-url', remote.url],
        env: { STUDIO_API_KEY: 'remote-secret' },
      });
      await use({ remote, studio });
      await studio.stop();
      await remote.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  studioPage: async ({ page, studio }, use) => {
    await openParameters(page);
    const watch = watchPage(page, studio.origin);
    await page.goto(studio.link);
    await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
    await use(page);
    expect(watch.faults).toEqual([]);
  },
  gatewayPage: async ({ page, gateway }, use) => {
    await openParameters(page);
    const watch = watchPage(page, gateway.studio.origin);
    await page.goto(gateway.studio.link);
    await use(page);
    expect(watch.faults).toEqual([]);
  },
});

export { expect };
