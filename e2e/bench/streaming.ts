// Streaming: main-thread time of a long markdown answer in the dashboard beside plain lines, in turn in one run.
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium';
import { openRemoteStudio } from '../remoteStudio';
import { startStudio, type StartedStudio } from '../startStudio';
import { makeDocument, toLetters } from './streamingDocument';
import { prepareDashboard, readDashboard, readLines, streamIntoDashboard, streamIntoLines, type StreamRequest } from './streamingPages';

const TOKENS = 20_000;
const MODEL = 'echo';
const SECRET = 'bench-secret';
const VIEWPORT = { width: 1440, height: 900 };

export interface StreamFigures {
  readonly name: string;
  /** Main-thread TaskDuration from sending to the end, in milliseconds. */
  readonly busyMs: number;
  readonly wallMs: number;
  readonly longTasks: number;
  readonly worstMs: number;
  readonly isComplete: boolean;
}

declare global {
  interface Window {
    longTasks?: number[];
  }
}

async function openPage(browser: Browser, studio: StartedStudio, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  // tsx names functions through this helper, which a page does not have.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
  await context.addInitScript(() => {
    const durations: number[] = [];
    window.longTasks = durations;
    new PerformanceObserver((list) => durations.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
  });
  const page = await context.newPage();
  await page.goto(studio.link);
  await page.goto(`${studio.origin}${path}`);
  return page;
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly prepare: (page: Page, request: StreamRequest) => Promise<void>;
  readonly stream: (page: Page, request: StreamRequest) => Promise<void>;
  /** Whether the page shows all of the document. */
  readonly hasAll: (page: Page, document: string) => Promise<boolean>;
}

const TARGETS: readonly Target[] = [
  {
    name: 'lines',
    path: '/healthz',
    prepare: async () => undefined,
    stream: streamIntoLines,
    hasAll: async (page, document) => (await readLines(page)).includes(document.replaceAll('\n', '')),
  },
  {
    name: 'ours',
    path: `/?models=${MODEL}`,
    prepare: prepareDashboard,
    stream: streamIntoDashboard,
    hasAll: async (page, document) => toLetters(await readDashboard(page)).includes(toLetters(document)),
  },
];

async function measure(browser: Browser, studio: StartedStudio, target: Target, message: string): Promise<StreamFigures> {
  const page = await openPage(browser, studio, target.path);
  await target.prepare(page, { model: MODEL, message });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const busy = async (): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  await page.evaluate(() => window.longTasks?.splice(0));
  const before = await busy();
  const started = performance.now();
  await target.stream(page, { model: MODEL, message });
  const wallMs = performance.now() - started;
  const busyMs = (await busy()) - before;
  const longTasks = await page.evaluate(() => window.longTasks ?? []);
  const isComplete = await target.hasAll(page, message);
  await page.context().close();
  return { name: target.name, busyMs, wallMs, longTasks: longTasks.length, worstMs: Math.max(0, ...longTasks), isComplete };
}

function toLine({ name, busyMs, wallMs, longTasks, worstMs, isComplete }: StreamFigures, limit: StreamFigures | undefined): string {
  const ratio = limit ? `${(busyMs / limit.busyMs).toFixed(2)} x lines` : '';
  return `  ${name.padEnd(6)} busy ${Math.round(busyMs)} ms of ${Math.round(wallMs)} ms  ${ratio}  long tasks ${longTasks} (worst ${Math.round(worstMs)} ms)  text ${isComplete ? 'complete' : 'INCOMPLETE'}\n`;
}

async function measureRate(browser: Browser, perSecond: number, rounds: number): Promise<readonly StreamFigures[]> {
  const remote = await openRemoteStudio({ token: SECRET, tokensPerSecond: perSecond });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: SECRET } });
  const message = makeDocument(TOKENS);
  const all: StreamFigures[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      let limit: StreamFigures | undefined;
      for (const target of TARGETS) {
        const figures = await measure(browser, studio, target, message);
        process.stdout.write(toLine(figures, limit));
        limit ??= figures;
        all.push(figures);
      }
    }
    return all;
  } finally {
    await studio.stop();
    await remote.close();
  }
}

/** Prints busy time of both and their ratio: 20,000 tokens at 1,000/s, then as fast as they come. */
export async function measureStreaming(): Promise<readonly StreamFigures[]> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    process.stdout.write(`streaming ${TOKENS} tokens of markdown at 1,000/s\n`);
    const steady = await measureRate(browser, 1000, 2);
    process.stdout.write('streaming the same as fast as it comes\n');
    return [...steady, ...(await measureRate(browser, 0, 2))];
  } finally {
    await browser.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureStreaming();
