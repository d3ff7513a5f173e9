// Formulas in answers: shown as MathML once complete, as typed where they can't be, and hostile ones lead to nothing.
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectAccessible, run, say, toPane } from './steps.ts';

/** The remote studio's echo quotes the message in bold: what stands between is read as markdown of its own. */
const quoted = (...paragraphs: readonly string[]): string => ['x**', ...paragraphs, '**y'].join('\n\n');

async function open(page: Page, origin: string, model = 'echo'): Promise<{ readonly asked: string[] }> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${origin}/?models=${encodeURIComponent(model)}`);
  return { asked };
}

const isFormulaCode = (url: string): boolean => /\/math/i.test(url);

test('formulas are shown as MathML, with their code loaded by the first of them; hostile ones lead to nothing', async ({
  gatewayPage: page,
  gateway,
}) => {
  const { asked } = await open(page, gateway.studio.origin);
  const answers = toPane(page, 1).getByRole('article');
  await say(page, 'No formula: from $5 to $6, `$x$`.');
  await expect(answers.last()).toContainText('from $5 to $6, $x$.');
  expect(asked.filter(isFormulaCode)).toEqual([]);

  await say(
    page,
    quoted(
      'The rate \\( \\eta_1 \\) and $\\frac{a}{b}$ for $5 and $6, `$c$`.',
      '\\[\n\\sum_{i=1}^{n} x_i\n+ b\n\\]',
      `$$ ${Array.from({ length: 60 }, (_, index) => `a_{${index}}`).join(' + ')} $$`,
      '$\\unknowncommand{x}$',
    ),
  );
  const math = answers.last().locator('math');
  await expect(math).toHaveCount(4);
  await expect(math.nth(0)).toHaveText(/^η1/);
  await expect(math.nth(1).locator('mfrac')).toHaveCount(1);
  await expect(math.nth(2)).toHaveAttribute('display', 'block');
  await expect(math.nth(2).locator('annotation')).toHaveText('\\sum_{i=1}^{n} x_i + b');
  await expect(answers.last()).toContainText('for $5 and $6, $c$.');
  await expect(answers.last().getByText('$\\unknowncommand{x}$', { exact: true })).toBeVisible();
  expect(asked.filter(isFormulaCode).length).toBeGreaterThan(0);

  // A wide one scrolls in a box of its own, which the keyboard reaches.
  const wide = answers.last().getByRole('group', { name: 'Formula' }).last();
  await wide.focus();
  await expect(wide).toBeFocused();
  expect(await wide.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeGreaterThan(100);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
    0,
  );
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => wide.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(toPane(page, 1));
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy answer' }).last().click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(
      'The rate \\( \\eta_1 \\) and $\\frac{a}{b}$ for $5 and $6, `$c$`.\n\n\\[\n\\sum_{i=1}^{n} x_i\n+ b\n\\]',
    );
  await test.step('hostile formulas make no link, no request, no look and no halt', async () => {
    const countWorkers = (): number => asked.filter((url) => /\/mathWorker/.test(url)).length;
    const endless = `$${'\\cancelto{a}{'.repeat(26)}x${'}'.repeat(26)}$`;
    const hostile = [
      '$\\href{https://evil.example}{x}$',
      '$\\includegraphics{https://evil.example/i.png}$',
      '$\\style{position:fixed;inset:0}{x}$',
      '$\\class{fixed}{x}$',
      '$\\def\\a{\\a\\a}\\a$',
      `$${'\\sqrt{'.repeat(60)}x${'}'.repeat(60)}$`,
      endless,
    ];
    const workers = countWorkers();
    await run(page, quoted('$\\alpha_1$', ...hostile, '$\\beta_2$'));
    const answer = answers.last();
    await expect(answers).toHaveCount(3);
    // What takes for ever is given up, and what stands behind it is shown all the same.
    await expect(answer.locator('math').filter({ hasText: 'β' })).toBeVisible({ timeout: 20_000 });
    await expect(answer.locator('math').filter({ hasText: 'α' })).toBeVisible();
    for (const source of hostile) await expect(answer.getByText(source, { exact: true })).toBeVisible();
    expect(
      await answer.locator('.md a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://example.com/path?q=1', 'https://example.com/pixel.png']);
    await expect(answer.locator('.md :is(img, [style], [id], .fixed, math [class]:not([class^="mm-"]))')).toHaveCount(
      0,
    );
    expect(countWorkers()).toBeGreaterThan(workers);
    expect(asked.filter((url) => !url.startsWith(gateway.studio.origin))).toEqual([]);
  });
});
