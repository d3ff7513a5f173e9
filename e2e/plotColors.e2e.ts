// Plots coloured by a value: chosen in the plot, kept by a link, told by a legend and in words, readable in both
// themes.
import type { Locator, Page } from '@playwright/test';
import { expectPlotRead, goToTable } from './experimentsPage.ts';
import { expect, test } from './fixtures.ts';

const figure = (page: Page): Locator => page.getByRole('figure', { name: /Runs as/ });
const legend = (page: Page): Locator => figure(page).getByRole('list', { name: /^Colours by/ });
const choice = (page: Page): Locator => figure(page).getByRole('combobox', { name: 'Colour by' });
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

/** The tokens that lines or points are drawn with. */
async function readTokens(page: Page, what: 'path' | 'circle'): Promise<string[]> {
  const styles = await figure(page)
    .locator(`svg[aria-hidden] ${what}[style]`)
    .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('style') ?? ''));
  return styles.flatMap((style) => /var\((--[a-z]+(?:-\d)?)\)/.exec(style)?.[1] ?? []);
}

async function openPlot(page: Page, rest: string): Promise<void> {
  await goToTable(page, rest);
  await expectPlotRead(page);
}

test('plots are coloured by a number or by words, in the table, the compare and the recommendations', async ({
  studioPage: page,
}) => {
  await test.step('by a number: steps with their values, what is missing grey and broken, the scale to switch; a link keeps it', async () => {
    await openPlot(page, '&plot=parallel');
    await expect(choice(page)).toHaveValue('');
    await expect(legend(page)).toHaveCount(0);
    await choice(page).selectOption('last_loss');
    await expect.poll(() => query(page).get('color')).toBe('last_loss');
    await expect(legend(page)).toContainText('linear');
    await expect(legend(page).getByText(/^not given \(\d+\)$/)).toBeVisible();
    const tokens = await readTokens(page, 'path');
    expect(tokens.filter((token) => /^--scale-[1-7]$/.test(token)).length).toBeGreaterThan(3);
    expect(tokens.filter((token) => token === '--faint')).toHaveLength(
      await figure(page).locator('path[stroke-dasharray]').count(),
    );
    await expect(figure(page).locator('caption')).toContainText(
      /coloured by Training loss: 7 steps from \S+ to \S+, linear; \d+ not given, in grey/,
    );

    await legend(page).getByRole('button', { name: 'Colours by Training loss: linear scale, switch' }).press('Enter');
    await expect(legend(page)).toContainText('log');
    await expect.poll(() => query(page).get('log')).toBe('last_loss');
    await page.reload();
    await expect(choice(page)).toHaveValue('last_loss');
    await expect(legend(page)).toContainText('log');
  });
  await test.step('by words, also where they are no axis; in a scatter; a foreign one is said', async () => {
    await openPlot(page, '&plot=scatter&color=training_type');
    await expect(legend(page).getByText('LoRA', { exact: true })).toBeVisible();
    expect(
      (await readTokens(page, 'circle')).filter((token) => /^--category-[1-7]$/.test(token)).length,
    ).toBeGreaterThan(1);
    await choice(page).selectOption('Dataset');
    await expect(legend(page).getByRole('listitem')).not.toHaveCount(0);
    const points = figure(page).getByRole('slider', { name: /^Points of/ });
    await points.focus();
    await points.press('ArrowRight');
    await expect(points).toHaveAttribute('aria-valuetext', /: Dataset [A-Z]/);
    await test.step('on paper nothing is left of what is pointed at', async () => {
      const tip = figure(page).locator('.shadow-pop');
      await expect(tip).toBeVisible();
      await page.emulateMedia({ media: 'print' });
      await expect(tip).toHaveCount(0);
      await expect(figure(page).locator('circle.stroke-ink')).toHaveCount(0);
      await page.emulateMedia({ media: 'screen' });
      await expect(tip).toBeVisible();
    });
    await openPlot(page, '&plot=parallel&color=from-elsewhere');
    await expect(figure(page).getByText(/No row here has this value/)).toBeVisible();
    await expect(choice(page)).toHaveValue('from-elsewhere');
  });
  await test.step('the compare and the recommendations have the same choice', async () => {
    await openPlot(page, '&plot=parallel&color=base_model_id');
    await page.getByRole('checkbox', { name: /Compare all/ }).check();
    await page.getByRole('tab', { name: /^Compare/ }).click();
    const compared = page.getByRole('figure', { name: 'Compared candidates' });
    await compared.getByRole('combobox', { name: 'Colour by' }).selectOption('Status');
    await expect(compared.getByRole('list', { name: 'Colours by Status' }).getByText('done')).toBeVisible();
    await page
      .getByRole('treeitem', { name: /Snapshot/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Recommendations' }).click();
    await page.getByRole('button', { name: 'Parallel plot' }).click();
    const candidates = page.getByRole('figure', { name: 'Candidates of this recommendation' });
    await candidates.getByRole('combobox', { name: 'Colour by' }).selectOption('learning_rate_multiplier');
    await expect(candidates.getByRole('list', { name: 'Colours by Learning rate' })).toContainText('log');
  });
});
