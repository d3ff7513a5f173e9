// Sessions: one that begins with a message of another, deletion, drafts, files.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.tsx';
import { choose, downloadedBy, expectEnded, say, toPane } from './steps.ts';

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
