// From a grid's rows to a verdict that the studio keeps for everybody, in a real browser with the real sample.
import { expect, originOf, test } from './fixtures.ts';
import { expectAccessible, reload } from './steps.ts';

const ROWS = [
  {
    messages: [
      { role: 'user', content: 'Say yes.' },
      { role: 'assistant', content: 'no answer is like this' },
    ],
  },
  {
    messages: [
      { role: 'user', content: 'Say no.' },
      { role: 'assistant', content: 'nor like this' },
    ],
  },
];

test('rows, checks and models become an evaluation, whose run says which model is better, row by row', async ({
  studioPage: page,
}) => {
  const models = await page.request.get(`${originOf(page)}/api/v1/models`);
  const { data } = (await models.json()) as { readonly data: readonly { readonly id: string }[] };
  const tuned = data.find(({ id }) => id.startsWith('ft-'))?.id ?? '';
  await page.goto(`${originOf(page)}/?models=${tuned},support-base&tab=evaluations`);
  await page.getByRole('button', { name: 'New evaluation' }).click();
  const form = page.getByRole('dialog', { name: 'New evaluation' });
  await form.getByRole('combobox', { name: 'Rows' }).selectOption({ label: 'A file or pasted rows' });
  await expect(form.getByRole('button', { name: 'Make and run' })).toHaveAttribute('aria-disabled', 'true');
  await form.getByRole('textbox', { name: 'Rows' }).fill(ROWS.map((row) => JSON.stringify(row)).join('\n'));
  await form.getByRole('textbox', { name: 'Name' }).fill('Two rows');
  await form.getByRole('button', { name: 'Check', exact: true }).click();
  await expectAccessible(form);
  await form.getByRole('button', { name: 'Make and run' }).click();

  await expect(page.getByRole('heading', { name: 'Two rows' })).toBeVisible();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('row', { name: /support-base/ })).toContainText('0 % (0–65.8)', { timeout: 60_000 });
  // What the other was trained from is the baseline, though it was named last.
  await expect(verdict).toContainText(/These rows can’t tell .* from support-base yet\./);
  await expect(page.getByText(/Run 1, .*: done · 4 answers/)).toBeVisible({ timeout: 30_000 });

  // What only screen readers see makes no page that a search could scroll out of the window.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBeLessThanOrEqual(0);

  // A link opens what it says: the rows that a model failed.
  const rows = page.getByRole('region', { name: 'Rows', exact: true });
  await rows.getByRole('combobox', { name: 'Rows' }).selectOption({ label: 'Failed' });
  await reload(page);
  await expect(rows.getByRole('combobox', { name: 'Rows' }).getByRole('option', { selected: true })).toHaveText(
    'Failed',
  );
  await rows.getByRole('button', { name: 'Open row 2' }).click();
  const row = page.getByRole('dialog', { name: 'Row 2' });
  await expect(row.getByRole('region', { name: 'Answer of support-base, repeat 1' })).toContainText('equals: failed');
  await row.getByRole('combobox', { name: 'Differences from' }).selectOption({ label: 'the expected answer' });
  await expect(row.locator('ins, del').first()).toBeVisible();
  await expectAccessible(row);
  await page.keyboard.press('Escape');
  await expectAccessible(page.getByRole('main'));

  // People judge by keys alone, without knowing which model has answered.
  await page.getByRole('button', { name: 'Judge', exact: true }).click();
  const judging = page.getByRole('region', { name: 'Judge run 1' });
  await expect(judging).toContainText('0 of 2 by you');
  await expect(judging).not.toContainText('support-base');
  await page.keyboard.press('1');
  await expect(judging).toContainText('1 of 2 by you');
  await page.keyboard.press('Backspace');
  await expect(judging).toContainText('0 of 2 by you');
  await page.keyboard.press('t');
  await expect(judging).toContainText('1 of 2 by you; 1 person');
  await expectAccessible(judging);
  await page.keyboard.press('c');
  await page.keyboard.type('Kept');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await expect(judging.getByLabel('Comment (')).toHaveValue('Kept');
  await page.keyboard.press('1');
  await expect(judging).toContainText('You have judged everything');
  await page.keyboard.press('Backspace');
  await expect(judging).toContainText('1 of 2 by you; 1 person');
  await judging.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('region', { name: 'People' })).toContainText('1 judgement, 1 tie');

  await page.getByRole('button', { name: 'All evaluations' }).click();
  await expect(page.getByRole('row', { name: /Two rows/ })).toContainText('2 rows');
});
