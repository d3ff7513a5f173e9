// What stands between a person and her decision, of two versions in turns: curves of 50 runs side by side, the overview of
// 500 runs, and the differences of two answers. Linux only.
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type Page, type Request } from '@playwright/test';
import type { CurveList, RunRoot } from '#features/runs/shared/runs.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toPath } from '#core/contract/path.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { openRemoteStudio } from '../remoteStudio.ts';
import { makeFolder } from '../startStudio.ts';
import { CATEGORIES, toTasks, type TraceEvent } from './liveRun.ts';
import { median } from './quantile.ts';
import { makeCurves } from './runsFolders.ts';
import { amount } from './short.ts';
import { startVersion, stopVersion, type Started } from './versions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = Number(process.env['ROUNDS'] ?? amount(5, 1));
const COMPARED = { runs: amount(50, 3), points: amount(5_000, 50), metrics: 20 };
const MANY = { runs: amount(500, 5), points: 20 };
const WORDS = amount(1_600, 160);
const SECRET = 'bench-secret';
const QUIET_MS = 1_500;
const LIMIT_MS = 40_000;

/** Losses come first, the others as a trainer with many terms names them. */
const METRICS = [
  'loss',
  'eval/loss',
  ...Array.from({ length: COMPARED.metrics - 2 }, (_, at) => `terms/part_${String(at).padStart(2, '0')}`),
];

interface Figures {
  /** From the press until nothing more is drawn. */
  readonly comparedMs: number;
  /** Processor time of the page's main thread for that. */
  readonly comparedBusyMs: number;
  readonly overviewMs: number;
  readonly overviewBusyMs: number;
  /** JavaScript's memory with all curves drawn, typed arrays included. */
  readonly heapMb: number;
  /** Processor time of the longest task, from the press until the differences are there. */
  readonly diffTaskMs: number;
}

const UNITS: Readonly<Record<keyof Figures, readonly [words: string, unit: string]>> = {
  comparedMs: [`curves of ${COMPARED.runs} runs x ${COMPARED.metrics} metrics x ${COMPARED.points} points drawn`, 'ms'],
  comparedBusyMs: ['  busy main thread', 'ms'],
  overviewMs: [`overview of ${MANY.runs} runs drawn`, 'ms'],
  overviewBusyMs: ['  busy main thread', 'ms'],
  heapMb: ['memory of the page with all these curves', 'MB'],
  diffTaskMs: [`longest task of the differences of two answers of ${WORDS} words`, 'ms'],
};

async function writeRuns(root: string, count: number, tags: readonly string[], points: number): Promise<void> {
  for (let run = 0; run < count; run += 1) {
    const folder = join(root, `sweep-${Math.floor(run / 50)}`, `run-${run}`, 'runs', 'Nov22_10-00-00_bench');
    mkdirSync(folder, { recursive: true });
    const file = createWriteStream(join(folder, `events.out.tfevents.${1_790_000_000 + run}.bench.${run + 1}.0`));
    for (const part of makeCurves(tags, points, run)) file.write(part);
    file.end();
    await once(file, 'finish');
  }
}

const listRuns = ({ id, type, children }: TreeNode): readonly string[] =>
  type === 'experiment' ? [id] : children.flatMap(listRuns);

/** Waits until the runs of a folder are read whole; its project. */
async function waitForRuns({ ask }: Started, path: string, { runs, points }: typeof MANY): Promise<string> {
  const deadline = Date.now() + LIMIT_MS * 2;
  for (;;) {
    const { roots } = await ask<{ roots: readonly RunRoot[] }>('GET', '/api/v1/studio/run-roots');
    const root = roots.find((each) => each.path === path)!;
    const { project } = await ask<{ project: TreeNode }>(
      'GET',
      toPath('/api/v1/public/projects/{projectId}', [root.id]),
    );
    const ids = listRuns(project);
    if (ids.length === runs) {
      const question = { runs: ids, names: ['loss'], points: 10 };
      const { curves } = await ask<CurveList>('POST', '/api/v1/studio/curves', question);
      if (curves.length === Math.min(400, runs) && curves.every(({ length }) => length === points)) return root.id;
    }
    if (Date.now() > deadline) throw new Error(`The runs in ${path} were not read.`);
    await sleep(500);
  }
}

declare global {
  interface Window {
    lastDrawn: number;
    strokes: number;
  }
}

interface Watched {
  readonly page: Page;
  /** Requests that are not answered whole; streams, which stay open, are not among them. */
  readonly open: ReadonlySet<Request>;
}

const DATA = /\/(?:curves|jobs?|finetuning|runs|projects|assets)\b/;

/** The page notes when it last drew a line or changed its document. */
async function openWatched(browser: Browser, link: string): Promise<Watched> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const open = new Set<Request>();
  page.on('request', (request) => DATA.test(request.url()) && open.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request));
  await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await page.addInitScript(() => {
    window.lastDrawn = 0;
    window.strokes = 0;
    const note = (): void => {
      window.lastDrawn = performance.now();
    };
    const { prototype } = CanvasRenderingContext2D;
    const stroke = prototype.stroke;
    prototype.stroke = function noted(...given: [path?: Path2D]) {
      window.strokes += 1;
      note();
      Reflect.apply(stroke, this, given);
    };
    const isOfView = ({ target }: MutationRecord): boolean =>
      (target instanceof Element ? target : target.parentElement)?.closest('[role=tabpanel]') != null;
    // The header's clock goes on.
    new MutationObserver((changes) => changes.some(isOfView) && note()).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.goto(link);
  await page.getByRole('treeitem').first().waitFor();
  await waitForQuiet({ page, open });
  return { page, open };
}

async function waitForQuiet({ page, open }: Watched): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    const stillMs = open.size > 0 ? 0 : await page.evaluate(() => performance.now() - window.lastDrawn);
    if (stillMs > QUIET_MS) return;
    if (Date.now() > deadline)
      throw new Error(`The page never rests. It waits for ${[...open].map((each) => each.url()).join()}.`);
    await sleep(100);
  }
}

interface Drawn {
  readonly ms: number;
  readonly busyMs: number;
}

/** From a change of the address until the page draws no more. `isThere`: a text that must be seen then. */
async function measureView(
  watched: Watched,
  change: Readonly<Record<string, string>>,
  isThere: string,
): Promise<Drawn> {
  const { page } = watched;
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const readBusy = async (): Promise<number> =>
    ((await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) *
    1000;
  const before = await readBusy();
  const began = await page.evaluate((patch) => {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(patch)) url.searchParams.set(name, value);
    const now = performance.now();
    history.pushState(null, '', url);
    dispatchEvent(new PopStateEvent('popstate'));
    return now;
  }, change);
  await page.locator(isThere).first().waitFor({ timeout: LIMIT_MS });
  await waitForQuiet(watched);
  const ended = await page.evaluate(() => window.lastDrawn);
  const busyMs = (await readBusy()) - before;
  await client.detach();
  return { ms: ended - began, busyMs };
}

async function readHeapMb(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.enable');
  await client.send('HeapProfiler.collectGarbage');
  const usage = (await client.send('Runtime.getHeapUsage')) as Readonly<Record<string, number>>;
  await client.detach();
  return ((usage['usedSize'] ?? NaN) + (usage['backingStorageSize'] ?? 0)) / 2 ** 20;
}

/** Every plot has been in view. */
async function scrollThrough(watched: Watched): Promise<void> {
  const { page } = watched;
  for (const name of METRICS) {
    const figure = page.getByRole('figure').filter({ has: page.locator('strong', { hasText: name }) });
    if (await figure.count()) await figure.first().scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 150);
    await sleep(50);
  }
  await waitForQuiet(watched);
}

async function measureDiff(browser: Browser, studio: Started): Promise<number> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const { origin } = new URL(studio.link);
  await page.goto(studio.link);
  await page.goto(`${origin}/?models=edited:${WORDS}:1,edited:${WORDS}:2`);
  const second = page.getByRole('region', { name: 'Pane 2', exact: true });
  await second.waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Write a report.');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('article[aria-busy=false]').nth(1).waitFor();
  await sleep(QUIET_MS);
  await second.getByRole('button', { name: 'Pane menu' }).click();
  const item = page.getByRole('menuitem', { name: 'Show differences from pane 1', exact: true });
  await item.waitFor();
  await sleep(500);
  await browser.startTracing(page, { categories: [...CATEGORIES] });
  await item.press('Enter');
  await second.getByText(/words? added/).waitFor({ state: 'attached' });
  await sleep(QUIET_MS);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  if ((await second.locator('ins').count()) < WORDS / 20) throw new Error('Some differences are not there.');
  await page.context().close();
  return Math.max(...toTasks(traceEvents).map(({ threadMs }) => threadMs));
}

interface Version {
  readonly folders: Started;
  readonly remote: Started;
  readonly compared: string;
  readonly many: string;
}

async function measureOnce(browser: Browser, { folders, remote, compared, many }: Version): Promise<Figures> {
  const watched = await openWatched(browser, `${folders.link}&project=${compared}&tab=overview`);
  const { page } = watched;
  const drawn = await measureView(watched, { tab: 'curves', metrics: METRICS.join() }, 'figure canvas');
  if ((await page.evaluate(() => window.strokes)) < COMPARED.runs) throw new Error('Not every run was drawn.');
  await scrollThrough(watched);
  const heapMb = await readHeapMb(page);
  await page.context().close();
  const other = await openWatched(browser, `${folders.link}&project=${compared}&tab=overview`);
  const overview = await measureView(other, { project: many, node: many }, 'h1:has-text("many"), h2:has-text("many")');
  await other.page.context().close();
  return {
    comparedMs: drawn.ms,
    comparedBusyMs: drawn.busyMs,
    overviewMs: overview.ms,
    overviewBusyMs: overview.busyMs,
    heapMb,
    diffTaskMs: await measureDiff(browser, remote),
  };
}

/** `BASELINE=/path/to/checkout` names the version beside ours: with node_modules and the dashboard built. */
export async function measureDecide(): Promise<void> {
  const baseline = process.env['BASELINE'];
  const checkouts = baseline === undefined ? [ROOT] : [baseline, ROOT];
  const folder = makeFolder('decide');
  const roots = { compared: join(folder, 'compared'), many: join(folder, 'many') };
  await writeRuns(roots.compared, COMPARED.runs, METRICS, COMPARED.points);
  await writeRuns(roots.many, MANY.runs, ['loss', 'eval/loss'], MANY.points);
  const remoteStudio = await openRemoteStudio({ token: SECRET, pollsUntilDone: 0 });
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const versions: Version[] = [];
  try {
    for (const [place, checkout] of checkouts.entries()) {
      const data = (name: string): string => join(folder, `${name}-${place}`);
      const folders = await startVersion(checkout, data('folders'), ['--runs', roots.compared]);
      const remote = await startVersion(checkout, data('remote'), ['--base-url', remoteStudio.url], {
        STUDIO_API_KEY: SECRET,
      });
      await folders.ask('POST', '/api/v1/studio/run-roots', { path: roots.many });
      const compared = await waitForRuns(folders, roots.compared, COMPARED);
      versions.push({ folders, remote, compared, many: await waitForRuns(folders, roots.many, MANY) });
    }
    const rounds: Figures[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const figures: Figures[] = [];
      for (const version of versions) figures.push(await measureOnce(browser, version));
      rounds.push(figures);
    }
    for (const [name, [words, unit]] of Object.entries(UNITS) as [keyof Figures, readonly [string, string]][]) {
      const each = versions.map((_, at) => rounds.map((figures) => figures[at]![name]));
      const [before, ours = before] = each.map((numbers) => median(numbers));
      const list = each.map((numbers) => numbers.map((number) => number.toFixed(0)).join(' ')).join(' | ');
      process.stdout.write(
        `${words}: ${ours!.toFixed(0)} ${unit}, baseline ${before!.toFixed(0)} ${unit}, ratio ${(ours! / before!).toFixed(2)} (${list})\n`,
      );
    }
  } finally {
    await browser.close();
    for (const { folders, remote } of versions) await Promise.all([stopVersion(folders), stopVersion(remote)]);
    await remoteStudio.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await measureDecide();
