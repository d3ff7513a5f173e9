// The first screen: what needs a person, the best runs and what to train next, each a click from its place.
import { copied } from './comparePage.ts';
import { expect, goTo, openHome, test } from './fixtures.ts';
import { expectAccessible, expectEnded, toPane } from './steps.ts';

test('the first screen: what failed, what is best, what to train next, and answers in a press or two', async ({
  studioPage: page,
  context,
}) => {
  await test.step('the first screen says what failed, what is best and what to train next; its config is copied', async () => {
    await openHome(page);
    const needs = page.getByRole('region', { name: 'Needs attention' });
    await expect(
      needs.getByText(/loss rose above its start: 49\.592 over .* Its learning rate 1 is 667 times/),
    ).toBeVisible();
    const best = page.getByRole('region', { name: 'Best of each dataset' });
    const row = (name: string) => best.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
    await expect(row('Ticket triage')).toContainText(/Experiment 2 · full.*97\.5 %.*exact match · 94\.3–98\.9/);
    await expect(row('Polite replies')).toContainText(/Experiment 1 · full.*0\.0544.*validation loss/);
    await expect(best.getByRole('listitem').filter({ hasText: 'ids copied' })).toHaveText(
      'ids copied 99.1 % (base 8 %)',
    );
    await expect(page.getByRole('region', { name: 'No improvement can be measured' })).toContainText(
      '100 % (98.1–100) of 200 validation rows are right',
    );
    const next = page.getByRole('region', { name: 'Train next Polite replies' });
    const here = next.getByRole('group', { name: /^Config: / });
    const elsewhere = next.getByRole('group', { name: /^Config for elsewhere: / });
    await expect(next).toContainText('support-base');
    // Tree and playground are looked at in `accessibility`.
    await expectAccessible(page.getByRole('region', { name: 'Workspace', exact: true }));

    await test.step('the config of the next training is copied, the second time with one press', async () => {
      await here.getByRole('button', { name: 'Copy config as', exact: true }).click();
      const text = await copied(page, () => page.getByRole('menuitem', { name: 'JSON', exact: true }).click());
      expect(JSON.parse(text)).toMatchObject({ candidates: [{ base_model_id: 'support-base' }] });
      await page.reload();
      const again = here.getByRole('button', { name: 'Copy as JSON', exact: true });
      await again.waitFor();
      expect(await copied(page, () => again.click())).toBe(text);
    });
    await test.step('the config for a GPU elsewhere is copied from the first screen too', async () => {
      await elsewhere.getByRole('button', { name: 'Copy config as', exact: true }).click();
      const text = await copied(page, () => page.getByRole('menuitem', { name: /^Axolotl/ }).click());
      expect(text).toMatch(/^base_model: \S*llama/im);
    });
    await needs.getByRole('button', { name: /^See why/ }).click();
    await expect(page.getByText(/Failed: the loss rose above its start/i)).toBeVisible();
    await page.goBack();
    await next.getByRole('button', { name: /^See the reason and other options/ }).click();
    await expect(page.getByRole('heading', { name: 'Snapshot 1', level: 2 })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Recommendations' })).toHaveAttribute('aria-selected', 'true');
    await test.step('the runs of a dataset are compared by the measure that is chosen', async () => {
      await page.getByRole('treeitem', { name: /^Polite replies/ }).click();
      await page.getByRole('tab', { name: 'Overview' }).click();
      const bestRun = page.getByRole('region', { name: 'Best run' });
      const choice = bestRun.getByRole('combobox', { name: 'Compare runs by' });
      await choice.selectOption('ids copied');
      await expect(bestRun.getByRole('table')).toContainText(/99\.1 %.*ids copied/);
      await expect(bestRun.getByRole('table')).toContainText('not whether it is right');
      await choice.selectOption('');
      await expect(bestRun.getByRole('table')).toContainText(/0\.0544.*validation loss/);
    });
  });
  await test.step('a best run beside its base answers a validation prompt with two presses', async () => {
    await goTo(page, '?');
    const best = page.getByRole('region', { name: 'Best of each dataset' });
    await best.getByRole('button', { name: /beside base.*Order tools/ }).click();
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await expect(message).not.toHaveValue('');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    for (const pane of [toPane(page, 1), toPane(page, 2)]) {
      await expect(pane.getByRole('article')).toHaveCount(1);
      await expectEnded(pane);
    }
  });
  await test.step('the best run is checked on validation rows beside its base in two clicks, and the grid has an address', async () => {
    await goTo(page, '?');
    const evaluate = page.getByRole('button', {
      name: /^Evaluate on validation rows.*Experiment 2 · full of Ticket triage$/,
    });
    await page.setViewportSize({ width: 1720, height: 900 });
    // All words of a button are on one line, which is as high as the button.
    await expect.poll(() => evaluate.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await evaluate.click();
    await page.getByRole('button', { name: 'Run grid' }).click();
    const answered = page.getByRole('gridcell', { name: /^passed/ }).first();
    await expect(answered).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();
    await expect(page.getByRole('columnheader', { name: /^(?!Prompt|Expected)/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const share = page.getByRole('dialog', { name: 'Share this grid' });
    const address = new URL(await share.getByRole('textbox', { name: 'Link' }).inputValue());
    expect(address.searchParams.get('grid')).toBe(new URL(page.url()).searchParams.get('grid'));
    await page.keyboard.press('Escape');

    // Another grid is on show when the address is opened again, and one of another browser when it is not stored here.
    await page.getByRole('button', { name: /^Grids, open/ }).click();
    await page.getByRole('button', { name: 'New grid' }).click();
    await expect(answered).toHaveCount(0);
    await page.goto(address.href);
    await expect(answered).toBeVisible();
    const other = await context.newPage();
    address.searchParams.set('grid', 'elsewhere');
    await other.goto(address.href);
    await expect(other.getByText(/not stored in this browser.*import its rows here/)).toBeVisible();
  });
});
