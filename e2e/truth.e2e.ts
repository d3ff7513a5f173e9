// What was really sent and what really came: records, repeats with the same seed, samples, differences.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  choose,
  downloadedBy,
  expectAccessibleInBothThemes,
  expectEnded,
  keepShort,
  reload,
  run,
  toPane,
} from './steps.ts';

async function inspect(pane: Locator): Promise<Locator> {
  await pane.getByRole('article').last().hover();
  await pane.getByRole('button', { name: 'Inspect answer' }).last().click();
  return pane.page().getByRole('dialog', { name: 'Inspect answer' });
}

async function chooseInMenu(pane: Locator, item: string): Promise<void> {
  await pane.getByRole('article').last().hover();
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), item);
}

const download = (dialog: Locator, name: string): Promise<string> =>
  downloadedBy(dialog.page(), () => dialog.getByRole('button', { name }).click());

const openTab = (dialog: Locator, name: string): Promise<void> => dialog.getByRole('tab', { name }).click();

async function setSeed(pane: Locator, seed: number): Promise<void> {
  const field = pane.getByRole('spinbutton', { name: 'Seed', exact: true });
  await field.fill(String(seed));
  await field.press('Enter');
}

/** Seeds of the chat requests that the page sends from now on. */
function watchSeeds(page: Page): unknown[] {
  const seeds: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/chat/completions')) seeds.push((request.postDataJSON() as { seed?: unknown }).seed);
  });
  return seeds;
}

test('the record of an answer holds what was sent and what came, and survives a reload', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  const sent = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  await run(page, 'Hello there');
  const body = (await sent).postData() ?? '';
  await expectEnded(pane);
  for (const isReloaded of [false, true]) {
    const dialog = await inspect(pane);
    await expect(dialog.getByText('fp_remote')).toBeVisible();
    await expect(dialog.getByText('usage unknown')).toBeVisible();
    await openTab(dialog, 'Request');
    expect(await download(dialog, 'Download the request')).toBe(body);
    await openTab(dialog, 'Response events');
    const list = dialog.getByRole('listbox', { name: 'Response events' });
    await list.focus();
    await list.press('End');
    await expect(dialog.getByRole('group', { name: 'Chosen event' })).toHaveText('data: [DONE]');
    const events = (await download(dialog, 'Download the response'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ms: number; raw: string });
    expect(events.map(({ raw }) => raw).join('')).toContain('Hello');
    expect(events.map(({ ms }) => ms)).toEqual(events.map(({ ms }) => ms).toSorted((a, b) => a - b));
    await openTab(dialog, 'Headers');
    const headers = dialog.getByRole('group', { name: 'Headers' });
    await expect(headers).toContainText('content-type: text/event-stream');
    await expect(headers).not.toContainText(/cookie|authorization/i);
    await page.keyboard.press('Escape');
    await expect(pane.getByRole('button', { name: 'Inspect answer' })).toBeFocused();
    if (isReloaded) break;
    await expect.poll(() => countStored(page)).toBe(1);
    await reload(page);
    await expectEnded(pane);
  }
});

/** Records of requests that the browser keeps. */
function countStored(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open('studio.playground');
        open.addEventListener('success', () => {
          const keys = open.result.transaction('records').objectStore('records').getAllKeys();
          keys.addEventListener('success', () => {
            open.result.close();
            resolve(keys.result.filter((key) => Array.isArray(key) && key[1] === 'exchange').length);
          });
        });
      }),
  );
}

test('an answer that the page was reloaded under keeps the record of what had come', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=fault:stall`);
  await run(page, 'Go');
  const pane = toPane(page, 1);
  await expect(pane.getByText('Still here')).toBeVisible();
  await reload(page);
  await expect(pane.getByText('interrupted', { exact: true })).toBeVisible();
  const dialog = await inspect(pane);
  await openTab(dialog, 'Response events');
  expect(await download(dialog, 'Download the response')).toContain('Still');
});

test('a real model: the same request with its seed gives the identical answer, also after a reload', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=support-base`);
  const pane = toPane(page, 1);
  await keepShort(pane);
  await setSeed(pane, 11);
  await run(page, 'Where is order ORD-12345?');
  await expectEnded(pane);
  const seeds = watchSeeds(page);
  await chooseInMenu(pane, 'Repeat request');
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  await expect.poll(() => seeds).toEqual([11]);
  // Records are written when there is time.
  await expect.poll(() => countStored(page)).toBe(2);
  await reload(page);
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  // What is set now does not count: the recorded request does.
  await setSeed(pane, 12);
  await chooseInMenu(pane, 'Repeat request');
  await expect(pane.getByText('3/3')).toBeVisible();
  await expectEnded(pane);
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  await expect.poll(() => seeds).toEqual([11, 11]);
});

test('samples count their seeds up, agree or not, and each can be shown', async ({ studioPage: page, studio }) => {
  await page.goto(`${studio.origin}/?models=support-base`);
  const pane = toPane(page, 1);
  const seeds = watchSeeds(page);
  await setSeed(pane, 40);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('6');
  await run(page, 'Where is order ORD-12345?');
  const samples = pane.getByRole('group', { name: 'Samples' });
  await expect(samples.getByText(/^(all 6 (equal|different)|\d distinct answers)/)).toBeVisible({ timeout: 90_000 });
  await expect.poll(() => seeds.toSorted()).toEqual([40, 41, 42, 43, 44, 45]);
  await expect(samples.getByText('sample 1 of 6 · seed 40')).toBeVisible();
  await pane.getByRole('button', { name: 'Next version' }).click();
  await expect(samples.getByText('sample 2 of 6 · seed 41')).toBeVisible();
  await samples.getByRole('button', { name: 'compare answers' }).click();
  const answers = samples.getByRole('list', { name: 'Distinct answers' }).getByRole('button');
  const lines = await answers.allInnerTexts();
  expect(new Set(lines.map((line) => line.replace(/^\d+ ×\s*/, ''))).size).toBe(lines.length);
  await answers.last().click();
  await expect(answers.last()).toHaveAttribute('aria-current', 'true');
});

test('samples that a reload or Stop broke off are asked for again in their places, with their seeds', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=stream:150:30`);
  const pane = toPane(page, 1);
  await setSeed(pane, 40);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('6');
  await run(page, 'Go');
  const samples = pane.getByRole('group', { name: 'Samples' });
  await expect(samples.getByText('2 of 6 to come')).toBeVisible();
  await reload(page);
  await expect(samples.getByText('all 4 equal · 2 failed')).toBeVisible();
  await expect(samples.getByText('sample 1 of 6 · seed 40')).toBeVisible();
  const seeds = watchSeeds(page);
  await pane.getByRole('button', { name: 'Retry 2 samples' }).first().click();
  await expect(samples.getByText('2 of 6 to come')).toBeVisible();
  await expect(pane.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await page.getByRole('form', { name: 'Composer' }).getByRole('button', { name: 'Stop' }).click();
  await expect(samples.getByText('all 4 equal · 2 stopped')).toBeVisible();
  await samples.getByRole('button', { name: 'Retry 2 samples' }).click();
  await expect(samples.getByText('all 6 equal', { exact: true })).toBeVisible();
  await expect.poll(() => seeds.toSorted()).toEqual([44, 44, 45, 45]);
  for (let next = 0; next < 5; next += 1) await pane.getByRole('button', { name: 'Next version' }).click();
  await expect(samples.getByText('sample 6 of 6 · seed 45')).toBeVisible();
  const dialog = await inspect(pane);
  await openTab(dialog, 'Request');
  await expect(dialog.getByLabel('Request body')).toContainText('"seed": 45');
});

test('differences are shown in place, of a pane or of one answer, and go again', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo,echo-b`);
  await run(page, 'Same question');
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  await expect(second.getByRole('heading', { name: 'Echo of echo-b' })).toBeVisible();
  await expectEnded(second);
  await expectEnded(first);
  await second.getByRole('button', { name: 'Pane menu' }).click();
  await page.getByRole('menuitem', { name: 'Show differences from pane 1' }).click();
  await expect(second.getByRole('insertion')).toHaveText(/added: .*-b/);
  await expect(second.getByText(/1 word added/)).toBeAttached();
  await second.getByRole('button', { name: 'Next difference' }).click();
  await expect(second.getByText('1 of 1')).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Echo of echo-b' })).toHaveCount(0);
  await second.getByRole('button', { name: 'Hide differences' }).click();
  await expect(second.getByRole('heading', { name: 'Echo of echo-b' })).toBeVisible();

  await chooseInMenu(first, 'Show differences');
  await expect(first.getByRole('combobox', { name: 'Differences from' })).toHaveValue(/.+/);
  await expect(first.getByRole('deletion')).toHaveText(/removed: .*-b/);
  await chooseInMenu(first, 'Hide differences');
  await expect(first.getByRole('deletion')).toHaveCount(0);
});

test('both themes: samples, differences and the inspector are accessible', async ({ studioPage: page, studio }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${studio.origin}/?models=support-base,support-base`);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('3');
  await run(page, 'Where is order ORD-12345?');
  const pane = toPane(page, 2);
  for (const each of [toPane(page, 1), pane])
    await expect(each.getByRole('group', { name: 'Samples' }).getByText(/equal|different|distinct/)).toBeVisible({
      timeout: 90_000,
    });
  await pane.getByRole('button', { name: 'compare answers' }).click();
  await chooseInMenu(pane, 'Show differences');
  await expect(pane.getByRole('group', { name: 'Differences' })).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Playground', exact: true }));
  await chooseInMenu(pane, 'Repeat request');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Repeat without a seed' }).click();
  await expect(pane.getByText(/Repeated request/)).toBeVisible();
  await expectAccessibleInBothThemes(pane);
  const dialog = await inspect(pane);
  for (const tab of ['Summary', 'Request', 'Response events', 'Headers']) {
    await openTab(dialog, tab);
    await expectAccessibleInBothThemes(dialog);
  }
});
