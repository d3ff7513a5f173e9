// The far ends of streaming: eight panes at once, an answer of a million tokens, a conversation of 500 turns.
import { createHash } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { StartedStudio } from '../startStudio.ts';
import { makeDocument } from './streamingDocument.ts';
import { OURS, runInDashboard, toPath, writeMessage } from './streamingPages.ts';
import { addProbe, openMeter } from './streamingProbe.ts';
import { storeConversation } from './streamingSeed.ts';
import { amount } from './short.ts';

const VIEWPORT = { width: 1720, height: 960 };
const PANES = amount(8, 2);
const HUGE = amount(1_000_000, 10_000);
const TURNS = amount(500, 10);

async function openPage(browser: Browser, studio: StartedStudio, path: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: VIEWPORT })).newPage();
  await addProbe(page);
  await page.goto(studio.link);
  await page.goto(`${studio.origin}${path}`);
  return page;
}

const worst = (values: readonly number[]): number => Math.round(Math.max(0, ...values));

/** The product runs four streams at a time: a browser opens six connections per host. */
export async function measurePanes(browser: Browser, studio: StartedStudio): Promise<void> {
  const model = `document:${amount(2000, 100)}:200`;
  const page = await openPage(browser, studio, toPath(model, PANES));
  await writeMessage(page, PANES);
  const meter = await openMeter(page);
  await page.evaluate(() => window.probe.longTasks.splice(0));
  const before = await meter.busy();
  const started = performance.now();
  await runInDashboard(page, PANES);
  const wallMs = performance.now() - started;
  const busyMs = (await meter.busy()) - before;
  const longTasks = await page.evaluate(() => window.probe.longTasks);
  const share = Math.round((busyMs / wallMs) * 100);
  process.stdout.write(
    `  busy ${Math.round(busyMs)} ms of ${Math.round(wallMs)} ms (${share} %), tasks over 50 ms: ` +
      `${longTasks.length} (worst ${worst(longTasks)} ms)\n`,
  );
  await page.context().close();
}

export async function measureHuge(browser: Browser, studio: StartedStudio): Promise<void> {
  const model = `document:${HUGE}:0`;
  const page = await openPage(browser, studio, toPath(model));
  await writeMessage(page);
  const meter = await openMeter(page);
  await page.evaluate(() => window.probe.longTasks.splice(0));
  const atStart = await meter.memory();
  const before = await meter.busy();
  const started = performance.now();
  await runInDashboard(page);
  const wallMs = performance.now() - started;
  const busyMs = (await meter.busy()) - before;
  const longTasks = await page.evaluate(() => window.probe.longTasks);
  const atEnd = await meter.memory();
  const toTop = await page.evaluate(async () => {
    const from = performance.now();
    let box = document.querySelector('.md')?.parentElement ?? null;
    while (box && getComputedStyle(box).overflowY !== 'auto') box = box.parentElement;
    box?.scrollTo({ top: 0 });
    while (!document.querySelector('.md')?.textContent?.includes('Section 1:'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - from;
  });
  const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const isComplete = toHash(await OURS.read(page)) === toHash(makeDocument(HUGE));
  process.stdout.write(
    `  busy ${Math.round(busyMs)} ms of ${Math.round(wallMs)} ms, tasks over 50 ms: ${longTasks.length} (worst ` +
      `${worst(longTasks)} ms), text ${isComplete ? 'complete' : 'INCOMPLETE'}\n` +
      `  heap ${Math.round(atStart.heapMb)} -> ${Math.round(atEnd.heapMb)} MB, ${atStart.nodes} -> ` +
      `${atEnd.nodes} nodes, back at its top in ${Math.round(toTop)} ms\n`,
  );
  await page.context().close();
}

/** From asking for the page to the painted last answer, without and with a stored conversation. */
export async function measureTurns(browser: Browser, studio: StartedStudio): Promise<void> {
  const model = 'document:40:0';
  const page = await openPage(browser, studio, toPath(model));
  const open = async (
    letters: string,
  ): Promise<{ readonly shownMs: number; readonly longTasks: readonly number[] }> => {
    await page.reload({ waitUntil: 'commit' });
    const shownMs = await page.evaluate(async (wanted) => {
      const isShown = (): boolean =>
        document.querySelector('section[aria-label="Pane 1"]')?.textContent?.includes(wanted) ?? false;
      while (!isShown()) await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return performance.now();
    }, letters);
    return { shownMs, longTasks: await page.evaluate(() => window.probe.longTasks) };
  };
  await page.getByRole('region', { name: 'Pane 1' }).waitFor();
  const empty = await open('');
  await storeConversation(page, model, TURNS);
  await open(`End of answer ${TURNS / 2}`);
  for (let round = 0; round < amount(3, 1); round += 1) {
    const full = await open(`End of answer ${TURNS / 2}`);
    process.stdout.write(
      `  the page with ${TURNS} turns after ${Math.round(full.shownMs)} ms, an empty one after ` +
        `${Math.round(empty.shownMs)} ms; tasks over 50 ms: ${full.longTasks.length} (worst ` +
        `${worst(full.longTasks)} ms)\n`,
    );
  }
  await page.context().close();
}
