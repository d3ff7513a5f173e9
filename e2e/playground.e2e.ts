// The playground as a whole: eight panes at once, panes that lie outside, a reload in mid-stream.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { downloadedBy, expectEnded, reload, run, toPane } from './steps.ts';

/** The text that a pane's answer consists of, without heading, notices and figures. */
const answerOf = (pane: Locator): Locator => pane.getByRole('article').locator(':scope > div').nth(1);

test('eight panes: four answer at once, the others wait their turn, and the project stays live', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=${Array.from({ length: 8 }, () => 'stream:204:0').join()}`);
  const live = page.getByText(/^updated /);
  await expect(live).toBeVisible();
  const said = await live.evaluateHandle((element) => {
    const texts = [element.textContent];
    new MutationObserver(() => texts.push(element.textContent)).observe(element, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return texts;
  });
  const goOn = gateway.remote.holdAnswers();
  await run(page, 'Go');
  await expect(page.getByText(/^Waiting for a free connection · /)).toHaveCount(4);
  await expect.poll(gateway.remote.running).toBe(4);
  // There is a connection left for the project.
  const countPolls = () => gateway.remote.requests.filter(({ path }) => path.includes('/projects/')).length;
  const before = countPolls();
  await expect.poll(countPolls).toBeGreaterThan(before);
  expect(gateway.remote.running()).toBe(4);
  goOn();
  for (let number = 1; number <= 8; number += 1) {
    const pane = toPane(page, number);
    await expect(pane.getByRole('article')).toHaveAttribute('aria-busy', 'false', { timeout: 40_000 });
    // One word of twelve.
    expect((await answerOf(pane).textContent())?.match(/learns/g)).toHaveLength(17);
  }
  await expect(live).toBeVisible();
  for (const text of await said.jsonValue()) expect(text).toMatch(/^updated /);
});

test('panes that lie outside are said, and are a step away', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo,echo-b,echo-c,stream:40:20`);
  const [first, last] = [toPane(page, 1), toPane(page, 4)];
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  const pager = page.getByRole('group', { name: 'Panes in view' });
  await expect(pager.getByText('Panes 1–3 of 4', { exact: true })).toBeVisible();
  await run(page, 'Go');
  const top = (await first.boundingBox())?.y;
  await pager.getByRole('button', { name: 'Show next pane' }).focus();
  await page.keyboard.press('Enter');
  await expect(pager.getByText('Panes 2–4 of 4', { exact: true })).toBeVisible();
  await expect(last).toBeInViewport({ ratio: 0.99 });
  await expectEnded(last);
  expect((await first.boundingBox())?.y).toBe(top);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(pager.getByText('Panes 1–3 of 4', { exact: true })).toBeVisible();
  await last.getByRole('button', { name: 'Close pane' }).click();
  await expect(pager).toHaveCount(0);
});

test('a reload in mid-stream leaves what had come, marked interrupted, and its record', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=stream:3000:50`);
  await run(page, 'Keep this question');
  const pane = toPane(page, 1);
  // Three seconds of words: more than once kept by then.
  await expect(answerOf(pane).locator('strong').nth(12)).toBeVisible();
  const before = (await answerOf(pane).textContent()) ?? '';
  await reload(page);
  await expect(pane.getByText('interrupted', { exact: true })).toBeVisible();
  await expect(pane.getByText('Keep this question')).toBeVisible();
  await expect(answerOf(pane).locator('strong').first()).toBeVisible();
  const kept = (await answerOf(pane).textContent()) ?? '';
  const shared = Math.min(kept.length, before.length);
  expect(kept.slice(0, shared)).toBe(before.slice(0, shared));
  await expect(pane.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
  await pane.getByRole('button', { name: 'Inspect answer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Inspect answer' });
  await dialog.getByRole('tab', { name: 'Response events' }).click();
  const record = await downloadedBy(page, () => dialog.getByRole('button', { name: 'Download the response' }).click());
  expect(record).toContain('learns');
});
