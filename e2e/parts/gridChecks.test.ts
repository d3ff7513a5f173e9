// What the prompt grid says of its answers: verdicts and their filters, while a check is written too.
import { test } from 'vitest';
import { expect } from './expect.ts';
import { addCheck, openGrid, runGrid, showRows, useRows } from './gridSteps.ts';
import { keepPart } from './openPart.ts';

const open = keepPart();

test('a check counts once typing pauses; without a text it checks nothing, and a broken pattern says so', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, 'Say returns\nSay exchange');
  await runGrid(page);
  await expect(page.getByText('2 of 2')).toBeVisible();
  await addCheck(page, 'contains');
  const check = page.getByRole('group', { name: 'Check 1' });
  await check.getByRole('combobox', { name: 'Compared with' }).selectOption('own');
  await expect(check.getByText('Not checked: write the text to look for.')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check .*2 not checked/ })).toBeVisible();

  // No Enter, no Tab: the field keeps the focus.
  const text = check.getByRole('textbox', { name: 'Text' });
  await text.click();
  await page.keyboard.type('returns');
  await expect(page.getByRole('columnheader', { name: /^echo 50 % .* of 2/ })).toBeVisible();
  await expect(text).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check/ })).toBeVisible();

  await check.getByRole('combobox', { name: 'Answer' }).selectOption('regex');
  const pattern = check.getByRole('textbox', { name: 'Pattern' });
  await pattern.click();
  await page.keyboard.type('(unclosed');
  await expect(check.getByRole('alert')).toHaveText(/“\(unclosed” is not a regular expression/);
  await expect(pattern).toBeFocused();
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check/ })).toBeVisible();
  await pattern.fill('(un)?closed|\\breturns');
  await expect(page.getByRole('columnheader', { name: /^echo 50 % .* of 2/ })).toBeVisible();
  await expect(check.getByRole('alert')).toHaveCount(0);
});

test('a row without an expected answer is not checked, and is found apart from those that did not pass', async () => {
  const page = await openGrid(open, 'echo');
  const expected = ['', '', 'nothing', 'word 3', 'word 4', 'word 5'];
  await useRows(page, `question,expected\n${expected.map((text, at) => `Say word ${at},${text}`).join('\n')}\n`);
  await runGrid(page);
  await expect(page.getByText('6 of 6')).toBeVisible();
  const filters = page.getByRole('combobox', { name: 'Rows shown' });
  await expect(filters.getByRole('option', { name: /^Not / })).toHaveCount(0);
  await addCheck(page, 'contains');
  for (const [kind, rate] of [
    ['contains', /^echo 75 % \(30\.1–95\.4\) of 4/],
    ['equals', /^echo 0 % \(0–49\) of 4/],
  ] as const) {
    await page.getByRole('combobox', { name: 'Answer' }).selectOption(kind);
    await expect(page.getByRole('columnheader', { name: rate })).toBeVisible();
    await expect(filters.getByRole('option', { name: 'Not checked · 2' })).toHaveCount(1);
  }
  await expect(filters.getByRole('option', { name: 'Not passed · 4' })).toHaveCount(1);
  await showRows(page, 'Not checked · 2');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
  await expect(page.getByRole('gridcell', { name: 'none', exact: true })).toHaveCount(2);
  await page
    .getByRole('gridcell', { name: /^not checked/ })
    .first()
    .click();
  await expect(
    page.getByRole('dialog').getByText('The row’s expected answer is empty, which counts as none.'),
  ).toBeVisible();
});
