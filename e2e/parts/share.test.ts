// Links that hold a session: what they are refused for, and what is too long for one.
import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { downloadedBy, expectEnded, run, say, toPane } from './steps.ts';

const open = keepPart();

async function openShare(page: Part): Promise<Locator> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return page.getByRole('dialog', { name: 'Share this session' });
}

const hashOf = (value: unknown): string => `#s=${deflateRawSync(JSON.stringify(value)).toString('base64url')}`;
const arrival = (page: Part): Locator => page.getByRole('dialog', { name: 'A session from a link' });

for (const [what, hash, reason] of [
  ['that is cut off', '#s=q1YqU7IyrNVRKkhMTy1WsoqO1VEqzywpyVCyMqwFAA', 'The link is damaged or was cut off.'],
  [
    'of wrong things',
    hashOf({ v: 1, panes: [{ model: 'm', turns: [{ role: 'system', content: 'x' }] }] }),
    'panes[0].turns[0].role: must be user, assistant or tool.',
  ],
  ['of something huge', hashOf(' '.repeat(9 * 1024 * 1024)), 'The link contains more than 8 MB.'],
] as const) {
  test(`a link ${what} is refused in words`, async () => {
    const page = await open(`/?models=echo${hash}`);
    await expect(arrival(page).getByText(reason)).toBeVisible();
    await arrival(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(arrival(page)).toBeHidden();
    await expect.poll(() => location.hash).toBe('');
  });
}

test('a link can be ignored, and then leaves the address', async () => {
  const page = await open(`/?models=echo${hashOf({ v: 1, panes: [{ model: 'other' }], settings: {} })}`);
  await arrival(page).getByRole('button', { name: 'Ignore' }).click();
  await expect(arrival(page)).toBeHidden();
  await expect.poll(() => location.hash).toBe('');
  await expect(toPane(page, 1).getByRole('combobox', { name: 'Model' })).toHaveValue('echo');
});

test('what is too long for a link is offered as a file', async () => {
  const page = await open(`/?models=echo`);
  // Nothing that can be compressed.
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill(randomBytes(40_000).toString('base64'));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const view = page.getByRole('dialog', { name: 'Share this session' });
  await expect(view.getByText('Too long for a link')).toBeVisible();
  await expect(view.getByRole('button', { name: 'Copy link' })).toHaveAccessibleDescription('The link is too long.');
  const text = await downloadedBy(page, () => view.getByRole('button', { name: 'Download as a file' }).click());
  expect(JSON.parse(text)).toMatchObject({ format: 'model-studio/sessions' });
});

test('a link is that of what is chosen now, or there is none; what it holds is named', async () => {
  const page = await open(`/?models=stream:6000:100`);
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  const sessions = page.getByRole('dialog', { name: 'Sessions' });
  await sessions.getByRole('button', { name: /^Rename/ }).click();
  await sessions.getByRole('textbox', { name: 'Title' }).fill('Secret plan');
  await page.keyboard.press('Enter');
  await expect(sessions.getByRole('button', { name: 'Rename Secret plan' })).toBeFocused();
  await page.keyboard.press('Escape');
  await run(page, 'Long, please');
  await expect(toPane(page, 1).getByRole('article')).toHaveAttribute('aria-busy', 'true');
  const view = await openShare(page);
  const link = view.getByRole('textbox', { name: 'Link' });
  await expect(view.getByText('the session’s title “Secret plan”')).toBeVisible();
  await expect(link).toBeHidden();
  await expect(view.getByRole('button', { name: 'Copy link' })).toHaveAccessibleDescription(
    'An answer is being generated. Wait for it or stop it.',
  );
  // Without messages it is complete while more is said.
  await view.getByRole('switch', { name: 'With messages (2)' }).click();
  await expect(link).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Message' }).press('Escape');
  await expectEnded(toPane(page, 1));
});

test('a link brings panes, settings and messages to another browser, as a session of its own', async () => {
  const page = await open(`/?models=echo,stream:20:0`);
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Be {{tone}}.');
  await page.getByRole('textbox', { name: 'tone' }).fill('kind');
  await toPane(page, 1).getByRole('spinbutton', { name: 'Temperature' }).fill('0.2');
  await say(page, 'Shared question', [toPane(page, 1), toPane(page, 2)]);
  const view = await openShare(page);
  await expect(view.getByText(/^\d[\d,]* characters$/)).toBeVisible();
  await expect(view.getByRole('switch', { name: /^With messages/, checked: true })).toBeVisible();
  await expect(view.getByText(/nobody can open the link on another one.*--public-url/)).toBeVisible();
  const field = view.getByRole('textbox', { name: 'Link' });
  await expect.poll(async () => (await field.inputValue()).length).toBeGreaterThan(400);
  const link = await field.inputValue();
  expect(link).not.toContain('remote-secret');

  await open(`/?models=echo`, { isOtherBrowser: true });
  await say(page, 'My own');
  await open(link);
  const offer = arrival(page);
  await expect(offer.getByText('echo, stream:20:0')).toBeVisible();
  await expect(offer.getByText('Temperature 0.2')).toBeVisible();
  await offer.getByRole('button', { name: 'Open as a new session' }).click();
  await expect(toPane(page, 1).getByText('You wrote: Shared question')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'tone' })).toHaveValue('kind');
  await expect.poll(() => location.hash).toBe('');
  await page.getByRole('button', { name: /^Sessions, open/ }).click();
  const sessions = page.getByRole('dialog', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await sessions.getByRole('button', { name: /^My own/ }).click();
  await expect(toPane(page, 1).getByText('You wrote: My own')).toBeVisible();
});
