// The prompt grid in a real browser: axe looks at what it shows.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { openGrid, readRows } from './gridPage.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './steps.ts';

const WORDS = Array.from({ length: 12 }, (_, at) => `Say word ${at},${at === 0 ? '' : `word ${at}`}`);
const CSV = `question,expected\n${WORDS.join('\n')}\ntoo,many,fields\n`;

test('both themes: axe finds nothing in the grid', async ({ gatewayPage: page, gateway }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  /** The tree and the workspace beside it are looked at in `accessibility`. */
  const check = async (part: Locator): Promise<void> => {
    // Not at a tooltip that the last click may have left.
    await page.mouse.move(0, 0);
    await expect(page.getByRole('tooltip')).toHaveCount(0);
    await expectAccessibleInBothThemes(part);
  };
  const playground = page.getByRole('region', { name: 'Playground', exact: true });
  const dialog = page.getByRole('dialog');
  await openGrid(page, gateway.studio.origin, 'echo,missing,fault:tool-calls');
  await expect(page.getByText('Evaluate models on many prompts')).toBeVisible();
  await check(playground);
  await readRows(page, CSV);
  await expect(page.getByText('12 rows read')).toBeVisible();
  await check(dialog);
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText(/^36 of 36 · 12 cells without an answer$/)).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^not passed/ }).first()).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^not checked/ }).first()).toBeVisible();
  await check(playground);
  await page
    .getByRole('gridcell', { name: /^not passed/ })
    .first()
    .click();
  await dialog.getByRole('combobox', { name: 'Compare with' }).selectOption('expected');
  await check(dialog);
  await page.keyboard.press('Escape');

  await test.step('an answer that calls tools', async () => {
    await page
      .getByRole('gridcell', { name: /^not passed.*get_weather/s })
      .first()
      .click();
    await expect(dialog.getByText(/get_weather/).first()).toBeVisible();
    await expectAccessible(dialog);
    await page.keyboard.press('Escape');
  });
  await test.step('answers to an earlier prompt, and panes that changed', async () => {
    await page.getByRole('button', { name: 'Chat', exact: true }).click();
    await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be brief.');
    await page.getByRole('button', { name: 'Grid', exact: true }).click();
    await expect(page.getByText(/^You changed the panes/)).toBeVisible();
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('{{question}}?');
    await prompt.blur();
    await expect(page.getByText(/^The prompt has changed\. Pass rates do not count/)).toBeVisible();
    await expect(page.getByRole('gridcell', { name: /^earlier prompt/ }).first()).toBeVisible();
    await expectAccessible(playground);
  });
  await test.step('a pattern that is none', async () => {
    await page.getByRole('button', { name: 'Checks' }).click();
    const group = page.getByRole('group', { name: 'Check 1' });
    await group.getByRole('combobox', { name: 'Answer' }).selectOption('regex');
    await group.getByRole('textbox', { name: 'Pattern' }).fill('(unclosed');
    await expect(group.getByRole('alert')).toBeVisible();
    await expectAccessible(group);
  });
  await test.step('rows that take answers away, and the list of grids', async () => {
    const row = { id: 7, question: 'Say one', gold: 'eins', answer: 'one' };
    await readRows(page, JSON.stringify([row, 'Say b', 3]));
    await expect(dialog.getByText('Row 3: The value 3; a row is an object or a text.')).toBeVisible();
    await expect(dialog.getByRole('combobox', { name: 'Expected answer' })).toBeVisible();
    await expectAccessible(dialog);
    await page.getByRole('button', { name: 'Replace 12 rows' }).click();
    const asks = page.getByRole('dialog', { name: 'Replace 12 rows?' });
    await expect(asks).toContainText(/also removes \d+ answers/);
    await expectAccessible(asks);
    await page.keyboard.press('Escape');
    await expect(asks).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Grids, open/ }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(1);
    await expectAccessible(dialog);
  });
});
