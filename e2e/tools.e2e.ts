// Tools, their calls and structured answers: written in the editors, answered by hand, checked while they come.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectAccessible, expectEnded, expectSettings, sentBy, toPane } from './steps.ts';

const run = (page: Page): Locator => page.getByRole('button', { name: 'Run', exact: true });
const editor = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: title }).getByRole('textbox', { name: `${title} as JSON` });

/** Replaces the whole text, as a person does. */
async function write(page: Page, title: string, text: string): Promise<void> {
  await editor(page, title).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await editor(page, title).fill(text);
}

async function setZero(pane: Locator): Promise<void> {
  await pane.getByRole('spinbutton', { name: 'Temperature' }).fill('0');
  await pane.getByRole('spinbutton', { name: 'Temperature' }).press('Enter');
}

test('a model calls a tool, a person answers in its place, and the model goes on', async ({
  studioPage: page,
  studio,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${studio.origin}/?models=orders-lora`);
  const pane = toPane(page, 1);
  await expectSettings(toPane(page, 1));
  await setZero(pane);
  await pane.getByRole('button', { name: 'Edit tools: 4 tools' }).click();
  await expect(editor(page, 'Tools')).toBeFocused();
  await editor(page, 'Tools').fill('');
  await page.getByRole('dialog').getByRole('button', { name: 'Order tools' }).click();
  await expect(page.getByText('No problems found.')).toBeVisible();
  await expectAccessible(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await expect(pane.getByRole('button', { name: 'Edit tools: 4 tools' })).toBeVisible();
  await expect(pane.getByRole('combobox', { name: 'Tool choice' }).getByRole('option')).toHaveText([
    'auto (default)',
    'auto',
    'none',
    'required',
    'get_order_status',
    'cancel_order',
    'request_refund',
    'change_address',
  ]);

  await page.getByRole('textbox', { name: 'System prompt' }).fill('Use the order tools.');
  await page.getByRole('textbox', { name: 'Message' }).fill('Where is my order ORD-31782?');
  await run(page).click();
  const call = pane.getByRole('listitem', { name: 'get_order_status' });
  await expect(call.getByText('valid', { exact: true })).toBeVisible();
  await expect(call.locator('pre')).toHaveText('{\n  "order_id": "ORD-31782"\n}', { useInnerText: true });
  const send = pane.getByRole('button', { name: 'Send answers' });
  await expect(send).toHaveAccessibleDescription('Write the result of get_order_status first.');
  await expect(run(page)).toHaveAccessibleDescription('Answer call get_order_status first or delete it.');
  await expectAccessible(pane);

  await pane.getByRole('textbox', { name: 'Result of get_order_status' }).fill('{"state":"shipped"');
  await expect(pane.getByText('Not valid JSON at line 1; it is sent as it is.')).toBeVisible();
  await pane.getByRole('textbox', { name: 'Result of get_order_status' }).fill('{"state":"shipped"}');
  const sent = await sentBy(page, () => send.click());
  const [, , asked, answered] = sent.messages;
  expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(answered).toMatchObject({
    content: '{"state":"shipped"}',
    tool_call_id: asked?.tool_calls?.[0]?.id,
    name: 'get_order_status',
  });
  await expect(pane.getByRole('heading', { name: 'tool get_order_status' })).toBeVisible();
  await expect(pane.getByRole('article')).toHaveCount(2);
  await expectEnded(pane);

  // The tools of now are what a call is checked against.
  await pane.getByRole('button', { name: 'Edit tools: 4 tools' }).click();
  await write(
    page,
    'Tools',
    '[{"type":"function","function":{"name":"get_order_status","parameters":{"type":"object","required":["city"],"nope":1}}}]',
  );
  await expect(page.getByText('1 warning', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await pane.getByText('1 violation').first().click();
  await expect(call.getByRole('list', { name: 'Arguments: violations' })).toContainText('city');
});

test('what is wrong with tools is said at its line, and keeps them from being sent', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi');
  await pane.getByRole('button', { name: 'Add tools' }).click();
  const problems = page.getByRole('dialog', { name: 'Tools' }).getByRole('list', { name: 'Problems' });
  const cases = [
    ['[{"type":\n}]', 'line 2Not valid JSON from here on.'],
    [
      '[\n{"type":"function","function":{\n"name":"a b"}}]',
      'line 3[0].function.name must be 1 to 64 letters, digits, "_", "." or "-".',
    ],
    [
      '[{"type":"function","function":{"name":"f"}},\n{"type":"function","function":{"name":"f"}}]',
      'line 2The name “f” is taken by an earlier tool. Give each tool a name of its own.',
    ],
  ] as const;
  for (const [text, problem] of cases) {
    await write(page, 'Tools', text);
    await expect(problems.getByRole('listitem')).toHaveText([problem]);
  }
  await expectAccessible(page.getByRole('dialog'));
  await editor(page, 'Tools').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('[1]');
  await expect(problems.getByRole('listitem')).toHaveText(['line 1[0] must be an object.']);
  await write(page, 'Tools', cases[2][0]);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(run(page)).toHaveAccessibleDescription('Tools: the name f occurs twice.');
  await pane.getByRole('button', { name: 'Edit tools' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const bring = page.getByRole('button', { name: 'Restore the old text' });
  await bring.click();
  await expect(bring).toBeFocused();
  await expect(editor(page, 'Tools')).toContainText('"name":"f"');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Weather' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await pane.getByRole('combobox', { name: 'Tool choice' }).selectOption('get_weather');
  const sent = await sentBy(page, () => run(page).click());
  expect(sent).toMatchObject({
    tools: [{ function: { name: 'get_weather' } }],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  });
});

test('an answer is checked against a schema while it comes and when it is there, sent or not', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=triage-lora`);
  const pane = toPane(page, 1);
  await expectSettings(toPane(page, 1));
  await setZero(pane);
  await page.getByRole('textbox', { name: 'System prompt' }).fill('Classify the ticket.');
  await page.getByRole('textbox', { name: 'Message' }).fill('The password reset email never arrives.');
  await pane.getByRole('combobox', { name: 'Response format' }).selectOption('JSON schema');
  await pane.getByRole('button', { name: 'Edit schema' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ticket triage' }).click();
  await expectAccessible(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await pane.getByRole('textbox', { name: 'Schema name' }).fill('ticket');
  const sent = await sentBy(page, () => run(page).click());
  expect(sent['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'ticket', strict: true, schema: { required: ['category', 'priority', 'sentiment'] } },
  });
  await expect(pane.getByRole('article').getByText('valid', { exact: true })).toBeVisible();
  await expect(pane.getByText('against current schema')).toHaveCount(0);

  await pane.getByRole('combobox', { name: 'Response format' }).selectOption('text (default)');
  await expect(pane.getByRole('article').getByText('valid', { exact: true })).toBeHidden();
  await pane.getByRole('switch', { name: 'Check answers against a schema' }).click();
  await expect(pane.getByRole('article').getByText('valid', { exact: true })).toBeVisible();
  await pane.getByRole('button', { name: 'Edit schema' }).click();
  await write(
    page,
    'Schema',
    '{"type":"object","properties":{"category":{"const":"none"}},"required":["category","owner"]}',
  );
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(pane.getByRole('article').getByText('against current schema')).toBeVisible();
  await pane.getByRole('article').getByText('2 violations').click();
  await expect(pane.getByRole('list', { name: 'Schema: violations' })).toContainText('/category');
  await expectAccessible(pane);
  const unsent = await sentBy(page, () =>
    pane.getByRole('article').getByRole('button', { name: 'Regenerate' }).click(),
  );
  expect(unsent['response_format']).toBeUndefined();
});

test('a reference that leads nowhere is said in the editor, and a request that is refused for it has no verdict', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=triage-lora`);
  const pane = toPane(page, 1);
  await expectSettings(toPane(page, 1));
  await setZero(pane);
  await pane.getByRole('combobox', { name: 'Response format' }).selectOption('JSON schema');
  await pane.getByRole('button', { name: 'Edit schema' }).click();
  await write(page, 'Schema', '{"type":"object","properties":{"category":{"type":"string"}},"required":["category"]}');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('The password reset email never arrives.');
  await run(page).click();
  await expectEnded(pane);
  const article = pane.getByRole('article');
  const verdict = article.getByText('Schema', { exact: true });
  await expect(verdict).toBeVisible();

  await pane.getByRole('button', { name: 'Edit schema' }).click();
  await write(page, 'Schema', '{"type":"object",\n"properties":{"category":\n{"$ref":"#/$defs/none"}}}');
  const problems = page.getByRole('dialog', { name: 'Schema' }).getByRole('list', { name: 'Problems' });
  const reason = 'The reference "#/$defs/none" leads to nothing. Define it under $defs.';
  await expect(problems.getByRole('listitem').filter({ hasText: reason })).toContainText('line 3');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await article.getByRole('button', { name: 'Regenerate' }).click();
  // The service says the same.
  await expect(article.getByRole('alert')).toContainText(reason);
  await expect(verdict).toHaveCount(0);
  await article.getByRole('button', { name: 'Previous version' }).click();
  await expect(verdict).toBeVisible();
});
