// The prompt grid in a real browser: rows in, a run that pauses and survives a reload, verdicts, differences, exports.
import type { Locator } from '@playwright/test';
import { expect, openHome, test } from './fixtures.ts';
import { openGrid, readRows, saveAs, showRows } from './gridPage.ts';
import { expectAccessible, expectAccessibleInBothThemes, reload, sentBy, toPane } from './steps.ts';

const CSV = `question,expected\n${Array.from({ length: 12 }, (_, at) => `Say word ${at},word ${at}`).join('\n')}\ntoo,many,fields\n`;

test('rows are read, run on two models, paused, kept over a reload, judged and exported', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo,stream:20:10');
  await readRows(page, CSV);
  await expect(page.getByText('12 rows read')).toBeVisible();
  await expect(page.getByText('Line 14: 3 fields, but the header has 2.')).toBeVisible();
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('{{question}}');
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('contains');

  // A prompt counts once it is left, also by a click on Run.
  await page.getByRole('textbox', { name: 'Prompt' }).fill('{{question}}!');
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByRole('gridcell', { name: /passed/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const resume = page.getByRole('button', { name: /^Resume, \d+ left$/ });
  await expect(resume).toBeVisible();
  const left = await resume.textContent();
  // Leaving the page writes what has not been written yet.
  await reload(page);
  await expect(resume).toHaveText(left ?? '');
  await expect(page.getByText(/^You changed the panes/)).toHaveCount(0);
  await resume.click();
  await expect(page.getByText('24 of 24')).toBeVisible({ timeout: 40_000 });

  await expect(page.getByRole('columnheader', { name: /^echo 100 % \(76–100\), 12 of 12/ })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^stream:20:10 0 % \(0–24\), 0 of 12/ })).toBeVisible();
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
  const shown = await saveAs(page, /^JSONL, 1 row shown$/);
  expect(
    shown
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
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

test('the grid works by keyboard, and a pattern that never ends does not stop the page', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, `Say ${'a'.repeat(40)}!\nSay b`);
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText('2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('regex');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(a+)+$|b\\*\\*');
  await page.keyboard.press('Enter');
  // While the pattern is tried neither is checked.
  await expect(page.getByRole('gridcell', { name: /^passed/ })).toHaveCount(1, { timeout: 15_000 });
  await expect(page.getByRole('gridcell', { name: /^not checked/ })).toHaveCount(1, { timeout: 15_000 });

  await page.getByRole('rowheader', { name: /Say b/ }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await expect(page.getByRole('gridcell', { name: /^not checked/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByText(/took too long/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('gridcell', { name: /^not checked/ })).toBeFocused();

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

test('a check counts once typing pauses; without a text it checks nothing, and a broken pattern says so', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(page, 'Say returns\nSay exchange');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText('2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const check = page.getByRole('group', { name: 'Check 1' });
  await check.getByRole('combobox', { name: 'Answer' }).selectOption('contains');
  await check.getByRole('combobox', { name: 'Compared with' }).selectOption('own');
  await expect(check.getByText('Not checked: write the text to look for.')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check .*2 not checked/ })).toBeVisible();

  // No Enter, no Tab: the field keeps the focus.
  const text = check.getByRole('textbox', { name: 'Text' });
  await text.pressSequentially('returns');
  await expect(page.getByRole('columnheader', { name: /^echo 50 % .*1 of 2/ })).toBeVisible();
  await expect(text).toBeFocused();
  await text.fill('');
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check/ })).toBeVisible();

  await check.getByRole('combobox', { name: 'Answer' }).selectOption('regex');
  const pattern = check.getByRole('textbox', { name: 'Pattern' });
  await pattern.pressSequentially('(unclosed');
  await expect(check.getByRole('alert')).toHaveText(/“\(unclosed” is not a regular expression/);
  await expect(pattern).toBeFocused();
  await expect(page.getByRole('columnheader', { name: /^echo nothing to check/ })).toBeVisible();
  await expectAccessible(check);
  await pattern.fill('(un)?closed|\\breturns');
  await expect(page.getByRole('columnheader', { name: /^echo 50 % .*1 of 2/ })).toBeVisible();
  await expect(check.getByRole('alert')).toHaveCount(0);
});

test('columns are called as their panes are; exports keep the ids', async ({ studioPage: page }) => {
  await openHome(page);
  const model = toPane(page, 1).getByRole('combobox', { name: 'Model' });
  await expect(model).toHaveValue(/ · /);
  const [name, id] = [await model.inputValue(), (await model.getAttribute('title')) ?? ''];
  expect(id).toMatch(/^ft-support-base-/);
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await readRows(page, 'Say a');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  const head = page.getByRole('grid').getByRole('columnheader').nth(2);
  await expect(head.getByText(name, { exact: true })).toHaveAttribute('title', `${name}\n${id}`);
  await head.getByRole('button', { name: /^Sent: / }).click();
  const dialog = page.getByRole('dialog', { name: `Sent by ${name}` });
  await expect(dialog.getByText(`Exports call this column ${id}.`)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await saveAs(page, /^CSV, 1 row$/)).toContain(
    `row,messages,prompt,rendered prompt,expected,${id},${id}: state`,
  );
});

test('a column says what it sends; answers stay when only the way of asking is written otherwise', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.clock.install();
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be brief.');
  await page.getByRole('button', { name: 'Grid', exact: true }).click();
  await readRows(page, 'Say a\nSay b');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  const run = page.getByRole('button', { name: 'Run grid' });
  await run.click();
  await expect(page.getByText('2 of 2')).toBeVisible();
  // The button is disabled now and lies under the pointer again, which has not moved: nothing covers the label beside
  // it.
  await expect(run).toBeDisabled();
  await page.clock.fastForward(1000);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.mouse.move(0, 0);
  await run.hover({ force: true });
  await page.clock.fastForward(1000);
  await expect(page.getByRole('tooltip').filter({ hasText: 'Every cell has an answer.' })).toBeVisible();

  await reload(page);
  await expect(page.getByText('2 of 2')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use current panes' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Sent: system prompt, temperature 0' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sent by echo' });
  await expect(dialog.getByText('Be brief.', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy JSON' }).hover();
  await page.clock.fastForward(1000);
  const tip = page.getByRole('tooltip').filter({ hasText: 'Copy JSON' });
  await expect(tip).toBeVisible();
  const isOnTop = await tip.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(isOnTop).toBe(true);
  await expectAccessible(tip);
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
});

test('rows: prompts with commas, JSON that is read or damaged, columns as the reader says, on a narrow screen', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await test.step('prompts with commas stay prompts, a JSON array is read as rows, and damaged JSON is said', async () => {
    await readRows(page, 'Hello, where is my order SO1?\nCancel SO2, please.');
    const dialog = page.getByRole('dialog', { name: 'Import rows' });
    const rows = dialog.getByRole('textbox', { name: 'Rows' });
    const format = dialog.getByRole('combobox', { name: 'Format' }).getByRole('option', { selected: true });
    await expect(format).toHaveText('automatic: one prompt per line');
    await expect(dialog.getByText('First row: Hello, where is my order SO1?')).toBeVisible();
    await rows.fill('question,expected\nHow many?,7');
    await expect(dialog.getByText('The first line is the header: question, expected.', { exact: false })).toBeVisible();
    await rows.fill('[\n  {"question": "How many?"},\n  {"question": }\n]');
    await expect(
      dialog.getByText('Line 3: Invalid JSON at column 16: nothing fits from “}” on.', { exact: false }),
    ).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Use these rows' })).toBeDisabled();
    await rows.fill(
      JSON.stringify(
        [
          { question: 'How many?', expected: '7' },
          'Say b',
          3,
          {
            conversations: [
              { from: 'human', value: 'Hi' },
              { from: 'gpt', value: 'Hello' },
            ],
          },
        ],
        null,
        2,
      ),
    );
    await expect(format).toHaveText('automatic: JSON');
    await expect(dialog.getByText('3 rows read')).toBeVisible();
    await expect(dialog.getByText('Row 3: The value 3; a row is an object or a text.')).toBeVisible();
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: 'Use these rows' }).click();
    await expect(page.getByRole('gridcell', { name: 'Hello' })).toBeVisible();
  });
  await test.step('the columns of a file are taken for prompt and expected answer as the reader says', async () => {
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
    await expectAccessible(dialog);
    await dialog.getByRole('button', { name: /^Replace \d rows$/ }).click();
    await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('{{question}}');
    await expect(page.getByRole('gridcell', { name: 'zwei' })).toBeVisible();
  });
  await test.step('where there is little room an answer is still seen beside its prompt', async () => {
    await page.setViewportSize({ width: 340, height: 800 });
    await page.getByRole('tab', { name: 'Playground' }).click();
    await expect(page.getByRole('columnheader', { name: /^echo/ })).toBeInViewport({ ratio: 0.95 });
  });
});

test('calls of tools are asked with the tools of the pane, judged, shown, compared and exported', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=fault:tool-calls,echo`);
  const pane = toPane(page, 1);
  await pane.getByRole('button', { name: 'Add tools' }).click();
  const tools = page.getByRole('dialog', { name: 'Tools' });
  await tools
    .getByRole('textbox', { name: 'Tools as JSON' })
    .fill('[{"type":"function","function":{"name":"get_order"}}]');
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
  await expect(page.getByText('2 rows call tools but have none.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('combobox', { name: 'Answer' }).selectOption('tool calls equal');
  const sent = await sentBy(page, () => page.getByRole('button', { name: 'Run grid' }).click());
  expect(sent).toMatchObject({
    messages: [{ role: 'user', content: 'Order A-17 to Bern?' }],
    tools: [{ function: { name: 'get_order' } }],
  });
  await expect(page.getByText('4 of 4', { exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^fault:tool-calls 50 % .*1 of 2/ })).toBeVisible();
  await expect(
    page.getByRole('columnheader', { name: /^echo 0 % .*0 of 2 .*−1 row vs\. column 1 \(p 1\)/ }),
  ).toBeVisible();
  await expect(
    page.getByRole('gridcell', { name: /^passed.*get_order {"order_id":"A-17"}\s*get_weather {"city":"Bern"}/s }),
  ).toBeVisible();
  await expect(
    page.getByRole('gridcell', { name: /^not passed.*Echo of echo You wrote: Order A-17 to Bern\?/s }),
  ).toBeVisible();
  await page.getByRole('gridcell', { name: /^not passed get_weather with/ }).click();
  await expect(
    page.getByRole('dialog').getByText('get_weather with {"city":"Bern"}; expected: {"city":"Rome"}'),
  ).toBeVisible();
  await expectAccessible(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  const [first] = (await saveAs(page, /^JSONL, 2 rows$/))
    .split('\n')
    .map((line) => (line === '' ? null : (JSON.parse(line) as object)));
  expect(first).toMatchObject({
    check: 'passed',
    expected:
      '[{"name":"get_order","arguments":{"order_id":"A-17"}},{"name":"get_weather","arguments":{"city":"Bern"}}]',
    tool_calls: [{ name: 'get_order' }, { name: 'get_weather' }],
  });
});

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
  await openGrid(page, gateway.studio.origin, 'echo,missing');
  await expect(page.getByText('Evaluate models on many prompts')).toBeVisible();
  await check(playground);
  await readRows(page, CSV);
  await expect(page.getByText('12 rows read')).toBeVisible();
  await check(dialog);
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText(/^24 of 24 · 12 cells without an answer$/)).toBeVisible();
  await expect(page.getByRole('gridcell', { name: /^not passed/ }).first()).toBeVisible();
  await check(playground);
  await page
    .getByRole('gridcell', { name: /^not passed/ })
    .first()
    .click();
  await dialog.getByRole('combobox', { name: 'Compare with' }).selectOption('expected');
  await check(dialog);
});
