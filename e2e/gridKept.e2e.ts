// What the prompt grid keeps: through another prompt, a reload in the middle of a run, and a grid that can't be drawn.
import { expect, signIn, test } from './fixtures.ts';
import { openGrid, readRows } from './gridPage.ts';
import { expectAccessible, reload, toPane } from './steps.ts';

test('another prompt costs no answer and changes no column; answers to the old one are marked, over a reload too', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, 'prompt,expected\nSay a,a\nSay b,b\n');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('contains');
  await page.getByRole('button', { name: 'Run grid' }).click();
  const rate = page.getByRole('columnheader', { name: /^echo 100 % .*2 of 2/ });
  await expect(rate).toBeVisible();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be brief.');
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  const panesChanged = page.getByText(/^You changed the panes/);
  await expect(panesChanged).toBeVisible();

  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  const earlier = page.getByRole('gridcell', { name: /^earlier prompt/ });
  await prompt.fill('{{prompt}}?');
  await prompt.blur();
  await expect(
    page.getByText('The prompt has changed. Pass rates do not count 2 answers to the earlier prompt “{{prompt}}”.', {
      exact: false,
    }),
  ).toBeVisible();
  await reload(page);
  await expect(earlier).toHaveCount(2);
  await expect(page.getByText('0 of 2')).toBeVisible();
  await expect(rate).toHaveCount(0);
  await expect(panesChanged).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sent: temperature 0' })).toBeVisible();
  await expectAccessible(page.getByRole('region', { name: 'Playground', exact: true }));
  await earlier.first().click();
  const dialog = page.getByRole('dialog', { name: 'Row 1 · echo' });
  await expect(dialog.getByText('This answer is for an earlier prompt', { exact: false })).toBeVisible();
  await expect(dialog.getByText('Say a', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Use the earlier prompt' }).click();
  await expect(prompt).toHaveValue('{{prompt}}');
  await expect(rate).toBeVisible();
  await expect(earlier).toHaveCount(0);
  await prompt.fill('{{prompt}}!');
  await prompt.blur();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText('2 of 2', { exact: true }).first()).toBeVisible();
  await page
    .getByRole('gridcell', { name: /^passed/ })
    .first()
    .click();
  await expect(dialog.getByText('Say a!', { exact: true })).toBeVisible();
});

test('a reload in the middle of a run fails no cell: Resume asks for those that were on their way', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo,stream:40:6');
  await readRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await reload(page);
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText(/^2 of 4/)).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^asking/ })).toHaveCount(2);
  // What the browser itself does, in its own order: the requests break off, and the page learns that it goes.
  await page.reload();
  await page.getByRole('button', { name: /^(Resume, \d left|Run grid)$/ }).click();
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
});

test('a grid that can’t be drawn leads back to the chat and keeps its rows', async ({ page, gateway }) => {
  await signIn(page, gateway.studio);
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, 'question,expected\nA_text_of_one_long_word,yes\n');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('grid').getByText('A_text_of_one_long_word').waitFor();
  await page.evaluate(() => {
    // From now on drawing a text of the grid fails, until it is said that it does not.
    const texts = Object.getPrototypeOf('') as { split: (...rest: unknown[]) => string[] };
    const { split } = texts;
    texts.split = function splitOthers(this: unknown, ...rest: unknown[]) {
      if (
        rest[0] instanceof RegExp &&
        String(this) === 'A_text_of_one_long_word' &&
        document.documentElement.dataset['mended'] === undefined
      )
        throw new Error('This row breaks the grid.');
      return split.apply(this, rest);
    };
  });
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'The grid stopped working' });
  await expect(notice).toContainText('This row breaks the grid.');
  await notice.getByRole('button', { name: 'Back to the chat' }).click();
  await expect(notice).toBeHidden();
  await expect(toPane(page, 1)).toBeVisible();
  await page.evaluate(() => (document.documentElement.dataset['mended'] = 'yes'));
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await expect(page.getByRole('grid').getByText('A_text_of_one_long_word')).toBeVisible();
});
