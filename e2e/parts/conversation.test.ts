// Conversations that are edited: edits that run, results of calls, panes of their own settings.
import { test } from 'vitest';
import type { SentBody } from '../steps.ts';
import { expect } from './expect.ts';
import { keepPart } from './openPart.ts';
import { choose, run, say, sentBy, toPane } from './steps.ts';

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

test('a JSON schema that nobody has written keeps Run from being used, and Reset sends the message without it', async () => {
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

test('an answer that is asked for again is a version more; the one on show is what is sent', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await pane.getByRole('button', { name: 'Edit answer' }).click();
  await pane.getByRole('group', { name: 'Edit message' }).getByRole('textbox').fill('In my own words.');
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(pane.getByRole('group', { name: 'Versions' })).toContainText('2/2');
  await expect(pane.getByText('edited')).toBeVisible();
  await expect(pane.getByRole('button', { name: 'Edit answer' })).toBeFocused();
  expect(texts(await sentBy(page, () => say(page, 'Two')))).toEqual([
    'user: One',
    'assistant: In my own words.',
    'user: Two',
  ]);
  await pane.getByRole('button', { name: 'Previous version' }).click();
  await expect(pane.getByRole('group', { name: 'Versions' })).toContainText('1/2');
  expect(texts(await sentBy(page, () => say(page, 'Three')))[1]).toBe('assistant: ## Echo of echo');
  await open(location.href);
  await expect(pane.getByRole('group', { name: 'Versions' })).toContainText('1/2');
});

test('two messages without an answer between them are told of before they are sent, and can be sent as one', async () => {
  const page = await open(`/?models=fault:silent`);
  const pane = toPane(page, 1);
  await sentBy(page, () => run(page, 'First question'));
  await pane.getByRole('button', { name: 'Stop' }).click();
  await expect(pane.getByText('stopped', { exact: true })).toBeVisible();
  const notice = pane.getByRole('region', { name: 'Messages without an answer between them' });
  await expect(notice).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Message' }).fill('Second question');
  await expect(notice).toContainText('There is no answer between “First question” and the next message.');
  await notice.getByRole('button', { name: 'Send both as one' }).click();
  await expect(notice).toHaveCount(0);
  await expect(pane.getByText('sent as one with the next message')).toBeVisible();
  // It can be taken back, and is kept.
  await pane.getByText('First question').first().hover();
  await choose(pane.getByRole('button', { name: 'More for this message' }).first(), 'Send as a message of its own');
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Send both as one' }).click();
  await open(location.href);
  const sent = await sentBy(page, () => page.getByRole('button', { name: 'Run', exact: true }).click());
  expect(sent.messages.map(({ role, content }) => `${role}: ${content ?? ''}`)).toEqual([
    'user: First question\n\nSecond question',
  ]);
  await pane.getByRole('button', { name: 'Stop' }).click();
});

test('messages are inserted, moved and deleted one by one, with the keyboard alone', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await pane.getByRole('button', { name: 'More for this message' }).press('Enter');
  // The focus follows the menu a moment after it is there.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(page.getByRole('menuitem', { name: 'Insert above' })).toBeFocused();
  await page.keyboard.press('Enter');
  const editor = pane.getByRole('group', { name: 'New message' });
  await expect(editor.getByRole('textbox', { name: 'Text' })).toBeFocused();
  await page.keyboard.type('A greeting');
  await page.keyboard.press('Control+Enter');
  await expect(pane.getByRole('article')).toHaveCount(2);
  await expect(editor).toBeHidden();
  expect(texts(await sentBy(page, () => say(page, 'Two')))).toEqual([
    'assistant: A greeting',
    'user: One',
    'assistant: ## Echo of echo',
    'user: Two',
  ]);
  await choose(pane.getByRole('button', { name: 'More for this answer' }).first(), 'Move down');
  await choose(pane.getByRole('button', { name: 'More for this message' }).first(), 'Delete');
  await expect(page.getByText('Message deleted')).toBeVisible();
  expect(texts(await sentBy(page, () => say(page, 'Three'))).slice(0, 3)).toEqual([
    'assistant: A greeting',
    'assistant: ## Echo of echo',
    'user: Two',
  ]);
});

test('a pane more goes on with the conversation, has its own settings where wanted, moves, and comes back when closed', async () => {
  const page = await open(`/?models=echo`);
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  const menu = second.getByRole('button', { name: 'Pane menu' });
  await say(page, 'One');
  await choose(first.getByRole('button', { name: 'Pane menu' }), 'Duplicate pane');
  await expect(second.getByText('You wrote: One')).toBeVisible();
  await second.getByRole('button', { name: /^Temperature: linked/ }).click();
  await second.getByRole('spinbutton', { name: 'Temperature' }).fill('2');
  await first.getByRole('spinbutton', { name: 'Temperature' }).fill('0.1');
  await first.getByRole('spinbutton', { name: 'Seed' }).fill('7');
  await expect(second.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('2');
  await expect(second.getByRole('spinbutton', { name: 'Seed' })).toHaveValue('7');
  await second.getByRole('button', { name: /^System prompt: linked/ }).click();
  await second.getByRole('textbox', { name: 'System prompt' }).fill('Be odd.');
  await page.getByRole('textbox', { name: 'Message' }).fill('Two');
  const alone = await sentBy(page, () => choose(menu, 'Run here only'));
  expect(alone).toMatchObject({
    temperature: 2,
    seed: 7,
    messages: [{ role: 'system', content: 'Be odd.' }, { content: 'One' }, {}, { content: 'Two' }],
  });
  await expect(first.getByRole('article')).toHaveCount(1);
  await expect(second.getByRole('article')).toHaveCount(2);
  await choose(menu, 'Move left');
  await expect(first.getByRole('article')).toHaveCount(2);
  await first.getByRole('button', { name: 'Close pane' }).click();
  await expect(second).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(first.getByRole('article')).toHaveCount(2);
  await first.getByRole('button', { name: /^Temperature: own/ }).click();
  await expect(first.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.1');
  // The tools of a message come when there is time.
  await expect(first.getByRole('button', { name: 'More for this message' })).toHaveCount(2);
  await choose(first.getByRole('button', { name: 'More for this message' }).last(), 'Fork from here');
  await expect(toPane(page, 3)).toBeVisible();
  await expect(second.getByText('Two', { exact: true })).toBeVisible();
});

test('a closed pane hands the focus on and comes back', async () => {
  const page = await open(`/?models=echo`);
  const second = toPane(page, 2);
  await say(page, 'One');
  await page.getByRole('button', { name: 'Add pane' }).click();
  await second.getByRole('combobox', { name: 'Model' }).fill('echo-b');
  await second.getByRole('combobox', { name: 'Model' }).press('Enter');
  await choose(second.getByRole('button', { name: 'Pane menu' }), 'Clear conversation');
  await say(page, 'Two', [toPane(page, 1), second]);
  await second.getByRole('button', { name: 'Close pane' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Add pane' })).toBeFocused();
  await choose(page.getByRole('button', { name: 'Playground menu' }), 'Reopen closed pane');
  await expect(second.getByRole('article')).toHaveCount(1);
});
