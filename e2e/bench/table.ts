// The experiments table with 10,000 experiments of 1,000 jobs, all of them read, beside a flat list of three texts a
// row.
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { REMOTE_IDS } from '../remoteTree.ts';
import { installTableProbe } from './tableProbe.ts';
import type { PageServer } from './pageServer.ts';
import { openTableServer } from './tableServer.ts';
import { amount } from './short.ts';

/** 10 datasets of 1,111 nodes, and the project: 10,000 experiments. */
const NODES = 11_111;
const ROUNDS = amount(3, 1);
const FRAMES = amount(300, 10);
const SLOW_MS = 33;

type Target = 'ours' | 'flat';
type Figures = Map<string, number[]>;

async function readJobs(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Load them from/ }).click();
  await page.getByText(/^Reading hyperparameters/).waitFor({ state: 'detached', timeout: 120_000 });
}

async function measureRound(
  browser: Browser,
  server: PageServer,
  target: Target,
  add: (name: string, value: number) => void,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1140, height: 900 } });
  // tsx names functions through this helper, which a page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await context.addInitScript(installTableProbe);
  const page = await context.newPage();
  try {
    const columns = 'label,status,job,batch_size,learning_rate_multiplier,last_loss';
    await page.goto(`${server.url}/${target}?project=${REMOTE_IDS.largeProject}&plot=none&columns=${columns}`);
    await page.evaluate(() => window.tableProbe.load());
    if (target === 'ours') await readJobs(page);
    for (const head of ['Run', 'Status', 'Job']) {
      add('sort by a text', await page.evaluate((name) => window.tableProbe.sort(name), head));
      add('sort the other way', await page.evaluate((name) => window.tableProbe.sort(name), head));
    }
    if (target === 'ours') add('sort by a number', await page.evaluate(() => window.tableProbe.sort('Training loss')));
    const frames = await page.evaluate((count) => window.tableProbe.scroll(count), FRAMES);
    add(`frames over ${SLOW_MS} ms of ${FRAMES} in a scroll (number)`, frames.filter((ms) => ms > SLOW_MS).length);
    add('filter, first key', await page.evaluate(() => window.tableProbe.filter('7')));
    add('filter, next key', await page.evaluate(() => window.tableProbe.filter('77')));
    add('filter cleared', await page.evaluate(() => window.tableProbe.filter('')));
    add('DOM nodes (number)', await page.evaluate(() => document.querySelectorAll('*').length));
  } finally {
    await context.close();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const show = (value: number): string =>
  Number.isNaN(value) ? '-' : value.toFixed(/\./.test(String(value)) && value < 100 ? 1 : 0);

/** Prints the medians of both, our worst, and the ratio of ours to the flat list's. */
export async function measureTable(): Promise<ReadonlyMap<Target, Figures>> {
  const server = await openTableServer(NODES);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const all = new Map<Target, Figures>([
    ['ours', new Map()],
    ['flat', new Map()],
  ]);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [target, figures] of all) {
        await measureRound(browser, server, target, (name, value) =>
          figures.set(name, [...(figures.get(name) ?? []), value]),
        );
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  process.stdout.write('the table of 10,000 experiments, medians in ms from the input to the painted rows\n');
  process.stdout.write(
    `  ${''.padEnd(48)}${['ours', 'our worst', 'flat list', 'ratio'].map((cell) => cell.padStart(10)).join('')}\n`,
  );
  for (const [name, values] of all.get('ours') ?? []) {
    const [ours, flat] = [median(values), median(all.get('flat')?.get(name) ?? [])];
    const ratio = name.includes('number)') || Number.isNaN(flat) ? '' : (ours / flat).toFixed(2);
    process.stdout.write(
      `  ${name.padEnd(48)}${[show(ours), show(Math.max(...values)), show(flat), ratio].map((cell) => cell.padStart(10)).join('')}\n`,
    );
  }
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureTable();
