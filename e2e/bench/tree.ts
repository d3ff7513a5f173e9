// The tree at 100,000 nodes, in one run: ours, a flat list with @tanstack/react-virtual (the practical limit), and
// react-arborist given the whole data. Each page is opened anew for each round; figures are medians over the rounds.
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { REMOTE_IDS } from '../remoteTree.ts';
import { installTreeProbe, type Action } from './treeProbe.ts';
import { openTreeServer, TREE_PATH, type TreeServer } from './treeServer.ts';
import { amount, isShort } from './short.ts';

const NODES = 100_000;

type Target = 'ours' | 'flat' | 'arborist';
const TARGETS: readonly Target[] = ['ours', 'flat', 'arborist'];
const ROUNDS = amount(3, 1);

/** Name of a figure -> its values, in milliseconds unless the name says otherwise. */
type Figures = Map<string, number[]>;

async function measureRound(
  browser: Browser,
  server: TreeServer,
  target: Target,
  isFirst: boolean,
  add: (name: string, value: number) => void,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  // tsx names functions through this helper, which a page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await context.addInitScript(installTreeProbe, TREE_PATH);
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  const both = (name: string, { ms, worstTask }: Action): void => {
    add(name, ms);
    add(`${name}: longest task`, worstTask);
  };
  try {
    await page.goto(`${server.url}/${target}?project=${REMOTE_IDS.largeProject}`);
    const load = await page.evaluate(() => window.treeProbe.load());
    both('usable after the last byte', load);
    add('usable after the request', load.sinceRequest);
    add('tasks over 50 ms while loading (number)', load.longTasks);
    // Whatever the page prepares while nobody waits.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    both('toggle', await page.evaluate(() => window.treeProbe.toggle(2)));
    both('arrow key', await page.evaluate(() => window.treeProbe.arrow()));
    both('filter, first key', await page.evaluate(() => window.treeProbe.filter('7')));
    both('filter, next key', await page.evaluate(() => window.treeProbe.filter('77')));
    both('filter cleared', await page.evaluate(() => window.treeProbe.filter('')));
    both('unchanged poll', await page.evaluate(() => window.treeProbe.poll()));
    // `openAll` of react-arborist takes so long that once is enough.
    if (target === 'arborist' && (!isFirst || isShort)) return;
    both('expand all', await page.evaluate(() => window.treeProbe.expandAll()));
    both('all open: toggle', await page.evaluate(() => window.treeProbe.toggle(3)));
    both('all open: arrow key', await page.evaluate(() => window.treeProbe.arrow()));
    add(
      'all open: frames over 33 ms of 150 in a scroll (number)',
      await page.evaluate(() => window.treeProbe.scroll()),
    );
    both('all open: filter, first key', await page.evaluate(() => window.treeProbe.filter('7')));
    both('all open: filter cleared', await page.evaluate(() => window.treeProbe.filter('')));
    both('all open: unchanged poll', await page.evaluate(() => window.treeProbe.poll()));
    server.change();
    both('all open: poll with one change', await page.evaluate(() => window.treeProbe.poll()));
    add('DOM nodes (number)', await page.evaluate(() => document.querySelectorAll('*').length));
    await client.send('HeapProfiler.collectGarbage');
    add('heap (MB)', (await client.send('Runtime.getHeapUsage')).usedSize / 1e6);
  } finally {
    await context.close();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const show = (value: number): string =>
  Number.isNaN(value) ? '-' : value < 10 && value % 1 !== 0 ? value.toFixed(1) : String(Math.round(value));

function toLine(name: string, ours: number, flat: number, arborist: number): string {
  const ratio = (to: number): string => (/longest|number/.test(name) || !(to > 0) ? '' : (ours / to).toFixed(2));
  return `  ${name.padEnd(56)}${[show(ours), show(flat), show(arborist), ratio(flat), ratio(arborist)].map((cell) => cell.padStart(10)).join('')}\n`;
}

/** Prints the medians of all three and the ratios of ours to the other two. */
export async function measureTree(): Promise<ReadonlyMap<Target, Figures>> {
  const server = await openTreeServer(NODES);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const all = new Map<Target, Figures>();
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of TARGETS) {
        const figures = all.get(target) ?? new Map<string, number[]>();
        all.set(target, figures);
        await measureRound(browser, server, target, round === 0, (name, value) =>
          figures.set(name, [...(figures.get(name) ?? []), value]),
        );
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  process.stdout.write(
    `the tree at ${NODES.toLocaleString('en-US')} nodes (an answer of ${(server.bytes / 1e6).toFixed(1)} MB), ` +
      'medians in ms\n',
  );
  process.stdout.write(
    `  ${''.padEnd(56)}${['ours', 'flat list', 'arborist', 'to flat', 'to arb.'].map((cell) => cell.padStart(10)).join('')}\n`,
  );
  for (const name of all.get('ours')?.keys() ?? []) {
    const of = (target: Target): number => median(all.get(target)?.get(name) ?? []);
    process.stdout.write(toLine(name, of('ours'), of('flat'), of('arborist')));
  }
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureTree();
