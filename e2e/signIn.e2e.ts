// Signing in without the printed link, and what an unsigned visitor gets.
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toOpeningPage } from '#app/server/launch/openBrowser.ts';
import { expect, test, watchPage } from './fixtures.ts';
import { makeFolder } from './startStudio.ts';

test('signing in: wrong tokens, the right one, signing out and what it deletes, and a file that signs in', async ({
  page,
  studio,
}) => {
  await test.step('images of another site use up none of the attempts to sign in', async () => {
    const sources = Array.from({ length: 15 }, (_, index) => `${studio.origin}/?token=x${index}`);
    const images = sources.map((source) => `<img src="${source}" onerror="loaded()">`).join('');
    const html = `<script>let count = 0; const loaded = () => (document.title = String((count += 1)));</script>${images}`;
    const foreign = createServer((_, response) => void response.setHeader('Content-Type', 'text/html').end(html));
    foreign.listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    await page.goto(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
    await expect(page).toHaveTitle('15');
    foreign.close();
  });
  const field = page.getByLabel(/token/i).first();
  await test.step('a link with a wrong token says so', async () => {
    await page.goto(`${studio.origin}/?token=wrong`);
    await expect(page.getByText(/not accepted|rejected|wrong/i).first()).toBeVisible();
    await expect.poll(() => page.url()).not.toContain('wrong');
  });
  const watch = watchPage(page, studio.origin);
  await test.step('asks for the token, refuses a wrong one, takes the right one', async () => {
    await page.goto(`${studio.origin}/`);
    await field.fill('mistyped');
    await field.press('Enter');
    // Not "too many wrong tokens": a person has tried two.
    await expect(page.getByRole('alert')).toContainText('This token was not accepted');
    await field.fill(studio.token);
    await field.press('Enter');
    await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
    await expect.poll(() => page.url()).not.toContain(studio.token);
  });
  await test.step('signing out deletes what this browser keeps; what another tab holds can be deleted afterwards', async () => {
    const other = await page.context().newPage();
    await other.goto(`${studio.origin}/healthz`);
    // A tab that does not let go of the database, as an old version of the studio might.
    await other.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('studio.playground');
          opening.addEventListener('success', () => {
            // A connection that nothing refers to is closed.
            Object.assign(window, { heldDatabase: opening.result });
            resolve();
          });
        }),
    );
    await page.bringToFront();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expect(page.getByText('If other people use this browser, delete them too.')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out and delete' }).click();
    const notice = page.getByRole('alert');
    await expect(notice).toContainText(
      'You are signed out. Some data of the studio in this browser could not be deleted',
    );
    await expect(notice).toContainText('Another tab has it open.');
    await other.close();
    await notice.getByRole('button', { name: 'Delete what this browser keeps' }).click();
    await expect(notice).toHaveCount(0);
    await expect(field).toBeVisible();
    const kept = await page.evaluate(async () => [
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...Object.keys(localStorage),
    ]);
    expect(kept.filter((name) => name?.startsWith('studio.'))).toEqual([]);
  });
  expect(watch.faults).toEqual([]);
  await test.step('a file that leads to the link signs in, as the one of --open does', async () => {
    const folder = makeFolder('opening');
    const file = join(folder, 'open.html');
    writeFileSync(file, toOpeningPage(studio.link));
    await page.goto(pathToFileURL(file).href);
    await expect(page.getByRole('tree', { name: 'Project tree' })).toBeVisible();
    rmSync(folder, { recursive: true });
  });
});
