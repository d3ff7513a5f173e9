// How much code a first view loads. Bytes after brotli, as the service sends them; when they are there is measured in
// `bench/firstView.ts`.
import { expect, openHome, test } from './fixtures.ts';

/** What the document names itself. */
const FIRST = 172_000;
/**
 * With what comes once the page is at rest, and with the recommendations of a snapshot, their plot, the buttons that
 * start runs from them and ask for them again, and what the trainer here refuses of them.
 */
const WITH_PLOT = 240_000;
/** Each of them takes a request, and some 8 ms of the processor's time. */
const FILES = 20;

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
