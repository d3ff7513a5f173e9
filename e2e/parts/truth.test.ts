// Records of requests that failed, and samples.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart } from './openPart.tsx';
import { choose, downloadedBy, expectEnded, run, toPane } from './steps.ts';

const open = keepPart();

async function chooseInMenu(pane: Locator, item: string): Promise<void> {
  await pane.getByRole('article').last().hover();
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), item);
}

for (const { model, status, event } of [
  { model: 'fault:500-html', status: /^50\d after/, event: /502 Bad Gateway|error/ },
  { model: 'missing-model', status: /^404 after/, event: /not found/ },
  { model: 'fault:no-end', status: /^200 after/, event: /An answer that just stops/ },
  { model: 'fault:error-data', status: /^200 after/, event: /The remote engine stopped/ },
] as const) {
  test(`${model}: the record of what failed holds what came`, async () => {
    const page = await open(`/?models=${model}`);
    await run(page, 'Go');
    const pane = toPane(page, 1);
    await expect(pane.getByRole('article').getByRole('button', { name: 'Retry' })).toBeVisible();
    await pane.getByRole('button', { name: 'Inspect answer' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Inspect answer' });
    await expect(dialog.getByText(status)).toBeVisible();
    await dialog.getByRole('tab', { name: 'Response events' }).click();
    const text = await downloadedBy(page, () => dialog.getByRole('button', { name: 'Download the response' }).click());
    expect(text).toMatch(event);
  });
}

test('samples that fail are counted, and Stop stops those that run and those that wait', async () => {
  const page = await open(`/?models=missing-model,fault:stall`);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('6');
  await run(page, 'Go');
  await expect(toPane(page, 1).getByText('6 failed')).toBeVisible();
  await expect(toPane(page, 2).getByText('6 of 6 to come')).toBeVisible();
  await expect.poll(() => page.remote.running()).toBe(4);
  await page.getByRole('form', { name: 'Composer' }).getByRole('button', { name: 'Stop' }).click();
  await expect(toPane(page, 2).getByText('6 stopped')).toBeVisible();
  await expect.poll(() => page.remote.running()).toBe(0);
});

test('a request without a seed is repeated only after saying so, and with a fixed one from then on', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  const seeds = (): unknown[] => page.sent.map(({ seed }) => seed);
  await run(page, 'Hello');
  await expectEnded(pane);
  await chooseInMenu(pane, 'Repeat request');
  const dialog = page.getByRole('dialog', { name: 'This request had no seed' });
  await dialog.getByRole('spinbutton', { name: 'Seed' }).fill('5');
  await expect.poll(seeds).toEqual([undefined]);
  await dialog.getByRole('button', { name: 'Repeat with this seed' }).click();
  await expect(pane.getByText('The seeds differ: none → 5.')).toBeVisible();
  await expectEnded(pane);
  await chooseInMenu(pane, 'Repeat request');
  // The second answer may be identical to the first one too: the verdict counts once the third has ended.
  await expect(pane.getByText('3/3')).toBeVisible();
  await expectEnded(pane);
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  await expect.poll(seeds).toEqual([undefined, 5, 5]);
});
