// Tools and schemas in their editors, and axe on what is checked against them.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectAccessible, expectEnded, toPane } from './steps.ts';

const editor = (page: Page, title: string): Locator =>
  page.getByRole('dialog', { name: title }).getByRole('textbox', { name: `${title} as JSON` });

/** Replaces the whole text, as a person does. */
async function write(page: Page, title: string, text: string): Promise<void> {
  await editor(page, title).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await editor(page, title).fill(text);
}

test('tools and schemas are written in editors, and what is checked against them is accessible', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${gateway.studio.origin}/?models=fault:tool-calls,verbatim`);
  const [first, second] = [toPane(page, 1), toPane(page, 2)];
  await first.getByRole('button', { name: 'Add tools' }).click();
  await expect(editor(page, 'Tools')).toBeFocused();
  const problems = page.getByRole('dialog', { name: 'Tools' }).getByRole('list', { name: 'Problems' });
  await write(page, 'Tools', '[{"type":\n}]');
  await expect(problems.getByRole('listitem')).toHaveText(['line 2Not valid JSON from here on.']);
  await expectAccessible(page.getByRole('dialog'));
  await editor(page, 'Tools').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('[1]');
  await expect(problems.getByRole('listitem')).toHaveText(['line 1[0] must be an object.']);
  const tool =
    '[{"type":"function","function":{"name":"get_order","parameters":{"type":"object","required":["city"]}}}]';
  await write(page, 'Tools', tool);
  await expect(page.getByText('No problems found.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const bring = page.getByRole('button', { name: 'Restore the old text' });
  await bring.click();
  await expect(bring).toBeFocused();
  await expect(editor(page, 'Tools')).toContainText('"name":"get_order"');
  await page.keyboard.press('Escape');
  await expect(first.getByRole('button', { name: 'Edit tools: 1 tool' })).toBeVisible();

  await second.getByRole('switch', { name: 'Check answers against a schema' }).click();
  await second.getByRole('button', { name: 'Write schema' }).click();
  await write(page, 'Schema', '{"type":"object",\n"required":["owner"]}');
  await expectAccessible(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('{"category":"none"}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expectEnded(second);
  await first.getByRole('listitem', { name: 'get_order' }).getByText('1 violation').click();
  await expect(first.getByRole('list', { name: 'Arguments: violations' })).toContainText('city');
  await second.getByRole('article').getByText('1 violation').click();
  await expect(second.getByRole('list', { name: 'Schema: violations' })).toContainText('owner');
  for (const pane of [first, second]) await expectAccessible(pane);
});
