// Sessions, variables, shortcuts, and dialogs of what a person keeps: over reloads, tabs and keys.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  choose,
  downloadedBy,
  expectAccessible,
  expectEnded,
  reload,
  say,
  sentBy,
  toPane,
  type SentBody,
} from './steps.ts';

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

async function openSessions(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  const list = dialog(page, 'Sessions');
  await expect(list.getByRole('listitem').first()).toBeVisible();
  return list;
}

test('sessions are begun, found by their text, opened, renamed, and deleted with a way back', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo,echo`);
  await say(page, 'Where is the parcel?', [toPane(page, 1), toPane(page, 2)]);
  await page.keyboard.press('Alt+Shift+N');
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(0);
  await expect(message(page)).toBeFocused();
  await say(page, 'A refund, please', [toPane(page, 1), toPane(page, 2)]);
  let list = await openSessions(page);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('A refund, please');
  await list.getByRole('searchbox', { name: 'Search titles and text' }).fill('you wrote PARCEL');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByText('1 of 2 sessions')).toBeVisible();
  await expectAccessible(list);
  await list.getByRole('button', { name: /^Where is the parcel\?/ }).click();
  await expect(list).toBeHidden();
  await expect(toPane(page, 2).getByText('You wrote: Where is the parcel?')).toBeVisible();
  list = await openSessions(page);
  await list.getByRole('button', { name: 'Rename A refund, please' }).click();
  await list.getByRole('textbox', { name: 'Title' }).press('Escape');
  await expect(list.getByRole('button', { name: 'Rename A refund, please' })).toBeFocused();
  await list.getByRole('button', { name: 'Rename A refund, please' }).click();
  await list.getByRole('textbox', { name: 'Title' }).fill('Refunds');
  await page.keyboard.press('Enter');
  await list.getByRole('button', { name: 'Delete Refunds' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: /^Refunds/ }).click();
  await expect(toPane(page, 1).getByText('You wrote: A refund, please')).toBeVisible();
  await reload(page);
  await expect(toPane(page, 1).getByText('You wrote: A refund, please')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sessions, open: Refunds' })).toBeVisible();
});

test('a session that another tab has open is left to it', async ({ gatewayPage: page, gateway, context }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'First tab');
  const second = await context.newPage();
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
  await page.close();
  // The browser lets go of a closed tab's locks a moment later.
  await expect(async () => {
    await second.keyboard.press('Escape');
    await openSessions(second);
    await expect(row).not.toContainText('open in another tab', { timeout: 500 });
  }).toPass();
  await list.getByRole('button', { name: /^First tab/ }).click();
  await expect(toPane(second, 1).getByText('You wrote: First tab')).toBeVisible();
});

test('what fills a request takes keys as a text does and is kept; its dialogs are accessible', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const field = page.getByRole('textbox', { name: 'thing', exact: true });
  await test.step('values of variables keep their lines and tabs: Enter makes a line, Ctrl+Enter runs', async () => {
    await message(page).fill('Explain {{thing}}');
    await field.fill('line one');
    const height = (await field.boundingBox())?.height ?? 0;
    await field.press('End');
    await field.press('Enter');
    await page.keyboard.insertText('line two\n\tindented');
    await expect(field).toHaveValue('line one\nline two\n\tindented');
    expect((await field.boundingBox())?.height).toBeGreaterThan(2 * height);
    await expectAccessible(toPane(page, 1));
    const sent = await sentBy(page, () => field.press('Control+Enter'));
    expect(sent.messages.map(({ content }) => content)).toEqual(['Explain line one\nline two\n\tindented']);
    await expectEnded(toPane(page, 1));
  });
  await test.step('answers become training examples, each once, as JSONL', async () => {
    await message(page).fill('Two');
    await page.keyboard.press('Enter');
    await expect(toPane(page, 1).getByRole('article')).toHaveCount(2);
    await expectEnded(toPane(page, 1));
    const add = (nth: number) =>
      choose(toPane(page, 1).getByRole('button', { name: 'More for this answer' }).nth(nth), 'Use as expected answer');
    await add(0);
    await add(1);
    await page.getByRole('button', { name: '2 training examples' }).click();
    const list = dialog(page, 'Training examples');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await expectAccessible(list);
    const text = await downloadedBy(page, () => list.getByRole('button', { name: 'Download JSONL' }).click());
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as SentBody);
    expect(rows.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user', 'assistant'],
      ['user', 'assistant', 'user', 'assistant'],
    ]);
    await list.getByRole('button', { name: 'Remove example 1' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(1);
    // It comes after the list has changed, once that is stored. Until then the last Undo is that of the example added before.
    await expect(list.getByText('Training example removed')).toBeVisible();
    await list.getByRole('button', { name: 'Undo' }).last().click();
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await page.keyboard.press('Escape');
    await add(0);
    await expect(page.getByText('This example is in the list already.')).toBeVisible();
  });
  await test.step('presets and code are accessible', async () => {
    await choose(page.getByRole('button', { name: 'Playground menu' }), 'Presets');
    await expect(dialog(page, 'Presets').getByRole('button', { name: 'Apply Deterministic' })).toBeVisible();
    await expectAccessible(dialog(page, 'Presets'));
    await page.keyboard.press('Escape');
    // The focus goes back to the menu's button, whose tooltip lies over the next one: a press goes through it.
    await expect(page.getByRole('tooltip', { name: 'Playground menu' })).toBeVisible();
    await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Code');
    const code = dialog(page, 'Code for this request');
    await expect(code.getByRole('group', { name: 'Code' })).toContainText('echo');
    expect(await code.innerText()).not.toContain(gateway.studio.token);
    await expectAccessible(code);
    await page.keyboard.press('Escape');
  });
  await test.step('values and training examples are there again after a reload', async () => {
    await reload(page);
    // Values belong to the session, whichever message names the variable.
    await message(page).fill('Again: {{thing}}');
    await expect(field).toHaveValue('line one\nline two\n\tindented');
    await expect(page.getByRole('button', { name: '2 training examples' })).toBeVisible();
  });
});

test('all shortcuts are on one sheet; keys move through the panes and stop answers', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=stream:2000:100,echo`);
  await message(page).fill('Why?');
  await message(page).press('?');
  await expect(dialog(page, 'Keyboard shortcuts')).toBeHidden();
  await expect(message(page)).toHaveValue('Why??');
  await message(page).press('Enter');
  await expect(toPane(page, 1).getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await message(page).press('Escape');
  await expect(toPane(page, 1).getByText('stopped', { exact: true })).toBeVisible();
  await page.keyboard.press('Alt+Shift+P');
  await expect(toPane(page, 1)).toBeFocused();
  await page.keyboard.press('Alt+Shift+P');
  await expect(toPane(page, 2)).toBeFocused();
  await page.keyboard.press('Shift+?');
  const sheet = dialog(page, 'Keyboard shortcuts');
  await expect(sheet.getByText('New session')).toBeVisible();
  await expectAccessible(sheet);
  await page.keyboard.press('Escape');
  await expect(toPane(page, 2)).toBeFocused();
});
