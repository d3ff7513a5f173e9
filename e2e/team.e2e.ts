// Several people at one studio, each with a token of their own: what they keep for each other, and what one who may only
// read is offered.
import { randomBytes } from 'node:crypto';
import type { Browser, Locator, Page } from '@playwright/test';
import { openFileTokens } from '#features/access/server/fileTokens.ts';
import { makeToken, toTokenHash } from '#features/access/server/tokens.ts';
import { expect, openHome, signIn, test } from './fixtures.ts';
import type { StartedStudio } from './startStudio.ts';
import { choose, expectAccessible } from './steps.ts';

/** A browser of their own, signed in with a new token. */
async function openAs(browser: Browser, studio: StartedStudio, name: string, isReadOnly = false): Promise<Page> {
  const token = makeToken((bytes) => randomBytes(bytes).toString('base64url'));
  const hash = toTokenHash(token);
  if (hash === null) throw new Error('The token has another form.');
  await openFileTokens(studio.dataDir).add({ name, isReadOnly, createdAt: new Date() }, hash);
  const page = await (await browser.newContext()).newPage();
  await signIn(page, { ...studio, token });
  return page;
}

async function openNotes(page: Page): Promise<Locator> {
  await openHome(page);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('treeitem', { name: /^Experiment 3/ }).click();
  await page.getByRole('tab', { name: 'Detail' }).click();
  return page.getByRole('region', { name: 'Notes' });
}

async function openPresets(page: Page): Promise<Locator> {
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Presets');
  return page.getByRole('dialog', { name: 'Presets' });
}

test('two people who edit one note at once lose nothing, and see whose words are whose', async ({
  browser,
  studio,
}) => {
  const [anna, ben] = [await openAs(browser, studio, 'Anna'), await openAs(browser, studio, 'Ben')];
  const [annas, bens] = [await openNotes(anna), await openNotes(ben)];
  const text = 'Text, in Markdown';
  await annas.getByRole('button', { name: 'Name, tags, text' }).click();
  await annas.getByLabel(text).fill('The rate is too high.');
  await bens.getByRole('button', { name: 'Name, tags, text' }).click();
  await bens.getByLabel(text).fill('Good enough for now.');
  await bens.getByRole('button', { name: 'Save' }).click();
  await expect(bens.getByText(/^Changed by Ben/)).toBeVisible();

  await annas.getByRole('button', { name: 'Save' }).click();
  const conflict = annas.getByRole('alert');
  await expect(conflict).toContainText('This note was changed by Ben while you were writing.');
  await expect(conflict).toContainText('Good enough for now.');
  await expect(conflict).toContainText('The rate is too high.');
  await expect(annas.getByLabel(text)).toHaveValue('The rate is too high.');
  await expectAccessible(annas);
  await conflict.getByRole('button', { name: 'Replace it with yours' }).click();
  await expect(annas.getByText(/^Changed by Anna/)).toBeVisible();
  // Ben's page asks again by itself.
  await expect(bens.getByText('The rate is too high.')).toBeVisible({ timeout: 30_000 });
  await expect(bens.getByText(/^Changed by Anna/)).toBeVisible();

  await bens.getByRole('button', { name: 'Edit' }).click();
  await bens.getByLabel(text).fill('');
  await bens.getByRole('button', { name: 'Save' }).click();
  await expect(bens.getByRole('button', { name: 'Name, tags, text' })).toBeVisible();
  await Promise.all([anna, ben].map((page) => page.context().close()));
});

test('presets that a browser kept are there for all, once, and stay when their maker leaves', async ({
  browser,
  studio,
}) => {
  const [cara, dan] = [await openAs(browser, studio, 'Cara'), await openAs(browser, studio, 'Dan')];
  await cara.addInitScript(() => {
    // As before there was a library.
    const preset = { id: 'a1', name: 'Careful', about: ['temperature'], settings: { temperature: 0.3 } };
    if (localStorage.getItem('studio.presets') === null)
      localStorage.setItem('studio.presets', JSON.stringify({ version: 1, presets: [preset] }));
  });
  const careful = (view: Locator) => view.getByRole('listitem').filter({ hasText: 'Careful' });
  for (const page of [cara, cara, dan]) {
    await openHome(page);
    const view = await openPresets(page);
    await expect(careful(view)).toHaveCount(1);
    await expect(careful(view)).toContainText('by Cara');
    await expect(view.getByText('The studio keeps presets: all who use it see them.')).toBeVisible();
  }
  expect(await cara.evaluate(() => localStorage.getItem('studio.presets'))).not.toContain('Careful');
  const view = dan.getByRole('dialog', { name: 'Presets' });
  await expectAccessible(view);
  await view.getByRole('button', { name: 'Rename Careful' }).click();
  await view.getByRole('textbox', { name: 'Name' }).first().fill('Cautious');
  await dan.keyboard.press('Enter');
  await expect(view.getByRole('listitem').filter({ hasText: 'Cautious' })).toContainText('by Dan');
  // Cara's page still has the old name.
  const caras = cara.getByRole('dialog', { name: 'Presets' });
  await caras.getByRole('button', { name: 'Delete Careful' }).click();
  await expect(caras.getByText('It was changed by Dan and is called “Cautious” now.')).toBeVisible();
  await caras.getByRole('button', { name: 'Delete Cautious' }).click();
  await expect(caras.getByRole('button', { name: 'Delete Cautious' })).toBeHidden();
  await Promise.all([cara, dan].map((page) => page.context().close()));
});

test('who may only read sees it, and what changes something is disabled with the reason', async ({
  browser,
  studio,
}) => {
  const page = await openAs(browser, studio, 'Rita', true);
  const refused: string[] = [];
  page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())));
  const notes = await openNotes(page);
  const reason = /^Your token may read only: ask whoever runs the studio/;
  await expect(page.getByText('Rita, read only')).toBeVisible();
  for (const name of ['Name, tags, text', 'Star', 'Archive']) {
    const button = notes.getByRole('button', { name, exact: true });
    await expect(button).toHaveAccessibleDescription(reason);
    await button.click({ force: true });
  }
  await expect(notes.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('treeitem', { name: /^Experiment 3/ }).click({ button: 'right' });
  for (const name of ['Rename', 'Star', 'Archive', 'Delete'])
    await expect(page.getByRole('menuitem', { name: new RegExp(`^${name} Your token may read only`) })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Copy id', exact: true })).toBeVisible();
  await expectAccessible(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search nodes, models and actions' }).fill('New project');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await expect(dialog.getByText(reason).first()).toBeVisible();
  expect(refused).toEqual([]);
  await page.context().close();
});
