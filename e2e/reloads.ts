// Reloads a page at chosen moments of its answers, and counts what had been painted and is not there again.
import type { Page } from '@playwright/test';

/** Short, middling and long, so that at one moment some have ended and others have not. */
const MODELS = ['stream:60:0', 'stream:80:300', 'stream:100:120'];

/** After a reload on a busy machine. */
const PATIENCE_MS = 20_000;

/** A small generator: the same seed gives the same moments. */
function openRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Reloads {
  readonly reloads: number;
  /** Those after which something was missing. */
  readonly withLoss: number;
  /** Letters and digits on the screen at the reloads. */
  readonly painted: number;
  readonly lost: number;
}

/** What of `before` is missing: all from the first difference on. */
function countLost(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return before.length - same;
}

/** Letters and digits of the last answer of each pane; marks of unfinished markdown come and go. */
function readPainted(): string[] {
  const panes = [...document.querySelectorAll('section[aria-label^="Pane "]')];
  return panes.map((pane) =>
    ([...pane.querySelectorAll('article')].at(-1)?.querySelector('.md')?.textContent ?? '').replaceAll(
      /[^\p{L}\p{N}]+/gu,
      '',
    ),
  );
}

async function openPanes(page: Page, origin: string): Promise<void> {
  // What tsx puts around named functions.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(`window.readPainted = ${readPainted.toString()};`);
  await page.goto(`${origin}/?models=${MODELS.join(',')}`);
  await page.getByRole('region', { name: `Pane ${MODELS.length}`, exact: true }).waitFor();
}

async function send(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

const waitForAnswers = (page: Page): Promise<unknown> =>
  page.waitForFunction((count) => {
    const articles = [...document.querySelectorAll('article')];
    return articles.length === count && articles.every((article) => article.getAttribute('aria-busy') === 'false');
  }, MODELS.length);

/** Has the page reload itself in the first frame in which so many letters are on the screen. */
const armReload = (page: Page, letters: number): Promise<void> =>
  page.evaluate((wanted) => {
    const look = (): void => {
      const texts = window.readPainted();
      if (texts.join('').length < wanted) return void requestAnimationFrame(look);
      // What is painted now, said in the very task that reloads.
      window.tellPainted(texts);
      location.reload();
    };
    requestAnimationFrame(look);
  }, letters);

declare global {
  interface Window {
    readPainted: () => string[];
    tellPainted: (texts: readonly string[]) => void;
  }
}

/**
 * Asks three models `rounds` times, in a session of its own each time, and reloads at a random moment of their answers.
 */
export async function countReloads(page: Page, origin: string, rounds: number, seed: number): Promise<Reloads> {
  const random = openRandom(seed);
  let take: (texts: readonly string[]) => void = () => undefined;
  await page.exposeBinding('tellPainted', (_source, texts: readonly string[]) => take(texts));
  await openPanes(page, origin);
  await send(page);
  await waitForAnswers(page);
  const whole = (await page.evaluate(() => window.readPainted())).join('').length;
  let [withLoss, painted, lost] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    await page.keyboard.press('Alt+Shift+N');
    await page.waitForFunction(() => document.querySelector('article') === null);
    const told = new Promise<readonly string[]>((resolve) => (take = resolve));
    // One in four waits for the last letter: what is whole is left at its most precious moment.
    await armReload(page, round % 4 === 3 ? whole : 1 + Math.floor(random() * whole));
    const loaded = page.waitForEvent('load');
    await send(page);
    const before = await told;
    await loaded;
    await page.getByRole('region', { name: `Pane ${MODELS.length}`, exact: true }).waitFor();
    // What is missing stays so; what only takes its time is waited for.
    const isThere = (texts: readonly string[]): boolean =>
      texts.every((text, at) => window.readPainted()[at]?.startsWith(text));
    await page.waitForFunction(isThere, before, { timeout: PATIENCE_MS }).catch(() => undefined);
    const after = await page.evaluate(() => window.readPainted());
    const missing = before.reduce((sum, text, at) => sum + countLost(text, after[at] ?? ''), 0);
    withLoss += missing > 0 ? 1 : 0;
    painted += before.join('').length;
    lost += missing;
  }
  return { reloads: rounds, withLoss, painted, lost };
}
