// Rows of the prompt grid: what is read as a row and as a column, and rows that leave and come back.
import { test } from 'vitest';
import { REMOTE_IDS } from '../remoteStudio.ts';
import { expect } from './expect.ts';
import { openGrid, readRows, runGrid, saveAs, showRows, useRows } from './gridSteps.ts';
import { keepPart } from './openPart.ts';

const open = keepPart();

test('prompts with commas stay prompts, a JSON array is read as rows, and damaged JSON is said', async () => {
  const page = await openGrid(open, 'echo');
  await readRows(page, 'Hello, where is my order SO1?\nCancel SO2, please.');
  const dialog = page.getByRole('dialog', { name: 'Import rows' });
  const rows = dialog.getByRole('textbox', { name: 'Rows' });
  const format = dialog.getByRole('combobox', { name: 'Format' }).getByRole('option', { selected: true });
  await expect(format).toHaveText('automatic: one prompt per line');
  await expect(dialog.getByText('First row: Hello, where is my order SO1?')).toBeVisible();
  await rows.fill('question,expected\nHow many?,7');
  await expect(dialog.getByText('The first line is the header: question, expected.')).toBeVisible();
  await rows.fill('[\n  {"question": "How many?"},\n  {"question": }\n]');
  await expect(dialog.getByText('Line 3: Invalid JSON at column 16: nothing fits from “}” on.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Use these rows' })).toBeDisabled();
  const conversations = [
    { from: 'human', value: 'Hi' },
    { from: 'gpt', value: 'Hello' },
  ];
  await rows.fill(JSON.stringify([{ question: 'How many?', expected: '7' }, 'Say b', 3, { conversations }], null, 2));
  await expect(format).toHaveText('automatic: JSON');
  await expect(dialog.getByText('3 rows read')).toBeVisible();
  await expect(dialog.getByText('Row 3: The value 3; a row is an object or a text.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use these rows' }).click();
  await expect(page.getByRole('gridcell', { name: 'Hello' })).toBeVisible();
});

test('the columns of a file are taken for prompt and expected answer as the reader says', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, 'Say a\nSay b');
  await readRows(page, 'id,question,gold,answer\n7,Say one,eins,one\n8,Say two,zwei,two\n');
  const dialog = page.getByRole('dialog', { name: 'Import rows' });
  const expected = dialog.getByRole('combobox', { name: 'Expected answer' });
  const prompt = dialog.getByRole('combobox', { name: 'Prompt' });
  await expect(expected.getByRole('option', { selected: true })).toHaveText('answer');
  await expect(dialog.getByText('First row: 7 → one')).toBeVisible();
  await expect(
    dialog.getByText(
      /^The expected answer is read from a column with one of these names: expected, expected_\*, answer, /,
    ),
  ).toBeVisible();
  await prompt.selectOption('question');
  await expect(dialog.getByText('First row: Say one → one')).toBeVisible();
  await expected.selectOption('none');
  await expect(dialog.getByText('First row: Say one', { exact: true })).toBeVisible();
  await expected.selectOption('gold');
  await expect(dialog.getByText('First row: Say one → eins')).toBeVisible();
  await dialog.getByRole('button', { name: /^Replace \d rows$/ }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('{{question}}');
  await expect(page.getByRole('gridcell', { name: 'zwei' })).toBeVisible();
});

test('a table says which texts are not exact in it, and is read back as they were', async () => {
  const page = await openGrid(open, 'echo');
  const notice = page.getByText(/beginning with = \+ - or @ got an apostrophe/);
  await useRows(page, 'question,expected\nSay a,-1\nSay b,+5\n');
  expect(await saveAs(page, /^CSV, 2 rows$/)).toContain(',Say a,-1,');
  await expect(page.getByText('grid.csv saved', { exact: true })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await readRows(page, 'question,expected\nSay a,=1+1\nSay b,-1\n');
  await page.getByRole('button', { name: 'Replace 2 rows' }).click();
  const csv = await saveAs(page, /^CSV, 2 rows$/);
  expect(csv).toContain(",Say a,'=1+1,");
  await expect(notice).toContainText('1 text beginning');
  await readRows(page, csv);
  await expect(page.getByText(/^First row: .* → =1\+1$/)).toBeVisible();
});

test('rows that take many answers away are replaced only when that is meant', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, Array.from({ length: 6 }, (_, at) => `Say word ${at}`).join('\n'));
  await runGrid(page);
  await expect(page.getByText('6 of 6')).toBeVisible();
  await readRows(page, 'Say a\nSay b');
  const replace = page.getByRole('button', { name: 'Replace 6 rows' });
  const asks = page.getByRole('dialog', { name: 'Replace 6 rows?' });
  await replace.click();
  await expect(asks).toContainText('This also removes 6 answers.');
  await page.keyboard.press('Escape');
  await expect(asks).toHaveCount(0);
  await expect(replace).toBeFocused();
  await replace.click();
  await asks.getByRole('button', { name: 'Replace, and remove 6 answers' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('0 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('6 of 6')).toBeVisible();
});

test('without rows of the service nothing is offered; a name is given in place', async () => {
  const page = await openGrid(open, `echo,echo&project=${REMOTE_IDS.project}`);
  const asked = () => page.remote.requests.find(({ path }) => path.endsWith('/rows'))?.path;
  await expect.poll(asked).toBeDefined();
  expect((await fetch(`${asked() ?? ''}?bucket=validation`)).status).toBe(404);
  await expect(page.getByRole('button', { name: 'Import rows' })).toBeVisible();
  await expect(page.getByRole('button', { name: /validation/ })).toHaveCount(0);
  await useRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: /^Rename echo, .* · 2 rows$/ }).click();
  await page.getByRole('textbox', { name: 'Name of the grid' }).fill('Nightly');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Rename Nightly' })).toBeVisible();
  await showRows(page, 'Answers differ · 0');
  await expect(page.getByText('No row matches “Answers differ”.')).toBeVisible();
});
