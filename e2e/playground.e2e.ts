// The playground by keyboard and mouse: ranges are enforced, unset is not sent, streams stop, errors keep the text.
import type { Locator } from '@playwright/test';
import { expect, openHome, test } from './fixtures.ts';
import { choose, expectEnded, reload, run, toPane } from './steps.ts';

/** The text that a pane's answer consists of, without heading, notices and figures. */
const answerOf = (pane: Locator): Locator => pane.getByRole('article').locator(':scope > div').nth(1);

const SLIDERS = [
  { name: 'Temperature', min: 0, max: 2 },
  { name: 'Top P', min: 0, max: 1 },
  { name: 'Frequency penalty', min: -2, max: 2 },
  { name: 'Presence penalty', min: -2, max: 2 },
] as const;

test('a parameter stays within its range and can be unset; a refused number leaves the one before', async ({
  studioPage: page,
}) => {
  await openHome(page);
  const pane = toPane(page, 1);
  for (const { name, min, max } of SLIDERS) {
    await test.step(`${name} stays within ${min}..${max} and can be unset`, async () => {
      const slider = pane.getByRole('slider', { name });
      await slider.focus();
      await slider.press('End');
      await expect(slider).toHaveValue(String(max));
      await slider.press('ArrowRight');
      await expect(slider).toHaveValue(String(max));
      await slider.press('Home');
      await expect(slider).toHaveValue(String(min));
      const field = pane
        .getByRole('textbox', { name, exact: true })
        .or(pane.getByRole('spinbutton', { name, exact: true }));
      await field.fill(String(max + 0.5));
      await field.press('Enter');
      const problem = `${name} takes a number from ${min} to ${max}; “${max + 0.5}” was not taken.`;
      await expect(pane.getByText(problem, { exact: true })).toBeVisible();
      await expect(slider).toHaveValue(String(min));
      await field.fill(String(max / 2));
      await field.press('Enter');
      await expect(slider).toHaveValue(String(max / 2));
      await pane.getByRole('button', { name: `Unset ${name}` }).click();
      await expect(pane.getByRole('button', { name: `Unset ${name}` })).toBeHidden();
      await expect(slider.or(field).and(page.locator(':focus'))).toHaveCount(1);
    });
  }
  await test.step('a number that is refused leaves the value from before, and its message goes with the next good one', async () => {
    const seed = pane.getByRole('spinbutton', { name: 'Seed' });
    const temperature = pane.getByRole('spinbutton', { name: 'Temperature' });
    const refusedSeed = pane.getByText('Seed takes a whole number; “1.5” was not taken.', { exact: true });
    const refuseSeed = async (): Promise<void> => {
      await seed.fill('');
      await seed.press('Tab');
      await seed.pressSequentially('1.5');
      await expect(refusedSeed).toBeVisible();
    };
    await refuseSeed();
    await seed.press('Enter');
    await expect(seed).toHaveValue('');
    await expect(refusedSeed).toBeVisible();
    await pane.getByRole('button', { name: 'Roll a seed' }).click();
    await expect(refusedSeed).toBeHidden();

    await temperature.fill('0.7');
    await temperature.press('Enter');
    await temperature.press('Control+a');
    await temperature.pressSequentially('25');
    await temperature.blur();
    await expect(temperature).toHaveValue('0.7');
    await expect(pane.getByRole('slider', { name: 'Temperature' })).toHaveValue('0.7');
    await expect(
      pane.getByText('Temperature takes a number from 0 to 2; “25” was not taken.', { exact: true }),
    ).toBeVisible();

    await refuseSeed();
    await pane.getByRole('button', { name: 'Reset all parameters' }).click();
    await expect(seed).toHaveValue('');
    await expect(pane.getByText(/was not taken/)).toHaveCount(0);
  });
});

test('a refused number is no longer spoken of once a preset or an example is applied', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=triage-lora`);
  const pane = toPane(page, 1);
  const top = pane.getByRole('spinbutton', { name: 'Top P' });
  const refused = pane.getByText('Top P takes a number from 0 to 1; “7” was not taken.', { exact: true });
  const refuse = async (): Promise<void> => {
    await top.fill('7');
    await top.blur();
    await expect(refused).toBeVisible();
  };
  await refuse();
  await pane.getByRole('listitem').getByRole('button').first().click();
  await expect(refused).toBeHidden();

  await refuse();
  await choose(pane.getByRole('button', { name: 'Pane menu' }), 'Presets');
  await page.getByRole('dialog', { name: 'Presets' }).getByRole('button', { name: 'Apply Deterministic' }).click();
  await expect(refused).toBeHidden();
});

test('what is refused is said at its field, and no longer once something is run', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  const composer = page.getByRole('form', { name: 'Composer' });
  const refused = page.getByText(/was not taken/);
  await pane.getByRole('spinbutton', { name: 'Top P' }).fill('7');
  await pane.getByRole('spinbutton', { name: 'Max tokens' }).fill('0');
  const samples = composer.getByRole('spinbutton', { name: 'Samples per pane' });
  await samples.fill('99');
  await expect(
    composer.getByText('Samples per pane takes a whole number from 1 to 30; “99” was not taken.'),
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

test('a model that the studio does not list is said to be one before anything is run', async ({
  studioPage: page,
  studio,
}) => {
  await page.goto(`${studio.origin}/?models=nope,support-base,triage-lora`);
  const told = page.getByText(/^This studio lists no model/);
  await expect(toPane(page, 1).getByText(/^This studio lists no model/)).toHaveText(
    'This studio lists no model “nope”. Choose one above, or run it anyway.',
  );
  await expect(toPane(page, 1).getByRole('alert')).toHaveCount(0);
  for (const number of [2, 3]) await expect(toPane(page, number).getByText('Try one of these')).toBeVisible();
  await expect(told).toHaveCount(1);
});

test('sends only what is set, and what is set exactly', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = toPane(page, 1);
  const field = pane
    .getByRole('textbox', { name: 'Temperature' })
    .or(pane.getByRole('spinbutton', { name: 'Temperature' }));
  await field.fill('0');
  await field.press('Enter');
  const sent = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  await run(page, 'Hello');
  const body: unknown = (await sent).postDataJSON();
  expect(body).toEqual({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }], temperature: 0, stream: true });
  await test.step('a seed is rolled, let go and taken again', async () => {
    const seed = pane.getByRole('spinbutton', { name: 'Seed' });
    const lock = pane.getByRole('button', { name: 'Lock the seed' });
    await expect(lock).toHaveAttribute('aria-pressed', 'false');
    await pane.getByRole('button', { name: 'Roll a seed' }).click();
    await expect(lock).toHaveAttribute('aria-pressed', 'true');
    const rolled = await seed.inputValue();
    expect(rolled).toMatch(/^\d+$/);
    await lock.click();
    await expect(seed).toHaveValue('');
    await lock.click();
    await expect(seed).toHaveValue(rolled);
  });
});

test('stops a running answer and keeps its text; other panes go on', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=stream:3000:100,stream:200:200`);
  await run(page, 'Go');
  const slow = toPane(page, 1);
  const quick = toPane(page, 2);
  // From its first bold word on the answer is shown as markdown: its text only grows.
  await expect(answerOf(slow).locator('strong').first()).toBeVisible();
  const before = (await answerOf(slow).innerText()).trim();
  await slow.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(slow.getByText('stopped', { exact: true })).toBeVisible();
  expect(before).toMatch(/\bbold\b/);
  const kept = await answerOf(slow).innerText();
  expect(kept.slice(0, before.length)).toBe(before);
  await expect.poll(() => gateway.remote.aborted).toContain('stream:3000:100');
  await expect(slow.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectEnded(quick);
  await expect(quick.getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('eight panes: four answer at once, the others wait their turn, and the project stays live', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(`${gateway.studio.origin}/?models=${Array.from({ length: 8 }, () => 'stream:204:100').join()}`);
  const live = page.getByText(/^live · /);
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
  await run(page, 'Go');
  await expect(page.getByText(/^Waiting for a free connection · /)).toHaveCount(4);
  expect(gateway.remote.running()).toBeLessThanOrEqual(4);
  for (let number = 1; number <= 8; number += 1) {
    const pane = toPane(page, number);
    await expect(pane.getByRole('article')).toHaveAttribute('aria-busy', 'false', { timeout: 40_000 });
    // One word of twelve.
    expect((await answerOf(pane).textContent())?.match(/learns/g)).toHaveLength(17);
  }
  await expect(live).toBeVisible();
  for (const text of await said.jsonValue()) expect(text).toMatch(/^live · /);
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

test('an answer that waits for a connection can be stopped; the next one gets its turn', async ({
  gatewayPage: page,
  gateway,
}) => {
  await page.goto(
    `${gateway.studio.origin}/?models=${[...Array.from({ length: 4 }, () => 'fault:stall'), 'stream:20:0', 'echo'].join()}`,
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

test('waits are said with their time, and can be ended', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=fault:slow-first,fault:silent,fault:429-long`);
  await run(page, 'Go');
  await test.step('the wait for the first token is said, with its time', async () => {
    await expect(toPane(page, 1).getByText(/^Waiting for the first token · \d/)).toBeVisible();
    await expect(answerOf(toPane(page, 1))).toHaveText('Late, but here.');
    await expect(toPane(page, 1).getByText(/^Waiting for/)).toHaveCount(0);
    const silent = toPane(page, 2);
    await expect(silent.getByText(/^Waiting for the first token · [1-9]\d*(\.\d+)? s$/)).toBeVisible();
    await silent.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(silent.getByText('stopped', { exact: true })).toBeVisible();
  });
  await test.step('a 429 is waited out with a countdown that can be cancelled', async () => {
    const pane = toPane(page, 3);
    await expect(pane.getByText(/^Asked to wait \(429\): trying again in \d+ s\.$/)).toBeVisible();
    await expect(pane.getByText('Too many requests.')).toBeVisible();
    await pane.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(pane.getByText('stopped', { exact: true })).toBeVisible();
    await expect(pane.getByText(/Asked to wait/)).toHaveCount(0);
    await expect(pane.getByRole('button', { name: 'Retry' })).toBeVisible();
  });
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
