// Sessions: how they begin, are found, named, deleted and saved; training examples; keys.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { choose, downloadedBy, expectEnded, say, toPane } from './steps.ts';
import type { SentBody } from '../steps.ts';

const open = keepPart();

const message = (page: Part): Locator => page.getByRole('textbox', { name: 'Message' });

async function openSessions(page: Part): Promise<Locator> {
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  const list = page.getByRole('dialog', { name: 'Sessions' });
  await expect(list.getByRole('listitem').first()).toBeVisible();
  return list;
}

test('a message forks into a session of its own, also where there is no room for a pane', async () => {
  const page = await open(`/?models=${Array.from({ length: 8 }, () => 'echo').join()}`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Once');
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }), 'Run here only');
  await expectEnded(toPane(page, 1));
  await choose(toPane(page, 1).getByRole('button', { name: 'More for this answer' }), 'Fork into a new session');
  await expect(toPane(page, 2)).toBeHidden();
  await expect(toPane(page, 1).getByText('You wrote: Once')).toBeVisible();
  await expect.poll(() => location.search).toMatch(/models=echo($|&)/);
});

test('the session on show can be deleted; a draft belongs to its session', async () => {
  const page = await open(`/?models=echo`);
  await say(page, 'Keep me');
  await message(page).fill('half a thought');
  let list = await openSessions(page);
  await list.getByRole('button', { name: 'New', exact: true }).click();
  await expect(message(page)).toHaveValue('');
  await say(page, 'Delete me');
  list = await openSessions(page);
  await list.getByRole('button', { name: 'Delete Delete me' }).click();
  await expect(list.getByRole('button', { name: 'Delete Delete me' })).toBeHidden();
  await expect(list.getByRole('listitem').filter({ hasText: 'open here' })).toContainText('New session');
  await list.getByRole('button', { name: /^Keep me/ }).click();
  await expect(message(page)).toHaveValue('half a thought');
  list = await openSessions(page);
  await expect(list.getByRole('listitem')).toHaveCount(1);
});

test('sessions leave as a file and come back beside the others; a wrong file says where', async () => {
  const page = await open(`/?models=echo`);
  await say(page, 'To keep');
  const list = await openSessions(page);
  const text = await downloadedBy(page, () => list.getByRole('button', { name: 'Export all' }).click());
  expect(JSON.parse(text)).toMatchObject({
    format: 'model-studio/sessions',
    version: 1,
    sessions: [{ panes: [{ model: 'echo', turns: [{ content: 'To keep' }, {}] }] }],
  });
  const file = list.locator('input[type=file]');
  await file.setInputFile('wrong.json', text.replace('"role": "user"', '"role": "boss"'));
  await expect(list.getByText('sessions[0].panes[0].turns[0].role: must be user, assistant or tool.')).toBeVisible();
  await list.getByRole('button', { name: 'Close', exact: true }).last().click();
  await file.setInputFile('right.json', text);
  await list.getByRole('button', { name: 'Import 1 session' }).click();
  await expect(list.getByRole('listitem').filter({ hasText: 'To keep' })).toHaveCount(2);
});

test('sessions are begun, found by their text, opened, renamed, and deleted with a way back', async () => {
  const page = await open(`/?models=echo,echo`);
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  await say(page, 'Where is the parcel?', [first, second]);
  await page.keyboard.press('Alt+Shift+N');
  await expect(first.getByRole('article')).toHaveCount(0);
  await expect(message(page)).toBeFocused();
  await say(page, 'A refund, please', [first, second]);
  let list = await openSessions(page);
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('A refund, please');
  await list.getByRole('searchbox', { name: 'Search titles and text' }).fill('you wrote PARCEL');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list.getByText('1 of 2 sessions')).toBeVisible();
  await list.getByRole('button', { name: /^Where is the parcel\?/ }).click();
  await expect(list).toBeHidden();
  await expect(second.getByText('You wrote: Where is the parcel?')).toBeVisible();
  list = await openSessions(page);
  const rename = list.getByRole('button', { name: 'Rename A refund, please' });
  await rename.click();
  await list.getByRole('textbox', { name: 'Title' }).press('Escape');
  await expect(rename).toBeFocused();
  await rename.click();
  await list.getByRole('textbox', { name: 'Title' }).fill('Refunds');
  await page.keyboard.press('Enter');
  await list.getByRole('button', { name: 'Delete Refunds' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: /^Refunds/ }).click();
  await expect(first.getByText('You wrote: A refund, please')).toBeVisible();
  await open(location.href);
  await expect(first.getByText('You wrote: A refund, please')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sessions, open: Refunds' })).toBeVisible();
});

test('answers become training examples, each once, as JSONL', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await say(page, 'Two');
  const add = (nth: number): Promise<void> =>
    choose(pane.getByRole('button', { name: 'More for this answer' }).nth(nth), 'Use as expected answer');
  await add(0);
  await add(1);
  await page.getByRole('button', { name: '2 training examples' }).click();
  const list = page.getByRole('dialog', { name: 'Training examples' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
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
  // It comes after the list has changed, once that is stored. Until then the last Undo is that of the example before.
  await expect(list.getByText('Training example removed')).toBeVisible();
  await list.getByRole('button', { name: 'Undo' }).last().click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await add(0);
  await expect(page.getByText('This example is in the list already.')).toBeVisible();
  await open(location.href);
  await expect(page.getByRole('button', { name: '2 training examples' })).toBeVisible();
});

test('all shortcuts are on one sheet; keys move through the panes and stop answers', async () => {
  const page = await open(`/?models=stream:2000:100,echo`);
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await message(page).focus();
  await page.keyboard.type('Why??');
  await expect(sheet).toBeHidden();
  await expect(message(page)).toHaveValue('Why??');
  await message(page).press('Enter');
  await expect(first.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await message(page).press('Escape');
  await expect(first.getByText('stopped', { exact: true })).toBeVisible();
  await page.keyboard.press('Alt+Shift+P');
  await expect(first).toBeFocused();
  await page.keyboard.press('Alt+Shift+P');
  await expect(second).toBeFocused();
  await page.keyboard.press('Shift+?');
  await expect(sheet.getByText('New session')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(second).toBeFocused();
});
