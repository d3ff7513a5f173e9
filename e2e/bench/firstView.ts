// First view: brotli bytes of JavaScript and CSS that a cold page loads until the tree can be used and until it is at rest,
// and when that is. `BASELINE=/path/to/checkout` names a version to measure in turns with ours: with node_modules.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { makeFolder, startStudio } from '../startStudio.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';
import { startVersion, stopVersion } from './versions.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface View {
  /** What the document itself names, until the tree can be used. */
  readonly firstKilobytes: number;
  /** Until tree, overview and playground are there. */
  readonly kilobytes: number;
  /** With the recommendations of a snapshot and their plot. */
  readonly plottedKilobytes: number;
  readonly files: number;
  /** When anything is painted, when the tree is there, the overview, and the results in it. */
  readonly paintedMs: number;
  readonly usableMs: number;
  readonly overviewMs: number;
  readonly answeredMs: number;
}

async function measure(page: Page, link: string): Promise<View> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  let firstBytes = 0;
  let files = 0;
  client.on('Network.requestWillBeSent', ({ requestId, type, initiator }) => {
    if ((type === 'Script' || type === 'Stylesheet') && initiator.type === 'parser') named.add(requestId);
  });
  const named = new Set<string>();
  client.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type !== 'Script' && type !== 'Stylesheet') return;
    // Bodies as compressed, without headers: they are what a bundle can do something about.
    const { 'content-length': length, 'content-encoding': encoding } = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (encoding !== 'br' && Number(length) > 2000) throw new Error(`${response.url} was not sent with brotli`);
    bytes += Number(length);
    if (named.has(requestId)) firstBytes += Number(length);
    files += 1;
  });
  const started = Date.now();
  await page.goto(link);
  await page.getByRole('treeitem').first().waitFor();
  const usableMs = Date.now() - started;
  const best = page.getByRole('region', { name: 'Best of each dataset' });
  await best.waitFor();
  const overviewMs = Date.now() - started;
  await best.getByText('100 %').first().waitFor();
  const answeredMs = Date.now() - started;
  await page.getByRole('region', { name: 'Pane 1' }).waitFor();
  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  );
  const kilobytes = bytes / 1000;
  const atRest = files;
  await page
    .getByRole('treeitem', { name: /^Snapshot 1/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Parallel plot' }).click();
  await page.getByRole('figure', { name: 'Candidates of this recommendation' }).waitFor();
  return {
    firstKilobytes: firstBytes / 1000,
    kilobytes,
    plottedKilobytes: bytes / 1000,
    files: atRest,
    paintedMs,
    usableMs,
    overviewMs,
    answeredMs,
  };
}

interface Opened {
  readonly link: string;
  readonly stop: () => Promise<unknown>;
}

async function openVersion(checkout: string): Promise<Opened> {
  const folder = makeFolder('view');
  const version = await startVersion(checkout, join(folder, 'data'), []);
  const stop = async () => {
    await stopVersion(version);
    rmSync(folder, { recursive: true, force: true });
  };
  return { link: version.link, stop };
}

const WORDS: Readonly<Record<keyof View, readonly [string, unit: string]>> = {
  firstKilobytes: ['JavaScript and CSS until the tree can be used, as transferred (brotli)', 'KB'],
  kilobytes: ['the same until the page is at rest', 'KB'],
  plottedKilobytes: ['the same with the plot of a recommendation', 'KB'],
  files: ['files until the page is at rest', ''],
  paintedMs: ['first paint', 'ms'],
  usableMs: ['tree usable', 'ms'],
  overviewMs: ['overview painted', 'ms'],
  answeredMs: ['overview with its answers', 'ms'],
};

/** Prints the first view's size and time; cold cache, CPU slowed down 4 times. */
export async function measureFirstView(): Promise<void> {
  const baseline = process.env['BASELINE'];
  const versions =
    baseline === undefined ? [await startStudio()] : [await openVersion(baseline), await openVersion(ROOT)];
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    const views: View[][] = versions.map(() => []);
    const rounds = amount(baseline === undefined ? 3 : 9, 1);
    for (let run = 0; run < rounds; run += 1) {
      for (const [place, { link }] of versions.entries()) {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        views[place]!.push(await measure(await context.newPage(), link));
        await context.close();
      }
    }
    for (const [name, [words, unit]] of Object.entries(WORDS) as [keyof View, readonly [string, string]][]) {
      const [before, ours = before] = views.map((each) => median(each.map((view) => view[name])));
      const beside =
        baseline === undefined ? '' : `, baseline ${before!.toFixed(0)} ${unit}, ${(ours! / before!).toFixed(2)} times`;
      process.stdout.write(`${words}: ${ours!.toFixed(1)} ${unit}${beside}\n`);
    }
    process.stdout.write(`median of ${rounds}, CPU slowed 4x\n`);
  } finally {
    await browser.close();
    for (const version of versions) await version.stop();
  }
}

if (process.argv[1] === import.meta.filename) await measureFirstView();
