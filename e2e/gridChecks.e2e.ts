// What the prompt grid says of its answers, in a real browser: verdicts and their filters, figures that fit, retries,
// exact texts.
import { expect, test } from './fixtures.ts';
import { openGrid, readRows, saveAs, showRows } from './gridPage.ts';
import { expectAccessible } from './steps.ts';

const toCsv = (count: number, toExpected: (at: number) => string): string =>
  `question,expected\n${Array.from({ length: count }, (_, at) => `Say word ${at},${toExpected(at)}`).join('\n')}\n`;

test('a row without an expected answer is not checked, and is found apart from those that did not pass', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await readRows(
    page,
    toCsv(6, (at) => (at < 2 ? '' : at < 3 ? 'nothing' : `word ${at}`)),
  );
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByText('6 of 6')).toBeVisible();
  const filters = page.getByRole('combobox', { name: 'Rows shown' });
  await expect(filters.getByRole('option', { name: /^Not / })).toHaveCount(0);
  await page.getByRole('button', { name: 'Checks' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const kind = page.getByRole('combobox', { name: 'Answer' });
  for (const [name, rate] of [
    ['contains', /^echo 75 % \(30–95\), 3 of 4/],
    ['equals', /^echo 0 % \(0–49\), 0 of 4/],
  ] as const) {
    await kind.selectOption(name);
    await expect(page.getByRole('columnheader', { name: rate })).toBeVisible();
    await expect(filters.getByRole('option', { name: 'Not checked · 2' })).toBeAttached();
  }
  await expect(filters.getByRole('option', { name: 'Not passed · 4' })).toBeAttached();
  await showRows(page, 'Not checked · 2');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '3');
  await expect(page.getByRole('gridcell', { name: 'none', exact: true })).toHaveCount(2);
  await expectAccessible(page.getByRole('grid'));
  await page
    .getByRole('gridcell', { name: /^not checked/ })
    .first()
    .click();
  await expect(
    page.getByRole('dialog').getByText('The row’s expected answer is empty, which counts as none.', { exact: false }),
  ).toBeVisible();
});

test('Retry asks for what failed, and leaves a paused grid paused', async ({ gatewayPage: page, gateway }) => {
  await openGrid(page, gateway.studio.origin, 'missing,stream:60:40');
  await readRows(
    page,
    toCsv(40, () => ''),
  );
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await page.getByRole('button', { name: 'Run grid' }).click();
  await expect(page.getByRole('gridcell', { name: /^no answer/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const resume = page.getByRole('button', { name: /^Resume, \d+ left$/ });
  await expect(resume).toBeVisible();
  // What was on its way comes to its end first.
  await expect.poll(() => gateway.remote.running()).toBe(0);
  await expect(page.getByRole('gridcell', { name: /^asking/ })).toHaveCount(0);
  const retry = page.getByRole('button', { name: /^Retry \d+ cells?$/ });
  await expect(retry).toBeEnabled();
  const left = (await resume.textContent()) ?? '';
  const failed = Number(/\d+/.exec((await retry.textContent()) ?? '')?.[0]);
  const asked = gateway.remote.requests.length;
  await retry.click();
  await expect
    .poll(() => gateway.remote.requests.slice(asked).filter(({ path }) => path.endsWith('/chat/completions')).length)
    .toBe(failed);
  await expect(resume).toHaveText(left);
});

test('figures of a column are never cut off, and rows keep their places beneath', async ({
  gatewayPage: page,
  gateway,
}) => {
  const count = 27;
  await openGrid(page, gateway.studio.origin, 'echo,stream:2:0,missing');
  await readRows(
    page,
    toCsv(count, (at) => (at % 9 === 0 ? '' : `word ${at}`)),
  );
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
});

test('rows that leave and come back: texts that are not exact in a table, answers that go with their rows', async ({
  gatewayPage: page,
  gateway,
}) => {
  await openGrid(page, gateway.studio.origin, 'echo');
  await test.step('a table says which texts are not exact in it, and is read back as they were', async () => {
    const notice = page.getByText(/beginning with = \+ - or @ got an apostrophe/);
    await readRows(page, 'question,expected\nSay a,-1\nSay b,+5\n');
    await page.getByRole('button', { name: 'Use these rows' }).click();
    expect(await saveAs(page, /^CSV, 2 rows$/)).toContain(',Say a,-1,');
    await expect(page.getByText('grid.csv saved', { exact: true })).toBeVisible();
    await expect(notice).toHaveCount(0);
    await readRows(page, 'question,expected\nSay a,=1+1\nSay b,-1\n');
    await page.getByRole('button', { name: 'Replace 2 rows' }).click();
    const csv = await saveAs(page, /^CSV, 2 rows$/);
    expect(csv).toContain(",Say a,'=1+1,");
    await expect(notice).toContainText('1 text beginning');
    await readRows(page, csv);
    await expect(page.getByText(/^First row: .* → =1\+1$/)).toBeVisible();
  });
  await test.step('rows that take many answers away are replaced only when that is meant', async () => {
    await page.getByRole('textbox', { name: 'Rows' }).fill(toCsv(6, () => ''));
    await page.getByRole('button', { name: 'Replace 2 rows' }).click();
    await page.getByRole('button', { name: 'Run grid' }).click();
    await expect(page.getByText('6 of 6')).toBeVisible();
    await readRows(page, 'Say a\nSay b');
    const replace = page.getByRole('button', { name: 'Replace 6 rows' });
    const asks = page.getByRole('dialog', { name: 'Replace 6 rows?' });
    await replace.click();
    await expect(asks).toContainText('This also removes 6 answers.');
    await expectAccessible(asks);
    await page.keyboard.press('Escape');
    await expect(asks).toHaveCount(0);
    await expect(replace).toBeFocused();
    await replace.click();
    await asks.getByRole('button', { name: 'Replace, and remove 6 answers' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('0 of 2')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(page.getByText('6 of 6')).toBeVisible();
  });
});
