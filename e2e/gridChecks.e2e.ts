// The prompt grid in a real browser: answers that are opened, figures of its columns, the worker that checks answers.
import { expect, test } from './fixtures.ts';
import { openGrid, openNewGrid, readRows, showRows } from './gridPage.ts';

/** The first row's answer keeps a pattern for ever. */
const toRow = (at: number): string =>
  `Say ${at === 0 ? `${'a'.repeat(40)}!` : `word ${at}`},${at % 9 === 0 ? '' : `word ${at}`}`;

test('answers open and stay open; figures of a column are never cut off', async ({ gatewayPage: page, gateway }) => {
  await test.step('a double click, and a click with Enter, open an answer and leave it open; long names, narrow windows', async () => {
    await openGrid(page, gateway.studio.origin, 'echo');
    await readRows(page, Array.from({ length: 40 }, (_, at) => `Say ${at}`).join('\n'));
    await page.getByRole('button', { name: 'Use these rows' }).click();
    const dialog = page.getByRole('dialog', { name: /^Row \d+/ });
    // From the first row to the last on show: some lie under Close, the backdrop or a button of the dialog.
    const cells = page.getByRole('gridcell', { name: /^not run/ });
    const shown = await cells.count();
    for (let at = 0; at < Math.min(shown, 10); at += 1) {
      await cells.nth(at).dblclick();
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    }
    await cells.first().click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('region', { name: 'Messages' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();

    await test.step('a long name of a grid stays in the window', async () => {
      await page.getByRole('button', { name: /^Grids, open/ }).click();
      await page
        .getByRole('dialog', { name: 'Grids' })
        .getByRole('button', { name: /^Rename / })
        .click();
      const name = page.getByRole('textbox', { name: 'Name' });
      await name.fill('W'.repeat(200));
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page
        .getByRole('dialog', { name: 'Grids' })
        .getByRole('button', { name: 'Close', exact: true })
        .first()
        .click();
      const bar = page.getByRole('button', { name: /^Rename W+$/ });
      await expect(bar).toBeInViewport({ ratio: 1 });
      await expect(bar).toHaveAttribute('title', 'W'.repeat(200));
    });

    await test.step('an open answer and the rows on show stay when the window turns narrow', async () => {
      const filter = page.getByRole('combobox', { name: 'Rows shown' });
      await page.getByRole('searchbox', { name: 'Find in prompts and answers' }).fill('Say 17');
      await page
        .getByRole('gridcell', { name: /^not run/ })
        .first()
        .click();
      const row = page.getByRole('dialog', { name: /^Row 18/ });
      await expect(row).toBeVisible();
      await page.setViewportSize({ width: 800, height: 800 });
      await expect(page.getByRole('tab', { name: 'Playground', includeHidden: true })).toHaveAttribute(
        'aria-selected',
        'true',
      );
      await expect(row).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
      await showRows(page, 'No answer · 0');
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByRole('button', { name: 'Grid', exact: true }).click();
      await expect(filter).toHaveValue('failed');
    });
  });
  await test.step('figures of a column are never cut off, and rows keep their places beneath', async () => {
    const count = 27;
    await page.setViewportSize({ width: 1440, height: 900 });
    await openNewGrid(page, 'echo,stream:2:0,missing');
    await readRows(page, `question,expected\n${Array.from({ length: count }, (_, at) => toRow(at)).join('\n')}\n`);
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await page.getByRole('button', { name: 'Checks' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('contains');
    await page.getByRole('button', { name: 'Run grid' }).click();
    await expect(page.getByRole('columnheader', { name: /^echo .* of 24 .*3 not checked/ })).toBeVisible({
      timeout: 60_000,
    });
    await expect(
      page.getByRole('columnheader', { name: /^stream:2:0 0 % .*−24 rows vs\. column 1 \(p < 0\.001\)/ }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Checks' }).click();
    const grid = page.getByRole('grid');
    for (const width of [340, 800, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      if (width < 1000) await page.getByRole('tab', { name: 'Playground' }).click();
      // Where there is little room an answer is still seen beside its prompt.
      if (width === 340)
        await expect(grid.getByRole('columnheader', { name: /^echo/ })).toBeInViewport({ ratio: 0.95 });
      const cut = () =>
        grid
          .getByRole('columnheader')
          .evaluateAll((heads) =>
            heads.flatMap((head) =>
              [...head.querySelectorAll('[title]')]
                .filter(
                  (figure) =>
                    figure.scrollWidth > figure.clientWidth ||
                    figure.getBoundingClientRect().bottom > head.getBoundingClientRect().bottom,
                )
                .map((figure) => figure.textContent),
            ),
          );
      await expect.poll(cut, `${width} px`).toEqual([]);
      const height = () =>
        grid.evaluate(
          (table) =>
            table.getBoundingClientRect().height - (table.querySelector('thead')?.getBoundingClientRect().height ?? 0),
        );
      await expect.poll(height, `${width} px`).toBe(count * 88);
    }
    await expect(
      grid.getByTitle(/^−24 rows vs\. column 1 \(p < 0\.001\)\. 24 rows checked in both columns/),
    ).toBeVisible();
    await test.step('a pattern that never ends does not stop the page', async () => {
      await page.getByRole('button', { name: 'Checks' }).click();
      await page.getByRole('combobox', { name: 'Answer' }).selectOption('regex');
      await page.getByRole('textbox', { name: 'Pattern' }).fill('(a+)+$|word');
      await page.keyboard.press('Enter');
      await expect(
        page.getByRole('columnheader', { name: /^echo .*of 26 checked answers.*1 not checked/ }),
      ).toBeVisible({
        timeout: 30_000,
      });
    });
  });
});
