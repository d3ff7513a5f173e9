// Calls of tools, answered by hand, and answers that are checked while they come.
import { deflateRawSync } from 'node:zlib';
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { expectEnded, run, say, sentBy, toPane } from './steps.ts';

const open = keepPart();

const toRun = (page: Part): Locator => page.getByRole('button', { name: 'Run', exact: true });

/** Opens a session whose texts nobody has to type into an editor. */
async function openWith(model: string, settings: object, isOtherBrowser = false): Promise<Part> {
  const session = JSON.stringify({ v: 1, panes: [{ model }], settings });
  const page = await open(`/?models=${model}#s=${deflateRawSync(session).toString('base64url')}`, { isOtherBrowser });
  await page.getByRole('button', { name: 'Open as a new session' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  return page;
}

const asTool = (name: string, parameters: object): object => ({ type: 'function', function: { name, parameters } });

test('each pane answers its own calls, and one result can serve the same call everywhere', async () => {
  const page = await open(`/?models=fault:tool-calls,fault:tool-calls`);
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  await page.getByRole('textbox', { name: 'Message' }).fill('Where is it?');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await first.getByRole('textbox', { name: 'Result of get_order' }).fill('sent');
  await first
    .getByRole('group', { name: 'Answer get_order' })
    .getByRole('button', { name: 'Use for the same call in 1 other pane' })
    .click();
  await expect(second.getByRole('group', { name: 'Answer get_order' })).toBeHidden();
  await expect(second.getByRole('heading', { name: 'tool get_order' })).toBeVisible();
  await expect(first.getByRole('textbox', { name: 'Result of get_weather' })).toBeFocused();
  await page.keyboard.type('21 °C');
  await second.getByRole('textbox', { name: 'Result of get_weather' }).fill('rain');
  await page.keyboard.press('Control+Enter');
  await expect(second.getByRole('button', { name: 'Send answers' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Message' }).fill('A draft that stays');
  const before = page.sent.length;
  await first.getByRole('button', { name: 'Send in 2 panes' }).click();
  for (const pane of [first, second]) await expect(pane.getByRole('article')).toHaveCount(2);
  await expect
    .poll(() =>
      page.sent
        .slice(before)
        .map(({ messages }) => messages.map(({ role, content }) => `${role}: ${content ?? ''}`))
        .toSorted(),
    )
    .toEqual([
      ['user: Where is it?', 'assistant: ', 'tool: sent', 'tool: 21 °C'],
      ['user: Where is it?', 'assistant: ', 'tool: sent', 'tool: rain'],
    ]);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('A draft that stays');
});

test('half an answer is not complete yet, and never wrong for that', async () => {
  const page = await open(`/?models=fault:stall,echo`);
  await toPane(page, 1).getByRole('switch', { name: 'Check answers against a schema' }).click();
  await toPane(page, 1).getByRole('button', { name: 'Write schema' }).click();
  await page.getByRole('button', { name: 'List of facts' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const sent = await sentBy(page, () => run(page, 'Go'));
  expect(sent['response_format']).toBeUndefined();
  await expect(toPane(page, 1).getByText('not complete yet')).toBeVisible();
  await expect(toPane(page, 2).getByText('not JSON', { exact: true })).toBeVisible();
  await toPane(page, 1).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(toPane(page, 1).getByText('incomplete', { exact: true })).toBeVisible();
});

test('a model calls tools, a person answers in their place, and the model goes on', async () => {
  const tools = [
    asTool('get_order', { type: 'object', required: ['city'], nope: 1 }),
    asTool('get_weather', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  ];
  const page = await openWith('fault:tool-calls', {
    tools: JSON.stringify(tools),
    systemPrompt: 'Use the order tools.',
  });
  const pane = toPane(page, 1);
  await pane.getByRole('button', { name: 'Edit tools: 2 tools' }).click();
  await expect(page.getByText('1 warning', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Done', exact: true }).click();

  await run(page, 'Where is my order A-17?');
  const [order, weather] = [
    pane.getByRole('listitem', { name: 'get_order' }),
    pane.getByRole('listitem', { name: 'get_weather' }),
  ];
  await expect(weather.getByText('valid', { exact: true })).toBeVisible();
  expect(await order.locator('pre').textContent()).toBe('{\n  "order_id": "A-17"\n}');
  await order.getByText('1 violation').first().click();
  await expect(order.getByRole('list', { name: 'Arguments: violations' })).toContainText('city');
  const send = pane.getByRole('button', { name: 'Send answers' });
  await expect(send).toHaveAccessibleDescription('Write the result of get_order and get_weather first.');
  await expect(toRun(page)).toHaveAccessibleDescription('Answer calls get_order and get_weather first or delete them.');

  const result = pane.getByRole('textbox', { name: 'Result of get_order' });
  await result.fill('{"state":"shipped"');
  await expect(pane.getByText('Not valid JSON at line 1; it is sent as it is.')).toBeVisible();
  await result.fill('{"state":"shipped"}');
  await expect(send).toHaveAccessibleDescription('Write the result of get_weather first.');
  await pane.getByRole('textbox', { name: 'Result of get_weather' }).fill('rain');
  const sent = await sentBy(page, () => send.click());
  expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
  const [, , asked, answered] = sent.messages;
  expect(answered).toMatchObject({
    content: '{"state":"shipped"}',
    tool_call_id: asked?.tool_calls?.[0]?.id,
    name: 'get_order',
  });
  await expect(pane.getByRole('heading', { name: 'tool get_order' })).toBeVisible();
  await expect(pane.getByRole('article')).toHaveCount(2);
  await expectEnded(pane);

  // The tools of now are what a call is checked against.
  await pane.getByRole('button', { name: 'Edit tools: 2 tools' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Order tools' }).click();
  await expect(page.getByText('No problems found.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pane.getByRole('button', { name: 'Edit tools: 4 tools' })).toBeVisible();
  await expect(weather.first().getByText('No tool is called “get_weather”.')).toBeVisible();
  await expect
    .poll(() => pane.getByRole('combobox', { name: 'Tool choice' }).getByRole('option').texts())
    .toEqual([
      'auto (default)',
      'auto',
      'none',
      'required',
      'get_order_status',
      'cancel_order',
      'request_refund',
      'change_address',
    ]);
});

test('what is wrong with tools is said at its line, and keeps them from being sent', async () => {
  const twice = '[{"type":"function","function":{"name":"f"}},\n{"type":"function","function":{"name":"f"}}]';
  for (const [at, [tools, problem]] of [
    ['[{"type":\n}]', 'line 2Not valid JSON from here on.'],
    [
      '[\n{"type":"function","function":{\n"name":"a b"}}]',
      'line 3[0].function.name must be 1 to 64 letters, digits, "_", "." or "-".',
    ],
    ['[1]', 'line 1[0] must be an object.'],
    [twice, 'line 2The name “f” is taken by an earlier tool. Give each tool a name of its own.'],
  ].entries()) {
    const page = await openWith('echo', { tools }, at > 0);
    await toPane(page, 1).getByRole('button', { name: 'Edit tools' }).click();
    await expect
      .poll(() => page.getByRole('list', { name: 'Problems' }).getByRole('listitem').texts())
      .toEqual([problem]);
  }
  const page = await openWith('echo', { tools: twice }, true);
  const pane = toPane(page, 1);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi');
  await expect(toRun(page)).toHaveAccessibleDescription('Tools: the name f occurs twice.');
  await pane.getByRole('button', { name: 'Edit tools' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Weather' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await pane.getByRole('combobox', { name: 'Tool choice' }).selectOption('get_weather');
  const sent = await sentBy(page, () => toRun(page).click());
  expect(sent).toMatchObject({
    tools: [{ function: { name: 'get_weather' } }],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
  });
});

test('an answer is checked against a schema when it is there, sent or not', async () => {
  const page = await open(`/?models=verbatim`);
  const pane = toPane(page, 1);
  const format = pane.getByRole('combobox', { name: 'Response format' });
  const article = pane.getByRole('article');
  await format.selectOption('JSON schema');
  await pane.getByRole('button', { name: 'Write schema' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ticket triage' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await pane.getByRole('textbox', { name: 'Schema name' }).fill('ticket');
  const sent = await sentBy(page, () => run(page, '{"category":"account","priority":"low","sentiment":"neutral"}'));
  expect(sent['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'ticket', strict: true, schema: { required: ['category', 'priority', 'sentiment'] } },
  });
  await expect(article.getByText('valid', { exact: true })).toBeVisible();
  await expect(pane.getByText('against current schema')).toHaveCount(0);

  await format.selectOption('text (default)');
  await expect(article.getByText('valid', { exact: true })).toBeHidden();
  await pane.getByRole('switch', { name: 'Check answers against a schema' }).click();
  await expect(article.getByText('valid', { exact: true })).toBeVisible();
  await pane.getByRole('button', { name: 'Edit schema' }).click();
  await page.getByRole('button', { name: 'List of facts' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await expect(article.getByText('against current schema')).toBeVisible();
  await article.getByText('4 violations').click();
  await expect(pane.getByRole('list', { name: 'Schema: violations' })).toContainText('/category');
  const unsent = await sentBy(page, () => article.getByRole('button', { name: 'Regenerate' }).click());
  expect(unsent['response_format']).toBeUndefined();
});

test('a reference that leads nowhere is said in the editor, and a request that is refused has no verdict', async () => {
  const schema = '{"type":"object",\n"properties":{"category":\n{"$ref":"#/$defs/none"}}}';
  const page = await openWith('verbatim', {
    response_format: 'json_schema',
    schema: { name: '', text: schema, strict: true },
  });
  const pane = toPane(page, 1);
  const article = pane.getByRole('article');
  const verdict = article.getByText('Schema', { exact: true });
  await pane.getByRole('button', { name: 'Edit schema' }).click();
  const problems = page.getByRole('dialog', { name: 'Schema' }).getByRole('list', { name: 'Problems' });
  const reason = 'The reference "#/$defs/none" leads to nothing. Define it under $defs.';
  await expect(problems.getByRole('listitem').filter({ hasText: reason })).toContainText('line 3');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Ticket triage' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await say(page, '{}');
  await expect(verdict).toBeVisible();

  await pane.getByRole('combobox', { name: 'Model' }).fill('missing-model');
  await page.keyboard.press('Enter');
  await article.getByRole('button', { name: 'Regenerate' }).click();
  await expect(article.getByRole('alert')).toContainText('Model missing-model not found.');
  await expect(verdict).toHaveCount(0);
  await article.getByRole('button', { name: 'Previous version' }).click();
  await expect(verdict).toBeVisible();
});
