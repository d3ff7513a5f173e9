// Long answers while they stream and afterwards: nothing is lost, the end is followed, far parts leave the document.
import type { Locator, Page } from '@playwright/test';
import { makeDocument, toLetters } from './bench/streamingDocument.ts';
import { expect, goTo, test } from './fixtures.ts';

const toPane = (page: Page): Locator => page.getByRole('region', { name: 'Pane 1', exact: true });
/** Where the conversation scrolls. */
const scrollerOf = (page: Page): Locator =>
  toPane(page)
    .locator('.overflow-y-auto')
    .filter({ has: page.getByRole('article') })
    .first();

/** Asks a model in a session of its own. */
async function run(page: Page, model: string): Promise<void> {
  await goTo(page, `?models=${encodeURIComponent(model)}`);
  // A session that begins before the page has followed its address takes the models of the one before.
  await expect(toPane(page).getByRole('combobox', { name: 'Model' })).toHaveValue(model);
  if ((await page.getByRole('article').count()) > 0) await page.keyboard.press('Alt+Shift+N');
  await expect(page.getByRole('article')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Message' }).fill('Write a long report.');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

const toEnd = (element: Element): number => element.scrollHeight - element.scrollTop - element.clientHeight;

/** What a reader sees of the answer, without the labels of its code blocks. */
const readShown = (page: Page): Promise<string> =>
  page
    .locator('.md')
    .last()
    .evaluate((root) => {
      const copy = root.cloneNode(true) as Element;
      for (const label of copy.querySelectorAll('.md-code-head')) label.remove();
      return copy.textContent ?? '';
    });

test('long answers: shown whole, kept near, followed; code is coloured and copied', async ({ gatewayPage: page }) => {
  await test.step('a long answer that comes all at once is shown to its last word, and then as a whole', async () => {
    await run(page, 'document:8000:0');
    const text = makeDocument(8000);
    await expect
      .poll(() => readShown(page).then((shown) => toLetters(shown).endsWith(toLetters(text).slice(-200))))
      .toBe(true);
    await expect.poll(() => scrollerOf(page).evaluate(toEnd)).toBeLessThan(2);
    // What was passed over is put into the document when there is time, so that the browser finds text in it.
    await expect.poll(() => readShown(page).then((shown) => toLetters(shown) === toLetters(text))).toBe(true);
    await expect.poll(() => scrollerOf(page).evaluate(toEnd)).toBeLessThan(2);
  });
  await test.step('a very long answer keeps only what is near in the document, and all of it within reach', async () => {
    await run(page, 'document:100000:0');
    const text = makeDocument(100_000);
    await expect
      .poll(() => readShown(page).then((shown) => toLetters(shown).endsWith(toLetters(text).slice(-200))), {
        timeout: 30_000,
      })
      .toBe(true);
    await expect(page.locator('.md')).not.toHaveAttribute('data-live');
    expect((await readShown(page)).length).toBeLessThan(text.length / 4);
    await scrollerOf(page).evaluate((element) => element.scrollTo({ top: 0 }));
    await expect(page.getByRole('heading', { name: /^Section 1: / })).toBeInViewport();
    await scrollerOf(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
    await expect(
      page
        .locator('.md-page')
        .filter({ hasText: /Section [1-9]\d\d: / })
        .first(),
    ).toBeAttached();
    await scrollerOf(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect
      .poll(() => readShown(page).then((shown) => toLetters(shown).endsWith(toLetters(text).slice(-200))))
      .toBe(true);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy answer' }).last().click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  });
  await test.step('the end is followed until the reader scrolls up, and again when asked to', async () => {
    await run(page, 'document:60000:600');
    const scroller = scrollerOf(page);
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBeGreaterThan(600);
    await scroller.hover();
    await page.mouse.wheel(0, -400);
    const more = page.getByRole('button', { name: 'New text below' });
    await expect(more).toBeVisible();
    const top = await scroller.evaluate((element) => element.scrollTop);
    const height = await scroller.evaluate((element) => element.scrollHeight);
    await expect.poll(() => scroller.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height + 400);
    expect(Math.abs((await scroller.evaluate((element) => element.scrollTop)) - top)).toBeLessThan(2);
    await more.click();
    await expect(more).toBeHidden();
    await expect.poll(() => scroller.evaluate(toEnd)).toBeLessThan(40);
    await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  });
  await test.step('complete code gets its colours, and is copied as it was written', async () => {
    await run(page, 'echo');
    await expect(page.locator('.md-code .md-string')).toHaveText('"hello"');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy code' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('print("hello")');
  });
});
