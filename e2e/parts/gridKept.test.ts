// What the prompt grid keeps: through another prompt, a pause, a row that can't be drawn, and in the list of all grids.
import { test, vi } from 'vitest';
import { expect } from './expect.ts';
import { addCheck, openGrid, runGrid, useRows } from './gridSteps.ts';
import { keepPart } from './openPart.ts';
import { toPane } from './steps.ts';

const open = keepPart();

test('another prompt costs no answer and changes no column; answers to the old one are marked, over a reload too', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, 'prompt,expected\nSay a,a\nSay b,b\n');
  await addCheck(page, 'contains');
  await runGrid(page);
  const rate = page.getByRole('columnheader', { name: /^echo 100 % .* of 2/ });
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
    page.getByText('The prompt has changed. Pass rates do not count 2 answers to the earlier prompt “{{prompt}}”.'),
  ).toBeVisible();
  await open(location.href);
  await expect(earlier).toHaveCount(2);
  await expect(page.getByText('0 of 2')).toBeVisible();
  await expect(rate).toHaveCount(0);
  await expect(panesChanged).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sent: temperature 0' })).toBeVisible();
  await earlier.first().click();
  const dialog = page.getByRole('dialog', { name: 'Row 1 · echo' });
  await expect(dialog.getByText('This answer is for an earlier prompt')).toBeVisible();
  await expect(dialog.getByText('Say a', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Use the earlier prompt' }).click();
  await expect(prompt).toHaveValue('{{prompt}}');
  await expect(rate).toBeVisible();
  await expect(earlier).toHaveCount(0);
  await prompt.fill('{{prompt}}!');
  await prompt.blur();
  await expect(earlier).toHaveCount(2);
  await runGrid(page);
  const passed = page.getByRole('gridcell', { name: /^passed/ });
  await expect(passed).toHaveCount(2);
  await passed.first().click();
  await expect(dialog.getByText('Say a!', { exact: true })).toBeVisible();
});

test('Retry asks for what failed, and leaves a paused grid paused', async () => {
  const page = await openGrid(open, 'missing,stream:60:40');
  await useRows(page, Array.from({ length: 40 }, (_, at) => `Say word ${at}`).join('\n'));
  await runGrid(page);
  await expect(page.getByRole('gridcell', { name: /^no answer/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const resume = page.getByRole('button', { name: /^Resume, \d+ left$/ });
  await expect(resume).toBeVisible();
  // What was on its way comes to its end first.
  await expect.poll(() => page.remote.running()).toBe(0);
  await expect(page.getByRole('gridcell', { name: /^asking/ })).toHaveCount(0);
  const retry = page.getByRole('button', { name: /^Retry \d+ cells?$/ });
  await expect(retry).not.toBeDisabled();
  const left = await resume.textContent();
  const failed = Number(/\d+/.exec(await retry.textContent())?.[0]);
  const asked = page.remote.requests.length;
  await retry.click();
  await expect
    .poll(() => page.remote.requests.slice(asked).filter(({ path }) => path.endsWith('/chat/completions')).length)
    .toBe(failed);
  await expect(resume).toHaveText(left);
});

test('a grid that can’t be drawn leads back to the chat and keeps its rows', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, 'question,expected\nA_text_of_one_long_word,yes\n');
  const text = page.getByRole('grid').getByText('A_text_of_one_long_word');
  await expect(text).toBeVisible();
  // From now on drawing a text of the grid fails, until it is said that it does not.
  let isMended = false;
  const { split } = String.prototype as { split: (...given: unknown[]) => string[] };
  vi.spyOn(String.prototype, 'split').mockImplementation(function splitOthers(this: string, ...given: unknown[]) {
    if (given[0] instanceof RegExp && String(this) === 'A_text_of_one_long_word' && !isMended)
      throw new Error('This row breaks the grid.');
    return split.apply(this, given);
  });
  vi.spyOn(console, 'error').mockReturnValue();
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'The grid stopped working' });
  await expect(notice).toContainText('This row breaks the grid.');
  await notice.getByRole('button', { name: 'Back to the chat' }).click();
  await expect(notice).toBeHidden();
  await expect(toPane(page, 1)).toBeVisible();
  isMended = true;
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await expect(text).toBeVisible();
});

test('grids are named, begun, opened, and deleted with a way back', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: 'Grids, open: echo · 2 rows' }).click();
  const list = page.getByRole('dialog', { name: 'Grids' });
  await list.getByRole('button', { name: 'Rename echo · 2 rows' }).click();
  const name = list.getByRole('textbox', { name: 'Name' });
  await name.fill('W'.repeat(201));
  await expect(page.getByText(/^A name has at most 200 characters, and this one has 201/)).toBeVisible();
  await name.fill('Regressions');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('button', { name: /^Regressions/ })).toBeVisible();
  await list.getByRole('button', { name: 'New grid' }).click();
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add a row' })).toBeVisible();
  await page.getByRole('button', { name: 'Grids, open: Empty grid' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('button', { name: 'Delete Regressions' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: /^Regressions/ }).click();
  const kept = page.getByRole('grid').getByText('Say b');
  await expect(kept).toBeVisible();
  await open(location.href);
  await expect(page.getByRole('button', { name: 'Grids, open: Regressions' })).toBeVisible();
  await expect(kept).toBeVisible();
});
