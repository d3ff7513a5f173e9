// Links that hold a session: what they take along, and what happens where one is opened, hostile ones included.
import type { Locator, Page } from '@playwright/test';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';
import { expectAccessible, say, settleStores, toPane } from './steps.ts';

const arrival = (page: Page): Locator => page.getByRole('dialog', { name: 'A session from a link' });

async function openShare(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return page.getByRole('dialog', { name: 'Share this session' });
}

const hashOf = (value: unknown): string => `#s=${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;

test('a link brings panes, settings and messages to another browser, as a session of its own', async ({
  gatewayPage: page,
  gateway,
  browser,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo,stream:20:0`);
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be {{tone}}.');
  await page.getByRole('textbox', { name: 'tone' }).fill('kind');
  await toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' }).fill('0.2');
  await say(page, 'Shared question');
  const view = await openShare(page);
  await expect(view.getByText(/^\d[\d,]* characters$/)).toBeVisible();
  await expect(view.getByRole('switch', { name: /^With messages/ })).toBeChecked();
  await expect(view.getByText(/nobody can open the link on another one.*--public-url/)).toBeVisible();
  await expectAccessible(view);
  const short = await view.getByRole('textbox', { name: 'Link' }).inputValue();
  await expect
    .poll(async () => (await view.getByRole('textbox', { name: 'Link' }).inputValue()).length)
    .toBeGreaterThan(400);
  const link = await view.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(`${short}${link}`).not.toContain(gateway.studio.token);

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(gateway.studio.link);
  await say(other, 'My own');
  await settleStores(other);
  await other.goto(link);
  const offer = arrival(other);
  await expect(offer.getByText('echo, stream:20:0')).toBeVisible();
  await expect(offer.getByText('Temperature 0.2')).toBeVisible();
  await expectAccessible(offer);
  await offer.getByRole('button', { name: 'Open as a new session' }).click();
  await expect(toPane(other, 1).getByText('You wrote: Shared question')).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'tone' })).toHaveValue('kind');
  await expect.poll(() => new URL(other.url()).hash).toBe('');
  await other.getByRole('button', { name: /^Sessions, open/ }).click();
  const sessions = other.getByRole('dialog', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await sessions.getByRole('button', { name: /^My own/ }).click();
  await expect(toPane(other, 1).getByText('You wrote: My own')).toBeVisible();
  await context.close();
});

test('hostile texts in a link stay texts', async ({ gatewayPage: page, gateway }) => {
  const hostile = '<img src=x onerror="window.hit=1"> [x](javascript:window.hit=2)';
  const turns = [
    { role: 'user', content: hostile },
    { role: 'assistant', versions: [{ phase: 'done', message: { text: hostile, state: 'complete' } }] },
  ];
  await page.goto(
    `${gateway.studio.origin}/?models=echo${hashOf({ v: 1, title: hostile, panes: [{ model: hostile, turns }], settings: { systemPrompt: hostile } })}`,
  );
  await arrival(page).getByRole('button', { name: 'Open as a new session' }).click();
  await expect(toPane(page, 1).getByRole('article')).toHaveCount(1);
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  expect(await page.locator('main img, a[href^="javascript"]').count()).toBe(0);
});
