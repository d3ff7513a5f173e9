// The playground by keyboard and mouse: ranges are enforced, unset is not sent, streams stop, errors keep the text.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { choose, expectEnded, reload, run, toPane } from './steps.ts';

/** The text that a pane's answer consists of, without heading, notices and figures. */
const answerOf = (pane: Locator): Locator => pane.getByRole('article').locator(':scope > div').nth(1);

test('a refused number is no longer spoken of once a preset or an example is applied', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=triage-lora`);
  const pane = toPane(page, 1);
  const top = pane.getByRole('spinbutton', { name: 'Top P' });
  const refused = pane.getByText('Top P must be a number from 0 to 1. “7” was not used.', { exact: true });
  const refuse = async (): Promise<void> => {
    // Settings that the model brings may arrive between two keys.
    await expect(async () => {
      await top.fill('7');
      await top.blur();
      await expect(refused).toBeVisible({ timeout: 2_000 });
    }).toPass();
  };
  await refuse();
  await pane.getByRole('listitem').getByRole('button').first().click();
  await expect(refused).toBeHidden();

  await refuse();
  await choose(pane.getByRole('button', { name: 'Pane menu' }), 'Presets');
  await page.getByRole('dialog', { name: 'Presets' }).getByRole('button', { name: 'Apply Deterministic' }).click();
  await expect(refused).toBeHidden();
});

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

test('a reload in mid-stream leaves what had come, marked interrupted', async ({ gatewayPage: page, gateway }) => {
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
});

const FAULTS = [
  { model: 'fault:cut', text: /interrupted/i },
  { model: 'fault:error-event', text: /error|failed/i },
  { model: 'fault:error-data', text: /error|failed/i },
  { model: 'fault:500-html', text: /500/ },
  { model: 'fault:redirect', text: /redirect/i },
] as const;

test('each fault is said in its pane, and a retry is offered; the other panes go on', async ({
  gatewayPage: page,
  gateway,
}) => {
  const models = [...FAULTS.map(({ model }) => model), 'echo'];
  await page.goto(`${gateway.studio.origin}/?models=${models.join()}`);
  await run(page, 'Keep this question');
  for (const [at, { model, text }] of FAULTS.entries()) {
    await test.step(model, async () => {
      const pane = toPane(page, at + 1);
      await expect(pane.getByText(text).first()).toBeVisible();
      await expect(pane.getByText('Keep this question')).toBeVisible();
      await expect(pane.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
    });
  }
  const other = toPane(page, models.length);
  await expectEnded(other);
  await expect(answerOf(other).getByRole('heading', { name: 'Echo of echo' })).toBeVisible();
});

test('what a model writes is never run, and never leaves the studio', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const hostile =
    '<img src=x onerror="window.hit=1"> ![pixel](https://evil.example/p.png) [link](javascript:window.hit=2) ' +
    '<svg onload="window.hit=3">';
  await run(page, hostile);
  const pane = toPane(page, 1);
  await expectEnded(pane);
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  expect(await pane.locator('img, svg[onload], a[href^="javascript"]').count()).toBe(0);
});
