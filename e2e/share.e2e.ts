// Links that hold a session: hostile ones, and axe on their dialogs.
import type { Locator, Page } from '@playwright/test';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';
import { expectAccessible, expectEnded, run, toPane } from './steps.ts';

const arrival = (page: Page): Locator => page.getByRole('dialog', { name: 'A session from a link' });

async function openShare(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return page.getByRole('dialog', { name: 'Share this session' });
}

const hashOf = (value: unknown): string => `#s=${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;

test('hostile texts of a link and of a model stay texts; links are made and opened in accessible dialogs', async ({
  gatewayPage: page,
  gateway,
}) => {
  const hostile = '<img src=x onerror="window.hit=1"> [x](javascript:window.hit=2)';
  const turns = [
    { role: 'user', content: hostile },
    { role: 'assistant', versions: [{ phase: 'done', message: { text: hostile, state: 'complete' } }] },
  ];
  await page.goto(
    `${gateway.studio.origin}/?models=echo${hashOf({ v: 1, title: hostile, panes: [{ model: hostile, turns }], settings: { systemPrompt: hostile } })}`,
  );
  await expect(arrival(page).getByRole('button', { name: 'Open as a new session' })).toBeVisible();
  await expectAccessible(arrival(page));
  await arrival(page).getByRole('button', { name: 'Open as a new session' }).click();
  const pane = toPane(page, 1);
  await expect(pane.getByRole('article')).toHaveCount(1);
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  expect(await page.locator('main img, a[href^="javascript"]').count()).toBe(0);
  await test.step('what a model writes is never run', async () => {
    await pane.getByRole('combobox', { name: 'Model' }).fill('echo');
    await page.keyboard.press('Enter');
    await run(page, `${hostile} ![pixel](https://evil.example/p.png) <svg onload="window.hit=3">`);
    await expect(pane.getByRole('article')).toHaveCount(2);
    await expectEnded(pane);
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
    expect(await pane.locator('img, svg[onload], a[href^="javascript"]').count()).toBe(0);
  });
  await test.step('the dialog that makes a link is accessible, and the link has no token', async () => {
    const view = await openShare(page);
    await expect(view.getByText(/^\d[\d,]* characters$/)).toBeVisible();
    await expectAccessible(view);
    expect(await view.getByRole('textbox', { name: 'Link' }).inputValue()).not.toContain(gateway.studio.token);
  });
});
