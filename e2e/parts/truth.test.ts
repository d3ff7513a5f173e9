// Records of requests that failed, and samples.
import { test } from 'vitest';
import { expect } from './expect.ts';
import { keepPart } from './openPart.tsx';
import { downloadedBy, run, toPane } from './steps.ts';

const open = keepPart();

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
