// First view: brotli bytes of JavaScript and CSS that a cold page loads until it is at rest, and when it is usable.
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { startStudio } from '../startStudio.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

interface View {
  /** Until tree, overview and playground are there. */
  readonly kilobytes: number;
  /** With the recommendations of a snapshot and their plot. */
  readonly plottedKilobytes: number;
  readonly files: number;
  readonly usableMs: number;
  /** When the overview is painted; when it says which runs are best. */
  readonly paintedMs: number;
  readonly answeredMs: number;
}

async function measure(page: Page, link: string): Promise<View> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  let files = 0;
  client.on('Network.responseReceived', ({ type, response }) => {
    if (type !== 'Script' && type !== 'Stylesheet') return;
    // Bodies as compressed, without headers: they are what a bundle can do something about.
    const { 'content-length': length, 'content-encoding': encoding } = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    if (encoding !== 'br' && Number(length) > 2000) throw new Error(`${response.url} was not sent with brotli`);
    bytes += Number(length);
    files += 1;
  });
  const started = Date.now();
  await page.goto(link);
  await page.getByRole('treeitem').first().waitFor();
  const usableMs = Date.now() - started;
  const best = page.getByRole('region', { name: 'Best of each dataset' });
  await best.waitFor();
  const paintedMs = Date.now() - started;
  await best.getByText('100 %').first().waitFor();
  const answeredMs = Date.now() - started;
  await page.getByRole('region', { name: 'Pane 1' }).waitFor();
  const view = { kilobytes: bytes / 1000, files, usableMs, paintedMs, answeredMs };
  await page
    .getByRole('treeitem', { name: /^Snapshot 1/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Parallel plot' }).click();
  await page.getByRole('figure', { name: 'Candidates of this recommendation' }).waitFor();
  return { ...view, plottedKilobytes: bytes / 1000 };
}

/** Prints the first view's size and time; cold cache, CPU slowed down 4 times. */
export async function measureFirstView(): Promise<void> {
  const studio = await startStudio();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    const views: View[] = [];
    for (let run = 0; run < amount(3, 1); run += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      views.push(await measure(await context.newPage(), studio.link));
      await context.close();
    }
    const usable = median(views.map(({ usableMs }) => usableMs));
    const painted = median(views.map(({ paintedMs }) => paintedMs));
    const answered = median(views.map(({ answeredMs }) => answeredMs));
    process.stdout.write(
      `first view: ${views[0]?.kilobytes.toFixed(1)} KB JavaScript + CSS as transferred (brotli), ` +
        `${views[0]?.files} files, ` +
        `${views[0]?.plottedKilobytes.toFixed(1)} KB with the plot; ` +
        `tree usable after ${usable} ms, overview painted after ${painted} ms, ` +
        `${(painted / usable).toFixed(2)} times the tree's, with its answers after ${answered} ms, ` +
        `${(answered / usable).toFixed(2)} times (median of 3, CPU slowed 4x)\n`,
    );
  } finally {
    await browser.close();
    await studio.stop();
  }
}
