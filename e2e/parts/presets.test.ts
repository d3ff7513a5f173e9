// What fills a request: variables with their values, presets, and the code of the request.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { choose, expectEnded, sentBy, toPane } from './steps.ts';

const open = keepPart();

const message = (page: Part): Locator => page.getByRole('textbox', { name: 'Message' });

test('variables ask for their values, and the filled text is what is sent', async () => {
  const page = await open(`/?models=echo`);
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Speak {{language}}. {"a": {"b": 1}}');
  await message(page).fill('Explain {{thing}}');
  await message(page).press('Enter');
  await expect(page.getByText('Give language a value.')).toBeVisible();
  expect(page.sent).toEqual([]);
  await page.getByRole('textbox', { name: 'language' }).fill('French');
  await page.getByRole('button', { name: 'Send thing as it is written' }).click();
  const asWritten = await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click());
  expect(asWritten.messages.map(({ content }) => content)).toEqual([
    'Speak French. {"a": {"b": 1}}',
    'Explain {{thing}}',
  ]);
  await expectEnded(toPane(page, 1));
  await message(page).fill('Now {{thing}}');
  await page.getByRole('textbox', { name: 'thing', exact: true }).fill('trees');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(toPane(page, 1).getByText('You wrote: Now trees')).toBeVisible();
  await expect(message(page)).toHaveValue('Now {{thing}}');
});

test('presets are saved, applied to one pane or to all, renamed and deleted', async () => {
  const page = await open(`/?models=echo,echo`);
  await toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' }).fill('0.3');
  const menu = page.getByRole('button', { name: 'Playground menu' });
  await choose(menu, 'Presets');
  const view = page.getByRole('dialog', { name: 'Presets' });
  await view.getByRole('button', { name: 'Save preset' }).click();
  await expect(view.getByText('Give it a name.')).toBeVisible();
  await view.getByRole('textbox', { name: 'Name' }).fill('Careful');
  await view.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(view.getByRole('listitem').filter({ hasText: 'Careful' })).toContainText('temperature 0.3');
  await view.getByRole('combobox', { name: 'For' }).selectOption('pane 2, echo');
  await view.getByRole('button', { name: 'Apply Deterministic' }).click();
  await view.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(toPane(page, 2).getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0');
  await expect(toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.3');
  await choose(menu, 'Presets');
  await view.getByRole('button', { name: 'Rename Careful' }).click();
  await view.getByRole('textbox', { name: 'Name' }).first().fill('Cautious');
  await page.keyboard.press('Enter');
  await view.getByRole('button', { name: 'Delete Cautious' }).click();
  await expect(view.getByRole('button', { name: 'Delete Cautious' })).toBeHidden();
  await view.getByRole('button', { name: 'Undo' }).last().click();
  await expect(view.getByRole('button', { name: 'Delete Cautious' })).toBeVisible();
});

test('settings that a model brings are no changes; those that a person changes are marked and counted', async () => {
  const page = await open('/?models=echo-taught');
  const pane = toPane(page, 1);
  await expect(pane.getByRole('button', { name: 'Edit tools: 1 tool' })).toBeVisible();
  const marks = pane.locator('[title="You changed this setting"]');
  await expect(marks).toHaveCount(0);
  await expect(pane.getByText(/^\d+ changed$/)).toHaveCount(0);
  const seed = pane.getByRole('spinbutton', { name: 'Seed' });
  await seed.fill('7');
  await seed.blur();
  await expect(marks).toHaveCount(1);
  await expect(pane.getByText('1 changed', { exact: true })).toBeVisible();
});

test('the code is the request that Run sends, without a token', async () => {
  const page = await open(`/?models=echo`);
  const menu = toPane(page, 1).getByRole('button', { name: 'Pane menu' });
  await choose(menu, 'Code');
  const view = page.getByRole('dialog', { name: 'Code for this request' });
  await expect(view.getByText('Write a message first.')).toBeVisible();
  await view.getByRole('button', { name: 'Close', exact: true }).first().click();
  await message(page).fill('It\'s "this" <b>');
  await choose(menu, 'Code');
  const code = view.getByRole('group', { name: 'Code' });
  for (const tab of ['Python', 'TypeScript', 'curl', 'JSON']) {
    await view.getByRole('tab', { name: tab }).click();
    await expect(view.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    await expect(code).toContainText('echo');
    expect(await view.textContent()).not.toContain('remote-secret');
  }
  const shown = JSON.parse(await code.textContent()) as unknown;
  await view.getByRole('button', { name: 'Close', exact: true }).first().click();
  expect(await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click())).toEqual(shown);
});

test('values of variables keep their lines and tabs: Enter makes a line, Ctrl+Enter runs', async () => {
  const page = await open(`/?models=echo`);
  const field = page.getByRole('textbox', { name: 'thing', exact: true });
  const value = 'line one\nline two\n\tindented';
  await message(page).fill('Explain {{thing}}');
  await field.fill('line one');
  await field.press('Enter');
  expect(page.sent).toEqual([]);
  await field.fill(value);
  const sent = await sentBy(page, () => field.press('Control+Enter'));
  expect(sent.messages.map(({ content }) => content)).toEqual([`Explain ${value}`]);
  await expectEnded(toPane(page, 1));
  await open(location.href);
  // Values belong to the session, whichever message names the variable.
  await message(page).fill('Again: {{thing}}');
  await expect(field).toHaveValue(value);
});
