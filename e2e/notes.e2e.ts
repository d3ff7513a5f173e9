// What people note of a run: a star, tags, a text, and the archive, in the tree, the Detail tab and the address.
import { expect, openHome, test } from './fixtures.ts';
import { expectAccessible, undoLast } from './steps.ts';

test('a run is noted, found by its tag, archived, and brought back', async ({ studioPage: page }) => {
  await openHome(page);
  await page.getByRole('button', { name: 'Expand all' }).click();
  const rows = page.getByRole('treeitem', { name: /^Experiment/ });
  await expect(rows).toHaveCount(7);
  const row = page.getByRole('treeitem', { name: /^Experiment 3/ });

  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Star', exact: true }).click();
  await expect(page.getByRole('treeitem', { name: /^Experiment 3.*, starred/ })).toBeVisible();

  await row.click();
  await page.getByRole('tab', { name: 'Detail' }).click();
  const notes = page.getByRole('region', { name: 'Notes' });
  await notes.getByRole('button', { name: 'Name, tags, text' }).click();
  await notes.getByLabel('Tags').fill('diverged');
  await notes.getByLabel('Tags').press('Enter');
  await notes.getByLabel('Text, in Markdown').fill('The rate was **far** too high.');
  // What is not saved is there after another selection and after a reload.
  await page.getByRole('treeitem', { name: /^Order tools/ }).click();
  await expect(notes.getByLabel('Text, in Markdown')).toBeHidden();
  await row.click();
  await page.reload();
  await expect(notes.getByLabel('Text, in Markdown')).toHaveValue('The rate was **far** too high.');
  await expectAccessible(notes);
  await notes.getByLabel('Text, in Markdown').press('Control+Enter');
  await expect(notes.getByRole('strong').filter({ hasText: 'far' })).toBeVisible();
  await expect(notes.getByRole('button', { name: 'Edit' })).toBeFocused();
  await page.reload();
  await expect(notes.getByText('far', { exact: true })).toBeVisible();
  await expect(notes.getByRole('button', { name: 'Starred' })).toHaveAttribute('aria-pressed', 'true');

  const filter = page.getByRole('searchbox', { name: 'Filter tree' });
  await filter.fill('diverged');
  await expect(page.getByRole('treeitem', { name: /^Experiment/ })).toHaveCount(1);
  await expect(row.getByText('diverged')).toBeVisible();

  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(row).toBeHidden();
  // What is selected stays on show.
  await expect(notes.getByRole('button', { name: 'Unarchive' })).toBeVisible();
  await filter.fill('');
  const toggle = page.getByRole('switch', { name: 'Show archived (1)' });
  await toggle.check();
  await expect(page).toHaveURL(/archived=1/);
  await expect(page.getByRole('treeitem', { name: /^Experiment 3.*, archived/ })).toBeVisible();
  await toggle.uncheck();
  await expect(row).toBeHidden();

  await undoLast(page);
  await expect(row).toBeVisible();
  await expect(toggle).toBeHidden();
  // Other tests share the studio.
  await notes.getByRole('button', { name: 'Starred' }).click();
  await notes.getByRole('button', { name: 'Edit' }).click();
  await notes.getByRole('button', { name: 'Remove tag diverged' }).click();
  await notes.getByLabel('Text, in Markdown').fill('');
  await notes.getByRole('button', { name: 'Save' }).click();
  await expect(notes.getByRole('button', { name: 'Name, tags, text' })).toBeVisible();

  // Names that begin alike differ at their ends, which stay in sight.
  await notes.getByRole('button', { name: 'Name, tags, text' }).click();
  await notes.getByLabel('Name').fill(`${'support-triage-'.repeat(4)}seed-3`);
  await notes.getByRole('button', { name: 'Save' }).click();
  const named = page.getByRole('treeitem', { name: /seed-3/ });
  const room = await named.evaluate((item) => {
    const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()?.textContent?.endsWith('seed-3') === false);
    const end = document.createRange();
    end.selectNodeContents(texts.currentNode);
    return item.getBoundingClientRect().right - end.getBoundingClientRect().right;
  });
  expect(room).toBeGreaterThan(0);
  await notes.getByRole('button', { name: 'Edit' }).click();
  await notes.getByLabel('Name').fill('');
  await notes.getByRole('button', { name: 'Save' }).click();
  await expect(row).toBeVisible();
});
