// Conversations that are edited: edits that run, results of calls, panes of their own settings.
import { test } from 'vitest';
import type { SentBody } from '../steps.ts';
import { expect } from './expect.ts';
import { keepPart } from './openPart.tsx';
import { say, sentBy, toPane } from './steps.ts';

const open = keepPart();

const texts = (sent: SentBody): readonly string[] =>
  sent.messages.map(({ role, content }) => `${role}: ${(content ?? '').split('\n')[0] ?? ''}`);

test('a message that is changed and run replaces what follows, and Undo brings it back', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await say(page, 'Two');
  await pane.getByRole('button', { name: 'Edit message' }).first().click();
  await pane.getByRole('group', { name: 'Edit message' }).getByRole('textbox').fill('Uno');
  const sent = await sentBy(page, () => pane.getByRole('button', { name: 'Save and run' }).click());
  expect(texts(sent)).toEqual(['user: Uno']);
  await expect(pane.getByRole('article')).toHaveCount(1);
  await expect(pane.getByText('You wrote: Uno')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(pane.getByRole('article')).toHaveCount(2);
  await expect(pane.getByText('One', { exact: true }).first()).toBeVisible();
  await expect(pane.getByRole('group', { name: 'Versions' })).toContainText('1/2');
});

test('a call has to be answered before the conversation goes on', async () => {
  const page = await open(`/?models=fault:tool-calls`);
  const pane = toPane(page, 1);
  await say(page, 'Where is it?');
  await page.getByRole('textbox', { name: 'Message' }).fill('And?');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveAccessibleDescription(
    'Answer calls get_order and get_weather first or delete them.',
  );
  for (const [name, result] of [
    ['get_weather', '21 °C'],
    ['get_order', '{"state":"sent"}'],
  ] as const) {
    const form = pane.getByRole('group', { name: `Answer ${name}` });
    await form.getByRole('textbox', { name: `Result of ${name}` }).fill(result);
    await form.getByRole('button', { name: 'Add result' }).click();
  }
  const sent = await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click());
  expect(sent.messages.map(({ role, content, tool_call_id }) => [role, content, tool_call_id])).toEqual([
    ['user', 'Where is it?', undefined],
    ['assistant', null, undefined],
    ['tool', '{"state":"sent"}', 'call_1'],
    ['tool', '21 °C', 'call_2'],
    ['user', 'And?', undefined],
  ]);
  expect(sent.messages[1]?.tool_calls?.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
});

test('tools and a schema that are wrong are said in their place and keep Run from being used', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi');
  await pane.getByRole('combobox', { name: 'Response format' }).selectOption('JSON schema');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveAccessibleDescription(
    /^Schema: write the JSON schema/,
  );
  const reset = pane.getByRole('button', { name: 'Reset all parameters' });
  await reset.click();
  await expect(reset).toBeHidden();
  const sent = await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click());
  expect(sent).toEqual({ model: 'echo', messages: [{ role: 'user', content: 'Hi' }], stream: true });
});
