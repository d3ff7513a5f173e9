// The playground by keyboard and mouse: ranges are enforced, unset is not sent, streams stop, errors keep the text.
import { expect, test } from './fixtures';

const SLIDERS = [
  { name: 'Temperature', min: 0, max: 2 },
  { name: 'Top P', min: 0, max: 1 },
  { name: 'Frequency penalty', min: -2, max: 2 },
  { name: 'Presence penalty', min: -2, max: 2 },
] as const;

for (const { name, min, max } of SLIDERS) {
  test(`${name} stays within ${min}..${max} and can be unset`, async ({ studioPage: page }) => {
    const pane = page.getByRole('region', { name: 'Pane 1' });
    const slider = pane.getByRole('slider', { name });
    await slider.focus();
    await slider.press('End');
    await expect(slider).toHaveValue(String(max));
    await slider.press('ArrowRight');
    await expect(slider).toHaveValue(String(max));
    await slider.press('Home');
    await expect(slider).toHaveValue(String(min));
    const field = pane.getByRole('textbox', { name, exact: true }).or(pane.getByRole('spinbutton', { name, exact: true }));
    await field.fill(String(max + 0.5));
    await field.press('Enter');
    await expect(pane.getByText(new RegExp(`${min}.*${max}`)).first()).toBeVisible();
    await expect(slider).not.toHaveValue(String(max + 0.5));
    await field.fill(String(max / 2));
    await field.press('Enter');
    await expect(slider).toHaveValue(String(max / 2));
    await pane.getByRole('button', { name: `Unset ${name}` }).click();
    await expect(pane.getByRole('button', { name: `Unset ${name}` })).toBeHidden();
  });
}

test('sends only what is set, and what is set exactly', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const pane = page.getByRole('region', { name: 'Pane 1' });
  const field = pane.getByRole('textbox', { name: 'Temperature' }).or(pane.getByRole('spinbutton', { name: 'Temperature' }));
  await field.fill('0');
  await field.press('Enter');
  const sent = page.waitForRequest((request) => request.url().endsWith('/chat/completions'));
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const body: unknown = (await sent).postDataJSON();
  expect(body).toEqual({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }], temperature: 0, stream: true });
});

test('stops a running answer and keeps its text; other panes go on', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=stream:3000:100,stream:200:200`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Go');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const slow = page.getByRole('region', { name: 'Pane 1' });
  const quick = page.getByRole('region', { name: 'Pane 2' });
  await expect(slow.getByText(/TTFT/).first()).toBeVisible();
  await slow.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(slow.getByText(/stopped/i).first()).toBeVisible();
  const kept = await slow.innerText();
  expect(kept.length).toBeGreaterThan(50);
  await expect(quick.getByRole('button', { name: 'Retry' }).first()).toBeVisible({ timeout: 15_000 });
  await expect(slow.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
});

const FAULTS = [
  { model: 'fault:cut', text: /interrupted/i },
  { model: 'fault:error-event', text: /error|failed/i },
  { model: 'fault:error-data', text: /error|failed/i },
  { model: 'fault:500-html', text: /500/ },
  { model: 'fault:redirect', text: /redirect/i },
] as const;

for (const { model, text } of FAULTS) {
  test(`${model}: the fault is said in its pane, and a retry is offered`, async ({ gatewayPage: page, gateway }) => {
    await page.goto(`${gateway.studio.origin}/?models=${model},echo`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Keep this question');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const pane = page.getByRole('region', { name: 'Pane 1' });
    await expect(pane.getByText(text).first()).toBeVisible();
    await expect(pane.getByText('Keep this question')).toBeVisible();
    await expect(pane.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
    const other = page.getByRole('region', { name: 'Pane 2' });
    await expect(other.getByText(/TTFT/).first()).toBeVisible();
  });
}

test('what a model writes is never run, and never leaves the studio', async ({ gatewayPage: page, gateway }) => {
  await page.goto(`${gateway.studio.origin}/?models=echo`);
  const hostile = '<img src=x onerror="window.hit=1"> ![pixel](https://evil.example/p.png) [link](javascript:window.hit=2) <svg onload="window.hit=3">';
  await page.getByRole('textbox', { name: 'Message' }).fill(hostile);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const pane = page.getByRole('region', { name: 'Pane 1' });
  await expect(pane.getByText(/TTFT/).first()).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  expect(await pane.locator('img, svg[onload], a[href^="javascript"]').count()).toBe(0);
});
