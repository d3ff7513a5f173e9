// Samples that a reload breaks off; differences, which a worker finds, and axe on them and the inspector.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { choose, expectAccessible, expectAccessibleInBothThemes, reload, run, say, toPane } from './steps.ts';

async function inspect(pane: Locator): Promise<Locator> {
  await pane.getByRole('article').last().hover();
  await pane.getByRole('button', { name: 'Inspect answer' }).last().click();
  return pane.page().getByRole('dialog', { name: 'Inspect answer' });
}

async function chooseInMenu(pane: Locator, item: string): Promise<void> {
  await pane.getByRole('article').last().hover();
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), item);
}

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

test('both themes: samples, differences and the inspector; differences are shown in place and go again', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${gateway.studio.origin}/?models=echo,echo-b`);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('3');
  await run(page, 'Same question');
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  for (const each of [first, second])
    await expect(each.getByRole('group', { name: 'Samples' }).getByText('all 3 equal')).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Echo of echo-b' })).toBeVisible();
  await test.step('differences are shown in place, of a pane or of one answer, and go again', async () => {
    await choose(second.getByRole('button', { name: 'Pane menu' }), 'Show differences from pane 1');
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
  await second.getByRole('button', { name: 'compare answers' }).click();
  await chooseInMenu(second, 'Show differences');
  await expect(second.getByRole('group', { name: 'Differences' })).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Playground', exact: true }));
  await chooseInMenu(second, 'Repeat request');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Repeat without a seed' }).click();
  await expect(second.getByText(/Repeated request/)).toBeVisible();
  await expectAccessible(second);
  const dialog = await inspect(second);
  for (const tab of ['Summary', 'Request', 'Response events', 'Headers']) {
    await openTab(dialog, tab);
    // In the dark theme one of the tabs speaks for all.
    await (tab === 'Response events' ? expectAccessibleInBothThemes : expectAccessible)(dialog);
  }
});

test('both themes: the tokens of an answer, and the fields of two JSON answers', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  await pane.getByRole('switch', { name: 'Logprobs' }).click();
  await say(page, 'How sure are you?');
  await pane.getByText('Token probabilities').click();
  const tokens = pane.getByRole('listbox', { name: 'Tokens' });
  await tokens.focus();
  await page.keyboard.press('End');
  await expect(tokens.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Playground', exact: true }));

  await page.goto(`${gateway.studio.origin}/?models=verbatim`);
  await say(page, '{"kind":"bug","rank":1}');
  await say(page, '{"kind":"wish","rank":1.0}');
  await chooseInMenu(pane, 'Show differences');
  await expect(pane.getByRole('table', { name: 'Fields that differ' })).toBeVisible();
  await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Playground', exact: true }));
});
