// Forced colours (high contrast): backgrounds and shadows are taken away, so states and keys must be told by other
// means.
import type { Locator, Page } from '@playwright/test';
import { expectPlotRead, goToTable } from './experimentsPage.ts';
import { expect, openHome, test } from './fixtures.ts';
import { setTheme } from './steps.ts';

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

/** The page takes on both themes, one after the other, and is looked at in each. It is left in the light one. */
async function inBothThemes(page: Page, look: () => Promise<void>): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await setTheme(page, colorScheme);
    await test.step(colorScheme, look);
  }
}

const readHighlight = (page: Page): Promise<string> => readColor(page, 'Highlight');

test('in both themes states look different, keys keep their colours, plots their axes', async ({
  studioPage: page,
}) => {
  await openHome(page);
  await test.step('what is selected, current, pressed, pointed at, focused or disabled', async () => {
    const rows = page.getByRole('treeitem');
    await rows.first().click();
    await page.getByRole('heading', { level: 1 }).first().hover();
    const [selected, other] = [rows.first(), rows.nth(1)];
    await expect(selected).toHaveAttribute('aria-selected', 'true');
    const tabs = page.getByRole('tablist', { name: 'Views of the selected node' }).getByRole('tab');
    const current = await tabs.evaluateAll((all) =>
      all.findIndex((tab) => tab.getAttribute('aria-selected') === 'true'),
    );
    await inBothThemes(page, async () => {
      const highlight = await readHighlight(page);
      expect(highlight).not.toBe(await readColor(page, 'Canvas'));
      expect(await background(selected)).toBe(highlight);
      expect(await background(other)).not.toBe(highlight);
      expect((await readLook(other))['outline-style']).toBe('none');
      const edges = await Promise.all(
        (await tabs.all()).map(async (tab) => (await readLook(tab))['border-bottom-color']),
      );
      expect(edges.filter((edge) => edge === edges[current])).toHaveLength(1);
      expect(edges[current]).toBe(highlight);
    });
    await other.hover();
    await inBothThemes(page, async () => expect((await readLook(other))['outline-style']).toBe('solid'));

    for (const [name, off] of [
      ['Grid', 'Chat'],
      ['Chat', 'Grid'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      const pressed = page.getByRole('button', { name, exact: true, pressed: true });
      await expect(pressed).toBeVisible();
      await inBothThemes(page, async () => {
        const highlight = await readHighlight(page);
        expect(await background(pressed)).toBe(highlight);
        expect(await background(page.getByRole('button', { name: off, exact: true, pressed: false }))).not.toBe(
          highlight,
        );
      });
    }
    const panel = page.getByRole('button', { name: 'Tree panel' });
    await panel.hover();
    const tip = page.getByRole('tooltip');
    await expect(tip).toBeVisible();
    await inBothThemes(page, async () => {
      expect(await background(panel)).toBe(await readHighlight(page));
      expect(await readLook(tip)).toMatchObject({
        color: await readColor(page, 'Canvas'),
        'background-color': await readColor(page, 'CanvasText'),
      });
    });
    await panel.click();
    await expect(panel).toHaveAttribute('aria-pressed', 'false');
    await inBothThemes(page, async () => expect(await background(panel)).not.toBe(await readHighlight(page)));
    await panel.click();
    await expect(rows.first()).toBeVisible();

    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toHaveAttribute('aria-disabled', 'true');
    await inBothThemes(page, async () =>
      expect(await readLook(run)).toMatchObject({ color: await readColor(page, 'GrayText'), opacity: '1' }),
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await expect(run).not.toHaveAttribute('aria-disabled', 'true');
    await inBothThemes(page, async () =>
      expect(await readLook(run)).toMatchObject({
        color: await readColor(page, 'HighlightText'),
        'background-color': await readHighlight(page),
      }),
    );

    // The slider takes its own ring off, for one around the thumb that the system's slider doesn't have.
    const slider = page.getByRole('slider', { name: 'Temperature' });
    await slider.press('ArrowRight');
    await inBothThemes(page, async () => expect((await readLook(slider))['outline-style']).toBe('solid'));
  });
  await test.step('in lists, the row that Enter would choose', async () => {
    const countHighlighted = async (items: Locator): Promise<number> => {
      const highlight = await readHighlight(page);
      const looks = await items.evaluateAll((all) => all.map((item) => getComputedStyle(item).backgroundColor));
      return looks.filter((look) => look === highlight).length;
    };
    await page.getByRole('button', { name: 'Panel sizes' }).press('Enter');
    await expect(page.getByRole('menuitemradio').first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[role^=menuitem][data-highlighted]')).toHaveCount(1);
    await inBothThemes(page, async () => expect(await countHighlighted(page.locator('[role^=menuitem]'))).toBe(1));
    await page.keyboard.press('Escape');

    const model = page.getByRole('region', { name: 'Pane 1' }).getByRole('combobox').first();
    await model.click();
    await model.press('ArrowDown');
    const offered = page.getByRole('listbox', { name: 'Model' }).getByRole('option');
    await expect(offered.and(page.locator('[aria-selected=true]'))).toHaveCount(1);
    await inBothThemes(page, async () => expect(await countHighlighted(offered)).toBe(1));
  });
  await test.step('colours that are a key keep theirs, and plots keep their axes', async () => {
    await goToTable(page, '&color=last_loss&plot=parallel');
    await expectPlotRead(page);
    const figure = page.getByRole('figure', { name: /Runs as/ });
    const end = figure.getByRole('slider', { name: /, highest$/ }).first();
    // What is seen of it: the mark on the axis.
    const mark = end.locator('xpath=following-sibling::*[1]');
    await inBothThemes(page, async () => {
      const ramp = await figure
        .getByRole('list', { name: 'Colours by Training loss' })
        .locator('[style*="--scale-"]')
        .evaluateAll((steps) => steps.map((step) => getComputedStyle(step).backgroundColor));
      expect(ramp).toEqual(
        await Promise.all([1, 2, 3, 4, 5, 6, 7].map((step) => readColor(page, `var(--scale-${step})`))),
      );
      expect(new Set(ramp).size).toBe(7);

      const ink = await readColor(page, 'CanvasText');
      expect(await background(mark)).toBe(ink);
      expect(await background(figure.locator('span.w-px').first())).toBe(ink);

      const bars = await page
        .getByRole('treeitem')
        .first()
        .locator('span[style*="width"]')
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
      expect(bars).toEqual(
        await Promise.all(
          ['--success', '--running', '--error', '--neutral'].map((token) => readColor(page, `var(${token})`)),
        ),
      );
    });
    await end.press('ArrowDown');
    await inBothThemes(page, async () => expect(await background(mark)).toBe(await readHighlight(page)));
    await end.press('Escape');

    await page.getByRole('checkbox', { name: /Compare all/ }).check();
    const swatch = page.getByRole('row', { selected: true }).first().locator('th span[aria-hidden]');
    await inBothThemes(page, async () => {
      expect(await background(swatch)).toBe(await readColor(page, 'var(--series-1)'));
      expect((await readLook(swatch))['outline-style']).toBe('solid');
    });
    await page.getByRole('tab', { name: /^Compare/ }).click();
    const heads = page.getByRole('columnheader').locator('[class*="bg-series-"]');
    await expect(heads.nth(1)).toBeVisible();
    await inBothThemes(page, async () => {
      // The best run stands first, whatever its place in the table.
      const colors = await Promise.all([0, 1].map((place) => background(heads.nth(place))));
      expect(colors).toContain(await readColor(page, 'var(--series-1)'));
      expect(colors).toContain(await readColor(page, 'var(--series-2)'));
    });
  });
});
