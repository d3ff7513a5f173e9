// What is sent, refused, waited for and said about it.
import { onTestFinished, test, vi } from 'vitest';
import { expect } from './expect.ts';
import type { Locator } from './locate.ts';
import { keepPart, type Part } from './openPart.ts';
import { choose, expectEnded, run, sentBy, toPane } from './steps.ts';

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

test('parameters beyond the usual ones are sent as they are set, and offered only for models that take them', async () => {
  const page = await open(`/?models=echo,stream:4:0`);
  const [pane, other] = [toPane(page, 1), toPane(page, 2)];
  const topK = pane.getByRole('spinbutton', { name: 'Top K' });
  await topK.fill('7.5');
  await expect(page.getByText('Top K must be a whole number from 0 to 1000. “7.5” was not used.')).toBeVisible();
  await topK.fill('20');
  await pane.getByRole('spinbutton', { name: 'Min P' }).fill('0.05');
  await pane.getByRole('spinbutton', { name: 'Repetition penalty' }).fill('1.1');
  // Set in all linked panes: where it is not taken it can only be unset.
  await expect(other.getByText('Not known to this model’s server. Unset it to send messages.')).toHaveCount(3);
  await expect(other.getByText(/^Not offered: Logprobs\./)).toBeVisible();
  const body = await sentBy(page, () => run(page, 'Hello'));
  expect(body).toMatchObject({ model: 'echo', top_k: 20, min_p: 0.05, repetition_penalty: 1.1 });
  expect(body).not.toHaveProperty('logprobs');
});

test('the tokens of an answer are shown with their probabilities, by keyboard too', async () => {
  const page = await open(`/?models=echo`);
  const pane = toPane(page, 1);
  await run(page, 'Hello');
  await expectEnded(pane);
  await expect(pane.getByText('Token probabilities')).toHaveCount(0);
  await pane.getByRole('switch', { name: 'Logprobs' }).click();
  const body = await sentBy(page, () => run(page, 'Again'));
  expect(body).toMatchObject({ logprobs: true, top_logprobs: 5 });
  await expectEnded(pane);
  await pane.getByText('Token probabilities').click();
  const tokens = pane.getByRole('listbox', { name: 'Tokens' });
  await expect(pane.getByText(/^\d+ tokens · perplexity \d/)).toBeVisible();
  // "##" is the first piece, and two characters long.
  await expect(tokens.getByRole('option', { name: '##, 33 %', exact: true })).toHaveAttribute('aria-selected', 'true');
  await tokens.focus();
  await page.keyboard.press('ArrowRight');
  await expect(tokens.getByRole('option', { name: '␣Echo, 20 %', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  const table = pane.getByRole('table', { name: 'The likeliest tokens in this place' });
  await expect(table.getByRole('row').nth(2)).toContainText('other80 %');
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

test('a parameter keeps its focus while what the model brings is on its way', async () => {
  let bring: () => void = () => undefined;
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      bring = resolve;
    });
  const type = async (page: Part): Promise<void> => {
    const field = toPane(page, 1).getByRole('spinbutton', { name: 'Max tokens' });
    await field.click();
    await page.keyboard.type('1');
    bring();
    await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Classify the ticket.');
    await page.keyboard.type('2');
    await expect(field).toHaveValue('12');
  };
  // A model that is opened, and one that is chosen.
  await type(await open('/?models=echo-taught', { examples: hold() }));
  const page = await open('/?models=echo', { isOtherBrowser: true, examples: hold() });
  const model = toPane(page, 1).getByRole('combobox', { name: 'Model' });
  await model.fill('echo-taught');
  await model.press('Enter');
  await type(page);
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

test('an engine that restarts is asked again by itself, and the text so far stays until then', async () => {
  const page = await open('/?models=fault:restart');
  await run(page, 'Go');
  const pane = toPane(page, 1);
  await expect(pane.getByText(/^The engine restarts. Trying again in \d+ s\.$/)).toBeVisible();
  await expect(answerOf(pane)).toHaveText('This is');
  await expect(answerOf(pane)).toHaveText('This is the whole answer.');
  await expect(pane.getByText(/The engine restarts/)).toHaveCount(0);
});

const SLIDERS = [
  { name: 'Temperature', min: 0, max: 2 },
  { name: 'Top P', min: 0, max: 1 },
  { name: 'Frequency penalty', min: -2, max: 2 },
  { name: 'Presence penalty', min: -2, max: 2 },
] as const;

test('a parameter stays within its range and can be unset; a refused number leaves the one before', async () => {
  const page = await open('/?models=echo');
  const pane = toPane(page, 1);
  for (const { name, min, max } of SLIDERS) {
    const slider = pane.getByRole('slider', { name });
    // The browser holds these.
    await expect(slider).toHaveAttribute('min', String(min));
    await expect(slider).toHaveAttribute('max', String(max));
    await slider.fill(String(min));
    await expect(slider).toHaveValue(String(min));
    const field = pane
      .getByRole('textbox', { name, exact: true })
      .or(pane.getByRole('spinbutton', { name, exact: true }));
    await field.fill(String(max + 0.5));
    await field.press('Enter');
    const problem = `${name} must be a number from ${min} to ${max}. “${max + 0.5}” was not used.`;
    await expect(pane.getByText(problem, { exact: true })).toBeVisible();
    await expect(slider).toHaveValue(String(min));
    await field.fill(String(max / 2));
    await field.press('Enter');
    await expect(slider).toHaveValue(String(max / 2));
    await pane.getByRole('button', { name: `Unset ${name}` }).click();
    await expect(pane.getByRole('button', { name: `Unset ${name}` })).toBeHidden();
    expect([await slider.one(), await field.one()]).toContain(document.activeElement);
  }
  const seed = pane.getByRole('spinbutton', { name: 'Seed' });
  const temperature = pane.getByRole('spinbutton', { name: 'Temperature' });
  const refusedSeed = pane.getByText('Seed must be a whole number. “1.5” was not used.', { exact: true });
  const refuseSeed = async (): Promise<void> => {
    await seed.fill('');
    await seed.press('Tab');
    await seed.fill('1.5');
    await expect(refusedSeed).toBeVisible();
  };
  await refuseSeed();
  await seed.press('Enter');
  await expect(seed).toHaveValue('');
  await expect(refusedSeed).toBeVisible();
  await pane.getByRole('button', { name: 'New random seed' }).click();
  await expect(refusedSeed).toBeHidden();

  await temperature.fill('0.7');
  await temperature.press('Enter');
  await temperature.press('Control+a');
  await temperature.fill('25');
  await temperature.blur();
  await expect(temperature).toHaveValue('0.7');
  await expect(pane.getByRole('slider', { name: 'Temperature' })).toHaveValue('0.7');
  await expect(
    pane.getByText('Temperature must be a number from 0 to 2. “25” was not used.', { exact: true }),
  ).toBeVisible();

  await refuseSeed();
  await pane.getByRole('button', { name: 'Reset all parameters' }).click();
  await expect(seed).toHaveValue('');
  await expect(pane.getByText(/was not used/)).toHaveCount(0);
});

test('a model that the studio does not list is said to be one before anything is run', async () => {
  const page = await open(`/?models=nope,echo`);
  const told = page.getByText(/^This studio lists no model/);
  await expect(toPane(page, 1).getByText(/^This studio lists no model/)).toHaveText(
    'This studio lists no model “nope”. Choose one above, or run it anyway.',
  );
  await expect(toPane(page, 1).getByRole('alert')).toHaveCount(0);
  await expect(toPane(page, 2).getByText('No messages yet')).toBeVisible();
  await expect(told).toHaveCount(1);
});

test('stops a running answer and keeps its text; other panes go on', async () => {
  const page = await open(`/?models=stream:3000:100,stream:200:200`);
  await run(page, 'Go');
  const slow = toPane(page, 1);
  const quick = toPane(page, 2);
  // From its first bold word on the answer is shown as markdown: its text only grows.
  await expect(answerOf(slow).locator('strong').first()).toBeVisible();
  const before = (await answerOf(slow).textContent()).trim();
  await slow.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(slow.getByText('stopped', { exact: true })).toBeVisible();
  expect(before).toMatch(/\bbold\b/);
  const kept = await answerOf(slow).textContent();
  expect(kept.slice(0, before.length)).toBe(before);
  await expect.poll(() => page.remote.aborted).toContain('stream:3000:100');
  await expect(slow.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expectEnded(quick);
  await expect(quick.getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('reasoning is folded, and opens into a box of its own', async () => {
  const page = await open('/?models=fault:reasoning');
  await run(page, 'Write a long report.');
  await expect(page.getByText('The answer.', { exact: true })).toBeVisible();
  await expect(page.getByText('First I think. Then I decide.')).toHaveCount(0);
  await page.getByText(/^Reason(ing|ed for .+)$/).click();
  await expect(page.getByRole('group', { name: 'Reasoning' })).toHaveText('First I think. Then I decide.');
});

test('a refused number is no longer spoken of once a preset or an example is applied', async () => {
  const page = await open('/?models=echo-taught');
  const pane = toPane(page, 1);
  await expect(pane.getByText('Try one of these')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'System prompt' })).toHaveValue('Classify the ticket.');
  await expect(pane.getByRole('button', { name: 'Edit tools: 1 tool' })).toBeVisible();
  const top = pane.getByRole('spinbutton', { name: 'Top P' });
  const refused = pane.getByText('Top P must be a number from 0 to 1. “7” was not used.', { exact: true });
  const refuse = async (): Promise<void> => {
    await top.fill('7');
    await top.blur();
    await expect(refused).toBeVisible();
  };
  await refuse();
  await pane.getByRole('listitem').getByRole('button').click();
  await expect(refused).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('The password reset email never arrives.');

  await refuse();
  await choose(pane.getByRole('button', { name: 'Pane menu' }), 'Presets');
  await page.getByRole('dialog', { name: 'Presets' }).getByRole('button', { name: 'Apply Deterministic' }).click();
  await expect(refused).toBeHidden();
});

const FAULTS = [
  { model: 'fault:cut', text: /interrupted/i },
  { model: 'fault:error-event', text: /error|failed/i },
  { model: 'fault:error-data', text: /error|failed/i },
  { model: 'fault:500-html', text: /500/ },
] as const;

test('each fault is said in its pane, and a retry is offered; the other panes go on', async () => {
  const models = [...FAULTS.map(({ model }) => model), 'echo'];
  const page = await open(`/?models=${models.join()}`);
  await run(page, 'Keep this question');
  for (const [at, { text }] of FAULTS.entries()) {
    const pane = toPane(page, at + 1);
    await expect(pane.getByText(text).first()).toBeVisible();
    await expect(pane.getByText('Keep this question')).toBeVisible();
    await expect(pane.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
  }
  const other = toPane(page, models.length);
  await expectEnded(other);
  await expect(answerOf(other).getByRole('heading', { name: 'Echo of echo' })).toBeVisible();
});

test('an answer that stops coming is told of beside Stop, counted up, and never ended by itself', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const page = await open('/?models=fault:stall');
  await run(page, 'Write a long report.');
  const pane = toPane(page, 1);
  await expect(pane.getByText('Still here')).toBeVisible();
  await expect(pane.getByText(/^Nothing for/)).toHaveCount(0);
  vi.setSystemTime(Date.now() + 40_000);
  await expect(pane.getByText(/^Nothing for (?:4|5)\d s$/)).toBeVisible();
  vi.setSystemTime(Date.now() + 60_000);
  await expect(pane.getByText(/^Nothing for 1 min \d\d s$/)).toBeVisible();
  await expect(pane.getByRole('article').last()).toHaveAttribute('aria-busy', 'true');
  await pane.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(pane.getByText(/^Nothing for/)).toHaveCount(0);
  await expect(pane.getByText('Still here')).toBeVisible();
});
