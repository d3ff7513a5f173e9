// Sessions, variables, training examples, presets, code and shortcuts: what a person keeps, and how it comes back.
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

test('the session on show can be deleted; a draft belongs to its session', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'Keep me');
  await message(page).fill('half a thought');
  await page.keyboard.press('Alt+Shift+N');
  await expect(message(page)).toHaveValue('');
  await say(page, 'Delete me');
  let list = await openSessions(page);
  await list.getByRole('button', { name: 'Delete Delete me' }).click();
  await expect(list.getByRole('button', { name: 'Delete Delete me' })).toBeHidden();
  await expect(list.getByRole('listitem').filter({ hasText: 'open here' })).toContainText('New session');
  await list.getByRole('button', { name: /^Keep me/ }).click();
  await expect(message(page)).toHaveValue('half a thought');
  list = await openSessions(page);
  await expect(list.getByRole('listitem')).toHaveCount(1);
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

test('sessions leave as a file and come back beside the others; a wrong file says where', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'To keep');
  const list = await openSessions(page);
  const text = await downloadedBy(page, () => list.getByRole('button', { name: 'Export all' }).click());
  expect(JSON.parse(text)).toMatchObject({
    format: 'model-studio/sessions',
    version: 1,
    sessions: [{ panes: [{ model: 'echo', turns: [{ content: 'To keep' }, {}] }] }],
  });
  const choose = async (name: string, content: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await list.getByRole('button', { name: 'Import', exact: true }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  };
  await choose('wrong.json', text.replace('"role": "user"', '"role": "boss"'));
  await expect(list.getByText('sessions[0].panes[0].turns[0].role: must be user, assistant or tool.')).toBeVisible();
  await list.getByRole('button', { name: 'Close', exact: true }).last().click();
  await choose('right.json', text);
  await list.getByRole('button', { name: 'Import 1 session' }).click();
  await expect(list.getByRole('listitem').filter({ hasText: 'To keep' })).toHaveCount(2);
  await expectAccessible(list);
});

test('variables ask for their values, and the filled text is what is sent', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Speak {{language}}. {"a": {"b": 1}}');
  await message(page).fill('Explain {{thing}}');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'language' })).toBeFocused();
  await expect(page.getByText('Give language a value.')).toBeVisible();
  await page.keyboard.type('French');
  await page.getByRole('button', { name: 'Send thing as it is written' }).click();
  await expect(page.getByRole('textbox', { name: 'thing', exact: true })).toBeFocused();
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
  await expectAccessible(toPane(page, 1));
  await reload(page);
  await expect(page.getByRole('textbox', { name: 'thing', exact: true })).toHaveValue('trees');
});

test('values of variables keep their lines and tabs: Enter makes a line, Ctrl+Enter runs', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await message(page).fill('Explain {{thing}}');
  const field = page.getByRole('textbox', { name: 'thing', exact: true });
  await field.fill('line one');
  const height = (await field.boundingBox())?.height ?? 0;
  await field.press('End');
  await field.press('Enter');
  await page.keyboard.insertText('line two\n\tindented');
  await expect(field).toHaveValue('line one\nline two\n\tindented');
  expect((await field.boundingBox())?.height).toBeGreaterThan(2 * height);
  const sent = await sentBy(page, () => field.press('Control+Enter'));
  expect(sent.messages.map(({ content }) => content)).toEqual(['Explain line one\nline two\n\tindented']);
});

test('answers become training examples, each once, as JSONL', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'One');
  await say(page, 'Two');
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
  await list.getByRole('button', { name: 'Undo' }).last().click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await add(0);
  await expect(page.getByText('This example is in the list already.')).toBeVisible();
  await reload(page);
  await expect(page.getByRole('button', { name: '2 training examples' })).toBeVisible();
});

test('presets are saved, applied to one pane or to all, renamed and deleted', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo,echo`);
  await toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' }).fill('0.3');
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Presets');
  const view = dialog(page, 'Presets');
  await view.getByRole('button', { name: 'Save preset' }).click();
  await expect(view.getByText('Give it a name.')).toBeVisible();
  await view.getByRole('textbox', { name: 'Name' }).fill('Careful');
  await page.keyboard.press('Enter');
  await expect(view.getByRole('listitem').filter({ hasText: 'Careful' })).toContainText('temperature 0.3');
  await expectAccessible(view);
  await view.getByRole('combobox', { name: 'For' }).selectOption('pane 2, echo');
  await view.getByRole('button', { name: 'Apply Deterministic' }).click();
  await page.keyboard.press('Escape');
  await expect(toPane(page, 2).getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0');
  await expect(toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.3');
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Presets');
  await view.getByRole('button', { name: 'Rename Careful' }).click();
  await view.getByRole('textbox', { name: 'Name' }).first().fill('Cautious');
  await page.keyboard.press('Enter');
  await view.getByRole('button', { name: 'Delete Cautious' }).click();
  await expect(view.getByRole('button', { name: 'Delete Cautious' })).toBeHidden();
  await view.getByRole('button', { name: 'Undo' }).last().click();
  await expect(view.getByRole('button', { name: 'Delete Cautious' })).toBeVisible();
});

test('the code is the request that Run sends, without the token', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const menu = toPane(page, 1).getByRole('button', { name: 'Pane menu' });
  await choose(menu, 'Code');
  const view = dialog(page, 'Code for this request');
  await expect(view.getByText('Write a message first.')).toBeVisible();
  await page.keyboard.press('Escape');
  await message(page).fill('It\'s "this" <b>');
  await choose(menu, 'Code');
  for (const tab of ['Python', 'TypeScript', 'curl', 'JSON']) {
    await view.getByRole('tab', { name: tab }).click();
    await expect(view.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    await expect(view.getByRole('group', { name: 'Code' })).toContainText('echo');
    expect(await view.innerText()).not.toContain(gateway.studio.token);
  }
  await expectAccessible(page.getByRole('dialog'));
  const shown = JSON.parse(await view.getByRole('group', { name: 'Code' }).innerText()) as unknown;
  await page.keyboard.press('Escape');
  expect(await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click())).toEqual(shown);
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
