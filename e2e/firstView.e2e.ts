// How much code a first view loads. Bytes after brotli, as the service sends them; when they are there is measured in
// `bench/firstView.ts`.
import type { Browser } from '@playwright/test';
import { expect, openHome, originOf, signIn, test } from './fixtures.ts';
import type { StartedStudio } from './startStudio.ts';

/** What the document names itself. */
const FIRST = 136_000;
/**
 * With what comes once the page is at rest, and with the recommendations of a snapshot, their plot, the buttons that
 * start runs from them and ask for them again, and what the trainer here refuses of them.
 */
const WITH_PLOT = 247_000;
/** Each of them takes a request, and some 8 ms of the processor's time. */
const FILES = 24;

test('the code of the first view stays small, and so do recommendations and their plot', async ({
  studioPage: page,
  studio,
}) => {
  await openHome(page);
  await expect(page.getByRole('region', { name: 'Pane 1' })).toBeVisible();
  const toLoaded = async () => {
    const entries = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.toJSON() as { name: string; encodedBodySize: number })
        .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, bytes: encodedBodySize })),
    );
    return entries.filter(({ path }) => /\.(?:js|css)$/.test(path));
  };
  const loaded = await toLoaded();
  const html = await (await page.request.get(studio.origin)).text();
  const first = loaded.filter(({ path }) => html.includes(`"${path}"`));
  const toBytes = (files: typeof loaded): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
  // A page that names nothing, or sizes that the browser keeps to itself, would pass every limit.
  expect(first.map(({ path }) => path.replace(/-[\w-]+\./, '.')).sort()).toEqual(
    expect.arrayContaining(['/assets/index.css', '/assets/index.js']),
  );
  expect(toBytes(first)).toBeGreaterThan(100_000);
  expect(toBytes(first)).toBeLessThan(FIRST);
  // Without the classes of every folder with components, the style sheet has 3 KB and the page no layout.
  expect(toBytes(first.filter(({ path }) => path.endsWith('.css')))).toBeGreaterThan(9_000);
  await page
    .getByRole('treeitem', { name: /^Snapshot 1/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Parallel plot' }).click();
  await expect(page.getByRole('figure', { name: 'Candidates of this recommendation' })).toBeVisible();
  const all = await toLoaded();
  expect(toBytes(all)).toBeLessThan(WITH_PLOT);
  expect(all.length).toBeLessThan(FILES);
});

/** The places of the panels that can be seen, in a page with or without the scripts that draw it. */
async function findPanels(browser: Browser, studio: StartedStudio, place: string, width: number, hasScripts: boolean) {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  try {
    const page = await context.newPage();
    await signIn(page, studio);
    if (!hasScripts) {
      const client = await context.newCDPSession(page);
      await client.send('Network.enable');
      await client.send('Network.setBlockedURLs', { urls: ['*/assets/*.js'] });
    }
    await page.goto(`${studio.origin}/${place}`);
    const panels = page.locator(
      hasScripts ? 'main section[id*="-panel-"]' : '.frame > :last-child > :not(.frame-rail)',
    );
    await expect(panels).toHaveCount(3);
    const boxes = [
      await page
        .locator(hasScripts ? 'header' : '.frame > :first-child')
        .first()
        .boundingBox(),
    ];
    for (const panel of await panels.all()) boxes.push(await panel.boundingBox());
    // Between panels the page has lines of one pixel.
    return boxes.filter((box) => box !== null && box.width > 1).map((box) => box!);
  } finally {
    await context.close();
  }
}

for (const [place, width] of [
  ['', 1440],
  ['?tab=curves', 1440],
  ['', 1100],
  ['', 800],
] as const) {
  test(`the document alone shows the frame of the page${place}, ${width} pixels wide`, async ({ browser, studio }) => {
    const frame = await findPanels(browser, studio, place, width, false);
    const page = await findPanels(browser, studio, place, width, true);
    expect(frame).toHaveLength(page.length);
    for (const [place, box] of frame.entries())
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(Math.abs(box[side] - page[place]![side]), `${side} of ${place}`).toBeLessThanOrEqual(2);
  });
}

test('a visitor who has to sign in sees no frame of the studio', async ({ page, studio }) => {
  expect(await (await page.request.get(studio.origin)).text()).not.toContain('class="frame');
});

test('neither the tree nor a panel moves while the page loads', async ({ studioPage: page }) => {
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    // The overview and the playground fill with what they are answered.
    const filling = '[data-paper], section[aria-label="Playground"]';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node } of (entry as PerformanceEntry & { sources: { node: Element | null }[] }).sources)
          if (node !== null && !node.parentElement?.closest(filling)) moved.push(node.outerHTML.slice(0, 100));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openHome(page);
  await expect(page.getByRole('region', { name: 'Best of each dataset' }).getByText('100 %').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Pane 1' })).toBeVisible();
  expect(await page.evaluate('moved')).toEqual([]);
});

test('what is typed before the playground has loaded is its message', async ({ studioPage: page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 700,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.goto(originOf(page));
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.click();
  await page.keyboard.type('Hellp');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('o');
  await expect(page.getByRole('region', { name: 'Pane 1' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Pane 1' })).toBeVisible();
  await expect(message).toBeEditable();
  await expect(message).toBeFocused();
  await expect(message).toHaveValue('Hello');
  await page.keyboard.type('!');
  await expect(message).toHaveValue('Hello!');
});
