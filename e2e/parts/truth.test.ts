// What was sent and what came: records, repeats with the same seed, samples.
import { test } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { choose, downloadedBy, expectEnded, run, say, sentBy, toPane } from './steps.ts';

const open = keepPart();

async function chooseInMenu(pane: Locator, item: string): Promise<void> {
  await pane.getByRole('article').last().hover();
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), item);
}

async function inspect(page: Part, pane: Locator): Promise<Locator> {
  await pane.getByRole('article').last().hover();
  await pane.getByRole('button', { name: 'Inspect answer' }).last().click();
  return page.getByRole('dialog', { name: 'Inspect answer' });
}

async function setSeed(pane: Locator, seed: number): Promise<void> {
  const field = pane.getByRole('spinbutton', { name: 'Seed', exact: true });
  await field.fill(String(seed));
  await field.press('Enter');
}

const seedsOf = (page: Part): readonly unknown[] => page.sent.map(({ seed }) => seed);

/** Records of requests that the browser keeps. */
function countStored(): Promise<number> {
  return new Promise((resolve) => {
    const open = indexedDB.open('studio.playground');
    open.addEventListener('success', () => {
      const keys = open.result.transaction('records').objectStore('records').getAllKeys();
      keys.addEventListener('success', () => {
        open.result.close();
        resolve(keys.result.filter((key) => Array.isArray(key) && key[1] === 'exchange').length);
      });
    });
  });
}

test('the record of an answer holds what was sent and what came, and survives a reload', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  const sent = await sentBy(page, () => run(page, 'Hello there'));
  await expectEnded(pane);
  for (const isReloaded of [false, true]) {
    const dialog = await inspect(page, pane);
    const download = (name: string): Promise<string> =>
      downloadedBy(page, () => dialog.getByRole('button', { name }).click());
    await expect(dialog.getByText('fp_remote')).toBeVisible();
    await expect(dialog.getByText('usage unknown')).toBeVisible();
    await dialog.getByRole('tab', { name: 'Request' }).click();
    expect(await download('Download the request')).toBe(JSON.stringify(sent));
    await dialog.getByRole('tab', { name: 'Response events' }).click();
    await dialog.getByRole('listbox', { name: 'Response events' }).press('End');
    await expect(dialog.getByRole('group', { name: 'Chosen event' })).toHaveText('data: [DONE]');
    const events = (await download('Download the response'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ms: number; raw: string });
    expect(events.map(({ raw }) => raw).join('')).toContain('Hello');
    expect(events.map(({ ms }) => ms)).toEqual(events.map(({ ms }) => ms).toSorted((a, b) => a - b));
    await dialog.getByRole('tab', { name: 'Headers' }).click();
    const headers = dialog.getByRole('group', { name: 'Headers' });
    await expect(headers).toContainText('content-type: text/event-stream');
    await expect(headers).not.toContainText(/cookie|authorization/i);
    await page.keyboard.press('Escape');
    await expect(pane.getByRole('button', { name: 'Inspect answer' })).toBeFocused();
    if (isReloaded) break;
    await expect.poll(countStored).toBe(1);
    await open(location.href);
    await expectEnded(pane);
  }
});

test('the same request with its seed gives the identical answer, also after a reload', async () => {
  const page = await open(`/?models=seeded`);
  const pane = toPane(page, 1);
  await setSeed(pane, 11);
  await run(page, 'Where is order ORD-12345?');
  await expectEnded(pane);
  await chooseInMenu(pane, 'Repeat request');
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  expect(seedsOf(page)).toEqual([11, 11]);
  // Records are written when there is time.
  await expect.poll(countStored).toBe(2);
  await open(location.href);
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  // What is set now does not count: the recorded request does.
  await setSeed(pane, 12);
  await chooseInMenu(pane, 'Repeat request');
  await expect(pane.getByText('3/3')).toBeVisible();
  await expectEnded(pane);
  await expect(pane.getByText('identical', { exact: true })).toBeVisible();
  expect(seedsOf(page)).toEqual([11, 11, 11]);
});

test('samples count their seeds up, agree or not, and each can be shown', async () => {
  const page = await open(`/?models=seeded`);
  const pane = toPane(page, 1);
  await setSeed(pane, 40);
  await page.getByRole('spinbutton', { name: 'Samples per pane' }).fill('6');
  await run(page, 'Where is order ORD-12345?');
  const samples = pane.getByRole('group', { name: 'Samples' });
  await expect(samples.getByText('2 distinct answers (3 + 3)')).toBeVisible();
  expect(seedsOf(page).toSorted()).toEqual([40, 41, 42, 43, 44, 45]);
  await expect(samples.getByText('sample 1 of 6 · seed 40')).toBeVisible();
  await pane.getByRole('button', { name: 'Next version' }).click();
  await expect(samples.getByText('sample 2 of 6 · seed 41')).toBeVisible();
  await samples.getByRole('button', { name: 'compare answers' }).click();
  const answers = samples.getByRole('list', { name: 'Distinct answers' }).getByRole('button');
  await expect.poll(() => answers.texts()).toEqual(['3 ×The seed is even.', '3 ×The seed is odd.']);
  await answers.last().click();
  await expect(answers.last()).toHaveAttribute('aria-current', 'true');
});

test('two JSON answers are compared by their fields, and in their texts on demand', async () => {
  const page = await open(`/?models=verbatim`);
  const pane = toPane(page, 1);
  await say(page, '{"kind":"bug","rank":1,"parts":["a","b"]}');
  await say(page, '{"parts":["a","c"],"rank":1.0,"kind":"bug"}');
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), 'Show differences');
  const differences = pane.getByRole('group', { name: 'Differences' });
  await expect(differences.getByText('1 field differs')).toBeVisible();
  const table = differences.getByRole('table', { name: 'Fields that differ' });
  await expect(table.getByRole('row').nth(1)).toHaveText('parts[1]"b""c"');
  await differences.getByRole('button', { name: 'as text' }).click();
  await expect(table).toHaveCount(0);
  await differences.getByRole('button', { name: 'by field' }).click();
  await say(page, '{ "rank": 1e0, "kind": "bug", "parts": ["a", "c"] }');
  await choose(pane.getByRole('button', { name: 'More for this answer' }).last(), 'Show differences');
  const last = differences.last();
  await last.getByRole('combobox', { name: 'Differences from' }).selectOption('Pane 1 · verbatim, answer 2');
  await expect(last.getByText('Equal values, written differently')).toBeVisible();
});

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
