// Forced colours (high contrast): backgrounds and shadows are taken away, so states and keys must be told by other
// means.
import type { Locator, Page } from '@playwright/test';
import { expectPlotRead, goToTable } from './experimentsPage.ts';
import { expect, openHome, test } from './fixtures.ts';

test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

/** What of an element's look tells a state. */
const PROPERTIES = [
  'background-color',
  'color',
  'border-bottom-color',
  'outline-style',
  'outline-color',
  'opacity',
] as const;

const readLook = (part: Locator): Promise<Record<string, string>> =>
  part.evaluate(
    (element, names) => {
      const style = getComputedStyle(element);
      return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]));
    },
    [...PROPERTIES],
  );

/** A system colour or a token as this page has it. */
const readColor = (page: Page, color: string): Promise<string> =>
  page.evaluate((value) => {
    const probe = document.createElement('i');
    probe.style.cssText = `forced-color-adjust: none; background: ${value}`;
    document.body.append(probe);
    const read = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return read;
  }, color);

const background = async (part: Locator): Promise<string | undefined> => (await readLook(part))['background-color'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('states look different, keys keep their colours, plots their axes', async ({ studioPage: page }) => {
      await openHome(page);
      const highlight = await readColor(page, 'Highlight');
      await test.step('what is selected, current, pressed, pointed at, focused or disabled', async () => {
        expect(highlight).not.toBe(await readColor(page, 'Canvas'));

        const rows = page.getByRole('treeitem');
        await rows.first().click();
        await page.getByRole('heading', { level: 1 }).first().hover();
        const [selected, other] = [rows.first(), rows.nth(1)];
        await expect(selected).toHaveAttribute('aria-selected', 'true');
        expect(await background(selected)).toBe(highlight);
        expect(await background(other)).not.toBe(highlight);
        expect((await readLook(other))['outline-style']).toBe('none');
        await other.hover();
        expect((await readLook(other))['outline-style']).toBe('solid');

        const tabs = page.getByRole('tablist', { name: 'Views of the selected node' }).getByRole('tab');
        const edges = await Promise.all(
          (await tabs.all()).map(async (tab) => (await readLook(tab))['border-bottom-color']),
        );
        const current = await tabs.evaluateAll((all) =>
          all.findIndex((tab) => tab.getAttribute('aria-selected') === 'true'),
        );
        expect(edges.filter((edge) => edge === edges[current])).toHaveLength(1);
        expect(edges[current]).toBe(highlight);

        for (const name of ['Chat', 'Grid']) {
          await page.getByRole('button', { name, exact: true }).click();
          expect(await background(page.getByRole('button', { name, exact: true, pressed: true }))).toBe(highlight);
          expect(
            await background(
              page.getByRole('button', { name: name === 'Chat' ? 'Grid' : 'Chat', exact: true, pressed: false }),
            ),
          ).not.toBe(highlight);
        }
        await page.getByRole('button', { name: 'Chat', exact: true }).click();
        const panel = page.getByRole('button', { name: 'Tree panel' });
        expect(await background(panel)).toBe(highlight);
        await panel.hover();
        expect(await readLook(page.getByRole('tooltip'))).toMatchObject({
          color: await readColor(page, 'Canvas'),
          'background-color': await readColor(page, 'CanvasText'),
        });
        await panel.click();
        expect(await background(panel)).not.toBe(highlight);
        await panel.click();
        await expect(rows.first()).toBeVisible();

        const run = page.getByRole('button', { name: 'Run', exact: true });
        await expect(run).toHaveAttribute('aria-disabled', 'true');
        expect(await readLook(run)).toMatchObject({ color: await readColor(page, 'GrayText'), opacity: '1' });
        await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
        await expect(run).not.toHaveAttribute('aria-disabled', 'true');
        expect(await readLook(run)).toMatchObject({
          color: await readColor(page, 'HighlightText'),
          'background-color': highlight,
        });

        // The slider takes its own ring off, for one around the thumb that the system's slider doesn't have.
        const slider = page.getByRole('slider', { name: 'Temperature' });
        await slider.press('ArrowRight');
        expect((await readLook(slider))['outline-style']).toBe('solid');
      });
      await test.step('in lists, the row that Enter would choose', async () => {
        await page.getByRole('button', { name: 'Panel sizes' }).press('Enter');
        const items = page.getByRole('menuitemradio');
        await expect(items.first()).toBeVisible();
        await page.keyboard.press('ArrowDown');
        await expect(page.locator('[role^=menuitem][data-highlighted]')).toHaveCount(1);
        const looks = await page
          .locator('[role^=menuitem]')
          .evaluateAll((all) => all.map((item) => getComputedStyle(item).backgroundColor));
        expect(looks.filter((look) => look === highlight)).toHaveLength(1);
        await page.keyboard.press('Escape');

        const model = page.getByRole('region', { name: 'Pane 1' }).getByRole('combobox').first();
        await model.click();
        await model.press('ArrowDown');
        const offered = page.getByRole('listbox', { name: 'Model' }).getByRole('option');
        await expect(offered.and(page.locator('[aria-selected=true]'))).toHaveCount(1);
        const backgrounds = await offered.evaluateAll((all) =>
          all.map((option) => getComputedStyle(option).backgroundColor),
        );
        expect(backgrounds.filter((each) => each === highlight)).toHaveLength(1);
      });
      await test.step('colours that are a key keep theirs, and plots keep their axes', async () => {
        await goToTable(page, '&color=last_loss');
        await expectPlotRead(page);
        const figure = page.getByRole('figure', { name: /Runs as/ });
        const ramp = await figure
          .getByRole('list', { name: 'Colours by last_loss' })
          .locator('[style*="--n"]')
          .evaluateAll((steps) => steps.map((step) => getComputedStyle(step).backgroundColor));
        expect(ramp).toEqual(
          await Promise.all([1, 2, 3, 4, 5, 6, 7].map((step) => readColor(page, `var(--n${step})`))),
        );
        expect(new Set(ramp).size).toBe(7);

        const ink = await readColor(page, 'CanvasText');
        const end = figure.getByRole('slider', { name: /, highest$/ }).first();
        // What is seen of it: the mark on the axis.
        const mark = end.locator('xpath=following-sibling::*[1]');
        expect(await background(mark)).toBe(ink);
        expect(await background(figure.locator('span.w-px').first())).toBe(ink);
        await end.press('ArrowDown');
        expect(await background(mark)).toBe(await readColor(page, 'Highlight'));
        await end.press('Escape');

        const bars = await page
          .getByRole('treeitem')
          .first()
          .locator('span[style*="width"]')
          .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
        expect(bars).toEqual(
          await Promise.all(['--ok', '--run', '--bad', '--off'].map((token) => readColor(page, `var(${token})`))),
        );

        await page.getByRole('checkbox', { name: /Compare all/ }).check();
        const swatch = page.getByRole('row', { selected: true }).first().locator('th span[aria-hidden]');
        expect(await background(swatch)).toBe(await readColor(page, 'var(--s1)'));
        expect((await readLook(swatch))['outline-style']).toBe('solid');
        await page.getByRole('tab', { name: /^Compare/ }).click();
        const heads = page.getByRole('columnheader').locator('[class*="bg-s"]');
        await expect(heads.nth(1)).toBeVisible();
        // The best run stands first, whatever its place in the table.
        const colors = await Promise.all([0, 1].map((place) => background(heads.nth(place))));
        expect(colors).toContain(await readColor(page, 'var(--s1)'));
        expect(colors).toContain(await readColor(page, 'var(--s2)'));
      });
    });
  });
}
