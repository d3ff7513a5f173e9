// What is not saved yet: new messages and edits in their editors, panes that leave.
import { test } from 'vitest';
import { expect } from './expect.ts';
import { keepPart } from './openPart.tsx';
import { say, toPane } from './steps.ts';

const open = keepPart();

test('an edit of an answer waits while that answer is asked for anew', async () => {
  const page = await open(`/?models=stream:5:0`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await pane.getByRole('button', { name: 'Edit answer' }).click();
  const answer = pane.getByRole('group', { name: 'Edit message' }).last();
  await answer.getByRole('textbox').fill('In my own words');
  await pane.getByRole('combobox', { name: 'Model' }).fill('stream:2000:100');
  await page.keyboard.press('Enter');
  await pane.getByRole('button', { name: 'Edit message' }).click();
  await pane.getByRole('button', { name: 'Save and run' }).first().click();
  const save = answer.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toHaveAccessibleDescription('An answer is on its way. Wait for it or stop it.');
  (await save.one()).click();
  await answer.getByRole('textbox').press('Control+Enter');
  await expect(answer.getByRole('textbox')).toHaveValue('In my own words');
  await pane.getByRole('button', { name: 'Stop', exact: true }).click();
  await save.click();
  await expect(pane.getByText('In my own words')).toBeVisible();
  await expect(answer).toBeHidden();
});
