// The prompt grid: rows in, a run that pauses and is there after a reload, verdicts, differences, exports, keys.
import { test } from 'vitest';
import { REMOTE_IDS } from '../remoteStudio.ts';
import { expect } from './expect.ts';
import { addCheck, openGrid, readRows, runGrid, saveAs, showRows, useRows } from './gridSteps.ts';
import { keepPart } from './openPart.ts';
import { sentBy, toPane } from './steps.ts';

const open = keepPart();

const readLines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('rows are read, run on two models, paused, kept over a reload, judged and exported', async () => {
  const page = await openGrid(open, 'echo,stream:20:10');
  const lines = Array.from({ length: 12 }, (_, at) => `Say word ${at},word ${at}`);
  await readRows(page, `question,expected\n${lines.join('\n')}\ntoo,many,fields\n`);
  await expect(page.getByText('12 rows read')).toBeVisible();
  await expect(page.getByText('Line 14: 3 fields, but the header has 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Use these rows' }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await expect(prompt).toHaveValue('{{question}}');
  await addCheck(page, 'contains');

  // A prompt counts once it is left, also by a click on Run.
  await prompt.fill('{{question}}!');
  await runGrid(page);
  await expect(page.getByRole('gridcell', { name: /passed/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const resume = page.getByRole('button', { name: /^Resume, \d+ left$/ });
  await expect(resume).toBeVisible();
  const left = await resume.textContent();
  // Leaving the page writes what has not been written yet.
  await open(location.href);
  await expect(resume).toHaveText(left);
  await expect(page.getByText(/^You changed the panes/)).toHaveCount(0);
  await resume.click();
  await expect(page.getByText('24 of 24')).toBeVisible();

  await expect(page.getByRole('columnheader', { name: /^echo 100 % \(75\.8–100\) of 12/ })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^stream:20:10 0 % \(0–24\.2\) of 12/ })).toBeVisible();
  await showRows(page, 'Answers differ · 12');
  await page.getByRole('searchbox', { name: 'Find in prompts and answers' }).fill('word 11');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');

  await page.getByRole('gridcell', { name: /^passed/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Row 12 · echo' });
  await expect(dialog.getByText('Say word 11!', { exact: true })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Compare with' }).selectOption('stream:20:10');
  await expect(dialog.getByText(/^\d+ words? removed, \d+ words? added\.$/)).toBeVisible();
  await page.keyboard.press('Escape');

  const csv = await saveAs(page, /^CSV, 12 rows$/);
  expect(csv.split('\r\n').filter(Boolean)).toHaveLength(13);
  expect(csv).toContain(
    'row,messages,question,rendered prompt,expected,echo,echo: state,echo: check,echo: reason,echo: ' +
      'finish_reason,echo: prompt_tokens,echo: completion_tokens',
  );
  expect(readLines(await saveAs(page, /^JSONL, 1 row shown$/))).toMatchObject([
    {
      row: 12,
      column: 'echo',
      model: 'echo',
      messages: [{ role: 'user', content: 'Say word 11!' }],
      expected: 'word 11',
      state: 'done',
      finish_reason: 'stop',
      check: 'passed',
      checks: [{ kind: 'contains' }],
    },
    { row: 12, column: 'stream:20:10', check: 'not passed' },
  ]);
});

test('the grid works by keyboard, and a pattern that never ends does not stop the page', async () => {
  const page = await openGrid(open, 'echo');
  await useRows(page, `Say ${'a'.repeat(40)}!\nSay b`);
  await runGrid(page);
  await expect(page.getByText('2 of 2')).toBeVisible();
  await addCheck(page, 'regex');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(a+)+$|b\\*\\*');
  await page.keyboard.press('Enter');
  // While the pattern is tried neither is checked.
  await expect(page.getByRole('gridcell', { name: /^passed/ })).toHaveCount(1);
  const unchecked = page.getByRole('gridcell', { name: /^not checked/ });
  await expect(unchecked).toHaveCount(1);

  await page.getByRole('rowheader', { name: /Say b/ }).click();
  for (const keys of ['Escape', 'ArrowRight', 'End', 'Control+Home', 'End']) await page.keyboard.press(keys);
  await expect(unchecked).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText(/took too long/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(unchecked).toBeFocused();

  await page.getByRole('button', { name: 'Add row' }).click();
  const newRow = page.getByRole('dialog', { name: 'New row' });
  await newRow.getByRole('textbox', { name: 'prompt' }).fill('Say c');
  await newRow.getByRole('button', { name: 'Add row' }).click();
  await expect(page.getByText('2 of 3')).toBeVisible();
  await page.getByRole('rowheader', { name: /Say c/ }).click();
  await page.getByRole('dialog', { name: 'Row 3' }).getByRole('button', { name: 'Remove row' }).click();
  await expect(page.getByText('2 of 2')).toBeVisible();

  await page.getByRole('button', { name: 'Clear answers' }).click();
  await expect(page.getByText('0 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('2 of 2')).toBeVisible();
});

test('columns are called as their panes are; exports keep the ids', async () => {
  const page = await open(`/?project=${REMOTE_IDS.project}`);
  const model = toPane(page, 1).getByRole('combobox', { name: 'Model' });
  await expect.poll(() => model.inputValue()).toMatch(/ · /);
  const [name, id] = [await model.inputValue(), (await model.one()).title];
  expect(id).toMatch(/^ft-qwen3-0\.6b-/);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await useRows(page, 'Say a');
  const head = page.getByRole('grid').getByRole('columnheader').nth(2);
  await expect(head.locator('[title*=" · "]').first()).toHaveAttribute('title', `${name}\n${id}`);
  await head.getByRole('button', { name: /^Sent: / }).click();
  const dialog = page.getByRole('dialog', { name: `Sent by ${name}` });
  await expect(dialog.getByText(`Exports call this column ${id}.`)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await saveAs(page, /^CSV, 1 row$/)).toContain(
    `row,messages,prompt,rendered prompt,expected,${id},${id}: state`,
  );
});

test('a grid with all its answers has nothing to run; after a reload it has them still, and says what it sent', async () => {
  const page = await open('/?models=echo');
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be brief.');
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await useRows(page, 'Say a\nSay b');
  await runGrid(page);
  await expect(page.getByText('2 of 2')).toBeVisible();
  const run = page.getByRole('button', { name: 'Run grid' });
  await expect(run).toBeDisabled();
  await expect(run).toHaveAccessibleDescription('Every cell has an answer.');

  await open(location.href);
  await expect(page.getByText('2 of 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use current panes' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sent: system prompt, temperature 0' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sent by echo' });
  await expect(dialog.getByText('Be brief.', { exact: true })).toBeVisible();
});

test('calls of tools are asked with the tools of the pane, judged, shown, compared and exported', async () => {
  const page = await open('/?models=fault:tool-calls,echo');
  await toPane(page, 1).getByRole('button', { name: 'Add tools' }).click();
  const tools = page.getByRole('dialog', { name: 'Tools' });
  await tools.getByRole('button', { name: 'Weather' }).click();
  await expect(tools.getByText('No problems found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  const call = (name: string, values: object) => ({
    type: 'function',
    function: { name, arguments: JSON.stringify(values) },
  });
  const toRow = (city: string) => ({
    messages: [
      { role: 'user', content: [{ type: 'text', text: `Order A-17 to ${city}?` }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('get_order', { order_id: 'A-17' }), call('get_weather', { city })],
      },
    ],
  });
  await readRows(page, JSON.stringify([toRow('Bern'), toRow('Rome')]));
  await expect(page.getByText('2 rows call tools but have none.')).toBeVisible();
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await addCheck(page, 'tool calls equal');
  expect(await sentBy(page, () => runGrid(page))).toMatchObject({
    messages: [{ role: 'user', content: 'Order A-17 to Bern?' }],
    tools: [{ function: { name: 'get_weather' } }],
  });
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^fault:tool-calls 50 % .* of 2/ })).toBeVisible();
  await expect(
    page.getByRole('columnheader', { name: /^echo 0 % .* of 2 .*−1 row vs\. column 1 \(p 1\)/ }),
  ).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^passed/ })).toContainText(
    'get_order {"order_id":"A-17"} get_weather {"city":"Bern"}',
  );
  await expect(
    page.getByRole('gridcell', { name: /^not passed.*Echo of echo You wrote: Order A-17 to Bern\?/s }),
  ).toBeVisible();
  await page.getByRole('gridcell', { name: /^not passed get_weather with/ }).click();
  await expect(
    page.getByRole('dialog').getByText('get_weather with {"city":"Bern"}; expected: {"city":"Rome"}'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  expect(readLines(await saveAs(page, /^JSONL, 2 rows$/))[0]).toMatchObject({
    check: 'passed',
    expected:
      '[{"name":"get_order","arguments":{"order_id":"A-17"}},{"name":"get_weather","arguments":{"city":"Bern"}}]',
    tool_calls: [{ name: 'get_order' }, { name: 'get_weather' }],
  });
});
