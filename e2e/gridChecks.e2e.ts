// Figures of the prompt grid's columns, and the worker that checks answers, in a real browser.
import { expect, test } from './fixtures.ts';
import { openGrid, readRows } from './gridPage.ts';

/** The first row's answer keeps a pattern for ever. */
const toRow = (at: number): string =>
  `Say ${at === 0 ? `${'a'.repeat(40)}!` : `word ${at}`},${at % 9 === 0 ? '' : `word ${at}`}`;

test('figures of a column are never cut off, and rows keep their places beneath', async ({
  gatewayPage: page,
  gateway,
}) => {
  const count = 27;
  await openGrid(page, gateway.studio.origin, 'echo,stream:2:0,missing');
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
    if (width === 340) await expect(grid.getByRole('columnheader', { name: /^echo/ })).toBeInViewport({ ratio: 0.95 });
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
    await expect(page.getByRole('columnheader', { name: /^echo .*26 of 26 .*1 not checked/ })).toBeVisible({
      timeout: 30_000,
    });
  });
});
