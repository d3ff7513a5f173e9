// Conversations that need a browser: where a reader is brought, and axe on every state.
import { expect, goTo, test } from './fixtures.ts';
import { choose, expectAccessible, expectEnded, run, say, toPane } from './steps.ts';

test('a conversation: sending brings a reader to the end, and every state is accessible', async ({
  gatewayPage: page,
}) => {
  await test.step('sending brings a reader to the end', async () => {
    await goTo(page, '?models=echo');
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
  });
  await test.step('every state of a conversation is accessible', async () => {
    await page.keyboard.press('Alt+Shift+N');
    await expect(page.getByRole('article')).toHaveCount(0);
    await goTo(page, '?models=fault:tool-calls,echo,fault:silent');
    await run(page, 'One');
    for (const number of [1, 2]) await expectEnded(toPane(page, number));
    await toPane(page, 3).getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Two');
    await expect(
      toPane(page, 3).getByRole('region', { name: 'Messages without an answer between them' }),
    ).toBeVisible();
    await toPane(page, 1).getByRole('textbox', { name: 'Result of get_order' }).fill('{');
    await toPane(page, 2).getByRole('button', { name: 'Edit answer' }).click();
    await toPane(page, 2)
      .getByRole('button', { name: /^Temperature: linked/ })
      .click();
    await toPane(page, 2).getByRole('combobox', { name: 'Response format' }).selectOption('JSON schema');
    await expect(toPane(page, 2).getByRole('textbox', { name: 'Schema name' })).toBeVisible();
    await expectAccessible(page.getByRole('region', { name: 'Playground', exact: true }));
  });
});
