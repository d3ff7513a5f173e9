// Calls of tools, answered by hand, and answers that are checked while they come.
import { test } from 'vitest';
import { expect } from './expect.ts';
import { keepPart } from './openPart.tsx';
import { run, sentBy, toPane } from './steps.ts';

const open = keepPart();

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
