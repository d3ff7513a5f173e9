// Conversations that are edited: versions, edits that run, forks, tool results, settings of one pane; by mouse and
// keyboard.
import { expect, test } from './fixtures.ts';
import { choose, expectAccessible, expectEnded, run, say, sentBy, toPane, type SentBody } from './steps.ts';

const texts = (sent: SentBody): readonly string[] =>
  sent.messages.map(({ role, content }) => `${role}: ${(content ?? '').split('\n')[0] ?? ''}`);

test('messages are inserted, moved and deleted one by one, with the keyboard alone', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  await say(page, 'One');
  await pane.getByRole('button', { name: 'More for this message' }).focus();
  await page.keyboard.press('Enter');
  const insert = page.getByRole('menuitem', { name: 'Insert above' });
  // The focus follows the menu a moment after it is there.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(insert).toBeFocused();
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
  await pane.getByRole('button', { name: 'More for this answer' }).first().click();
  await page.getByRole('menuitem', { name: 'Move down' }).click();
  await pane.getByRole('button', { name: 'More for this message' }).first().click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Message deleted')).toBeVisible();
  expect(texts(await sentBy(page, () => say(page, 'Three'))).slice(0, 3)).toEqual([
    'assistant: A greeting',
    'assistant: ## Echo of echo',
    'user: Two',
  ]);
});

test('a pane more goes on with the conversation, has its own settings where wanted, moves, and comes back when closed', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  await say(page, 'One');
  await choose(toPane(page, 1).getByRole('button', { name: 'Pane menu' }).last(), 'Duplicate pane');
  await expect(toPane(page, 2).getByText('You wrote: One')).toBeVisible();
  const second = toPane(page, 2);
  await second.getByRole('button', { name: /^Temperature: linked/ }).click();
  await second.getByRole('spinbutton', { name: 'Temperature' }).fill('2');
  await toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' }).fill('0.1');
  await toPane(page, 1).getByRole('spinbutton', { name: 'Seed' }).fill('7');
  await expect(second.getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('2');
  await expect(second.getByRole('spinbutton', { name: 'Seed' })).toHaveValue('7');
  await second.getByRole('button', { name: /^System prompt: linked/ }).click();
  await second.getByRole('textbox', { name: 'System prompt' }).fill('Be odd.');
  await page.getByRole('textbox', { name: 'Message' }).fill('Two');
  const alone = await sentBy(page, () =>
    choose(second.getByRole('button', { name: 'Pane menu' }).last(), 'Run here only'),
  );
  expect(alone).toMatchObject({
    temperature: 2,
    seed: 7,
    messages: [{ role: 'system', content: 'Be odd.' }, { content: 'One' }, {}, { content: 'Two' }],
  });
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(1);
  await expect(second.getByRole('article')).toHaveCount(2);
  await choose(second.getByRole('button', { name: 'Pane menu' }).last(), 'Move left');
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(2);
  await toPane(page, 1).getByRole('button', { name: 'Close pane' }).click();
  await expect(toPane(page, 2)).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(2);
  await toPane(page, 1)
    .getByRole('button', { name: /^Temperature: own/ })
    .click();
  await expect(toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' })).toHaveValue('0.1');
  // The tools of a message come when there is time.
  await expect(toPane(page, 1).getByRole('button', { name: 'More for this message' })).toHaveCount(2);
  await choose(toPane(page, 1).getByRole('button', { name: 'More for this message' }).last(), 'Fork from here');
  await expect(toPane(page, 3)).toBeVisible();
  await expect(toPane(page, 2).getByText('Two', { exact: true })).toBeVisible();
});

test('sending brings a reader to the end; a closed pane hands the focus on and comes back', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const first = toPane(page, 1);
  await say(page, 'One');
  await page.getByRole('button', { name: 'Add pane' }).click();
  const second = toPane(page, 2);
  await second.getByRole('combobox', { name: 'Model' }).fill('echo-b');
  await second.getByRole('combobox', { name: 'Model' }).press('Enter');
  await choose(second.getByRole('button', { name: 'Pane menu' }).last(), 'Clear conversation');
  await say(page, 'word '.repeat(800), [first, second]);
  await first.getByRole('article').first().scrollIntoViewIfNeeded();
  await first.getByRole('article').first().hover();
  await page.mouse.wheel(0, -20_000);
  await expect(first.getByText('One', { exact: true }).first()).toBeInViewport();
  await say(page, 'Last', [first, second]);
  await expect(first.getByRole('article').last().getByText(/TTFT/)).toBeInViewport();
  await second.getByRole('button', { name: 'Close pane' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add pane' })).toBeFocused();
  await page.getByRole('button', { name: 'Playground menu' }).click();
  await page.getByRole('menuitem', { name: 'Reopen closed pane' }).click();
  await expect(second.getByRole('article')).toHaveCount(2);
});

test('every state of a conversation is accessible', async ({ gatewayPage: page, gateway }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${gateway.studio.origin}/?models=fault:tool-calls,echo,fault:silent`);
  await run(page, 'One');
  for (const number of [1, 2]) await expectEnded(toPane(page, number));
  await toPane(page, 3).getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Two');
  await expect(toPane(page, 3).getByRole('region', { name: 'Messages without an answer between them' })).toBeVisible();
  await toPane(page, 1).getByRole('textbox', { name: 'Result of get_order' }).fill('{');
  await toPane(page, 2).getByRole('button', { name: 'Edit answer' }).click();
  await toPane(page, 2)
    .getByRole('button', { name: /^Temperature: linked/ })
    .click();
  await toPane(page, 2).getByRole('combobox', { name: 'Response format' }).selectOption('JSON schema');
  await expect(toPane(page, 2).getByRole('textbox', { name: 'Schema name' })).toBeVisible();
  await expectAccessible(page.getByRole('region', { name: 'Playground', exact: true }));
});
