// Sessions in two tabs, and the dialogs of what a person keeps.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { choose, expectAccessible, expectEnded, say, toPane } from './steps.ts';

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

async function openSessions(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  const list = dialog(page, 'Sessions');
  await expect(list.getByRole('listitem').first()).toBeVisible();
  return list;
}

test('a session that another tab has open is left to it', async ({ gatewayPage: page, gateway, context }) => {
  // The worker's own page stays open: if it closed, the next test would get a new one.
  const first = await context.newPage();
  await first.goto(`${gateway.studio.origin}/?models=echo`);
  await say(first, 'First tab');
  const second = page;
  await second.bringToFront();
  await second.goto(`${gateway.studio.origin}/?models=echo`);
  await say(second, 'Second tab');
  const list = await openSessions(second);
  const row = list.getByRole('listitem').filter({ hasText: 'First tab' });
  await expect(row).toContainText('open in another tab');
  await expect(row.getByRole('button', { name: 'Delete First tab' })).toHaveAccessibleDescription(
    'It is open in another tab.',
  );
  await row.getByRole('button', { name: /^First tab/ }).click({ force: true });
  await expect(list).toBeVisible();
  await expect(toPane(second, 1).getByText('You wrote: Second tab')).toBeAttached();
  await first.close();
  // The browser lets go of a closed tab's locks a moment later.
  await expect(async () => {
    await second.keyboard.press('Escape');
    await openSessions(second);
    await expect(row).not.toContainText('open in another tab', { timeout: 500 });
  }).toPass();
  await list.getByRole('button', { name: /^First tab/ }).click();
  await expect(toPane(second, 1).getByText('You wrote: First tab')).toBeVisible();
});

test('a value of a variable grows with its lines; dialogs of what a person keeps are accessible', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  const field = page.getByRole('textbox', { name: 'thing', exact: true });
  await message(page).fill('Explain {{thing}}');
  await field.fill('line one');
  const height = (await field.boundingBox())?.height ?? 0;
  await field.press('End');
  await field.press('Enter');
  await page.keyboard.insertText('line two\n\tindented');
  await expect(field).toHaveValue('line one\nline two\n\tindented');
  expect((await field.boundingBox())?.height).toBeGreaterThan(2 * height);
  await expectAccessible(pane);
  await field.press('Control+Enter');
  await expect(pane.getByRole('article')).toHaveCount(1);
  await expectEnded(pane);
  await choose(pane.getByRole('button', { name: 'More for this answer' }), 'Use as expected answer');
  await page.getByRole('button', { name: '1 training example' }).click();
  await expect(dialog(page, 'Training examples').getByRole('listitem')).toHaveCount(1);
  await expectAccessible(dialog(page, 'Training examples'));
  await page.keyboard.press('Escape');
  await expectAccessible(await openSessions(page));
  await page.keyboard.press('Escape');
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Presets');
  await expect(dialog(page, 'Presets').getByRole('button', { name: 'Apply Deterministic' })).toBeVisible();
  await expectAccessible(dialog(page, 'Presets'));
  await page.keyboard.press('Escape');
  // The focus goes back to the menu's button, whose tooltip lies over the next one: a press goes through it.
  await expect(page.getByRole('tooltip', { name: 'Playground menu' })).toBeVisible();
  await choose(pane.getByRole('button', { name: 'Pane menu' }), 'Code');
  const code = dialog(page, 'Code for this request');
  await expect(code.getByRole('group', { name: 'Code' })).toContainText('echo');
  expect(await code.innerText()).not.toContain(gateway.studio.token);
  await expectAccessible(code);
  await page.keyboard.press('Escape');
  await expect(code).toBeHidden();
  await pane.focus();
  await page.keyboard.press('Shift+?');
  await expect(dialog(page, 'Keyboard shortcuts').getByText('New session')).toBeVisible();
  await expectAccessible(dialog(page, 'Keyboard shortcuts'));
});
