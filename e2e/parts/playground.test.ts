// What is sent, refused, waited for and said about it.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart } from './openPart.tsx';
import { expectEnded, run, sentBy, toPane } from './steps.ts';

const open = keepPart();

/** The text that a pane's answer consists of, without heading, notices and figures. */
const answerOf = (pane: Locator): Locator => pane.getByRole('article').locator(':scope > div').nth(1);

test('what is refused is said at its field, and no longer once something is run', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  const composer = page.getByRole('form', { name: 'Composer' });
  const refused = page.getByText(/was not used/);
  await pane.getByRole('spinbutton', { name: 'Top P' }).fill('7');
  await pane.getByRole('spinbutton', { name: 'Max tokens' }).fill('0');
  const samples = composer.getByRole('spinbutton', { name: 'Samples per pane' });
  await samples.fill('99');
  await expect(
    composer.getByText('Samples per pane must be a whole number from 1 to 30. “99” was not used.'),
  ).toBeVisible();
  await expect(refused).toHaveCount(3);
  await run(page, 'Hello');
  await expectEnded(pane);
  await expect(refused).toHaveCount(0);

  await pane.getByRole('spinbutton', { name: 'Seed' }).fill('9007199254740991');
  await samples.fill('4');
  const reason =
    'Seeds count up with the samples, to 9007199254740991 at most. For 4 of them set 9007199254740988 or less.';
  await expect(composer.getByText(reason)).toBeVisible();
  await page.getByRole('textbox', { name: 'Message' }).fill('Again');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveAccessibleDescription(reason);
  await pane.getByRole('spinbutton', { name: 'Seed' }).fill('9007199254740988');
  await expect(composer.getByText(reason)).toHaveCount(0);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(
    pane.getByRole('group', { name: 'Samples' }).getByText('sample 1 of 4 · seed 9007199254740988'),
  ).toBeVisible();
  await expect(pane.getByRole('group', { name: 'Samples' }).getByText('all 4 equal')).toBeVisible();
});

test('sends only what is set, and what is set exactly', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  const field = pane
    .getByRole('textbox', { name: 'Temperature' })
    .or(pane.getByRole('spinbutton', { name: 'Temperature' }));
  await field.fill('0');
  await field.press('Enter');
  const body = await sentBy(page, () => run(page, 'Hello'));
  expect(body).toEqual({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }], temperature: 0, stream: true });
  // a seed is rolled, let go and taken again
  const seed = pane.getByRole('spinbutton', { name: 'Seed' });
  const lock = pane.getByRole('button', { name: 'Lock the seed' });
  await expect(lock).toHaveAttribute('aria-pressed', 'false');
  await pane.getByRole('button', { name: 'New random seed' }).click();
  await expect(lock).toHaveAttribute('aria-pressed', 'true');
  const rolled = await seed.inputValue();
  expect(rolled).toMatch(/^\d+$/);
  await lock.click();
  await expect(seed).toHaveValue('');
  await lock.click();
  await expect(seed).toHaveValue(rolled);
});

test('an answer that waits for a connection can be stopped; the next one gets its turn', async () => {
  const page = await open(
    `/?models=${[...Array.from({ length: 4 }, () => 'fault:stall'), 'stream:20:0', 'echo'].join()}`,
  );
  await run(page, 'Go');
  const waiting = page.getByText(/^Waiting for a free connection · /);
  await expect(waiting).toHaveCount(2);
  await toPane(page, 5).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(toPane(page, 5).getByText('stopped', { exact: true })).toBeVisible();
  await expect(waiting).toHaveCount(1);
  await toPane(page, 1).getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(answerOf(toPane(page, 6)).getByRole('heading', { name: 'Echo of echo' })).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await expect(answerOf(toPane(page, 5))).toHaveText('');
});

test('waits are said with their time, and can be ended', async () => {
  const page = await open(`/?models=fault:slow-first,fault:silent,fault:429-long`);
  await run(page, 'Go');
  // the wait for the first token is said, with its time
  await expect(toPane(page, 1).getByText(/^Waiting for the first token · \d/)).toBeVisible();
  await expect(answerOf(toPane(page, 1))).toHaveText('Late, but here.');
  await expect(toPane(page, 1).getByText(/^Waiting for/)).toHaveCount(0);
  const silent = toPane(page, 2);
  await expect(silent.getByText(/^Waiting for the first token · [1-9]\d*(\.\d+)? s$/)).toBeVisible();
  await silent.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(silent.getByText('stopped', { exact: true })).toBeVisible();
  // a 429 is waited out with a countdown that can be cancelled
  const pane = toPane(page, 3);
  await expect(pane.getByText(/^The service asked to wait \(429\). Trying again in \d+ s\.$/)).toBeVisible();
  await expect(pane.getByText('Too many requests.')).toBeVisible();
  await pane.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(pane.getByText('stopped', { exact: true })).toBeVisible();
  await expect(pane.getByText(/Asked to wait/)).toHaveCount(0);
  await expect(pane.getByRole('button', { name: 'Retry' })).toBeVisible();
});
