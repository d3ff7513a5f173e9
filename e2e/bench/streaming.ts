// Streaming: main-thread time of a long markdown answer in the dashboard beside plain lines, in turn in one run.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { openRemoteStudio } from '../remoteStudio.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { makeDocument, toLetters } from './streamingDocument.ts';
import { median } from './quantile.ts';
import { measureHuge, measurePanes, measureTurns } from './streamingExtremes.ts';
import { LINES, OURS, type StreamTarget } from './streamingPages.ts';
import { addProbe, openMeter, readBehind, stopRecording } from './streamingProbe.ts';
import { amount } from './short.ts';

const TOKENS = amount(20_000, 2_000);
const SECRET = 'bench-secret';
const VIEWPORT = { width: 1440, height: 900 };

export interface StreamFigures {
  readonly name: string;
  /** The main thread's processor time from sending to the end, in milliseconds. */
  readonly busyMs: number;
  readonly wallMs: number;
  readonly longTasks: readonly number[];
  /** The view's delay behind the last byte; null when it never showed the end. */
  readonly behindMs: number | null;
  readonly isComplete: boolean;
}

const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function openPage(browser: Browser, studio: StartedStudio, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await addProbe(page);
  await page.goto(studio.link);
  await page.goto(`${studio.origin}${path}`);
  return page;
}

async function measure(
  browser: Browser,
  studio: StartedStudio,
  target: StreamTarget,
  model: string,
  text: string,
): Promise<StreamFigures> {
  const page = await openPage(browser, studio, target.path(model));
  await target.prepare(page);
  await stopRecording(page);
  const meter = await openMeter(page);
  await page.evaluate(
    ([view, letters]) => {
      window.probe.longTasks.splice(0);
      window.probe.watchEnd(view ?? '', letters ?? '');
    },
    [target.view, toLetters(text).slice(-40)],
  );
  const before = await meter.busy();
  const started = performance.now();
  await target.stream(page, model);
  const wallMs = performance.now() - started;
  const busyMs = (await meter.busy()) - before;
  const longTasks = await page.evaluate(() => window.probe.longTasks);
  const behindMs = await readBehind(page);
  const isComplete = toHash(await target.read(page)) === toHash(text);
  await page.context().close();
  return { name: target.name, busyMs, wallMs, longTasks, behindMs, isComplete };
}

function toLine(
  { name, busyMs, wallMs, longTasks, behindMs, isComplete }: StreamFigures,
  limit: StreamFigures | undefined,
): string {
  const ratio = limit ? `${(busyMs / limit.busyMs).toFixed(2)} x lines` : '';
  const tasks = `tasks over 50 ms: ${longTasks.length} (worst ${Math.round(Math.max(0, ...longTasks))} ms)`;
  const behind = behindMs === null ? 'END NOT SHOWN' : `end shown ${Math.round(behindMs)} ms after the last byte`;
  return (
    `  ${name.padEnd(6)} busy ${Math.round(busyMs)} ms of ${Math.round(wallMs)} ms  ${ratio.padEnd(12)} ${tasks}  ` +
    `${behind}  text ${isComplete ? 'complete' : 'INCOMPLETE'}\n`
  );
}

async function measureRate(
  browser: Browser,
  studio: StartedStudio,
  perSecond: number,
  rounds: number,
): Promise<readonly StreamFigures[]> {
  const text = makeDocument(TOKENS);
  const model = `document:${TOKENS}:${perSecond}`;
  const all: StreamFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let limit: StreamFigures | undefined;
    for (const target of [LINES, OURS]) {
      const figures = await measure(browser, studio, target, model, text);
      process.stdout.write(toLine(figures, limit));
      limit ??= figures;
      all.push(figures);
    }
  }
  const busyOf = (name: string): number => median(all.filter((each) => each.name === name).map(({ busyMs }) => busyMs));
  const behindOf = (name: string): number =>
    Math.round(median(all.filter((each) => each.name === name).map(({ behindMs }) => behindMs ?? Number.NaN)));
  process.stdout.write(
    `  median ${Math.round(busyOf('ours'))} ms beside ${Math.round(busyOf('lines'))} ms: ` +
      `${(busyOf('ours') / busyOf('lines')).toFixed(2)} x lines; ` +
      `end shown ${behindOf('ours')} ms after the last byte beside ${behindOf('lines')} ms\n`,
  );
  return all;
}

/** Frames are watched in a run of their own: a page that asks for every frame is busier. */
async function measureFrames(browser: Browser, studio: StartedStudio): Promise<void> {
  const model = `document:${TOKENS / 2}:1000`;
  for (const target of [LINES, OURS]) {
    const page = await openPage(browser, studio, target.path(model));
    await target.prepare(page);
    await page.evaluate(() => window.probe.startFrames());
    await target.stream(page, model);
    const frames = await page.evaluate(() => window.probe.frames);
    const late = frames.filter((ms) => ms > 34);
    process.stdout.write(
      `  ${target.name.padEnd(6)} ${frames.length} frames, ${late.length} over 33 ms (worst ` +
        `${Math.round(Math.max(0, ...frames))} ms)\n`,
    );
    await page.context().close();
  }
}

type Section = readonly [title: string, run: (browser: Browser, studio: StartedStudio) => Promise<unknown>];

const SECTIONS: Readonly<Record<string, Section>> = {
  steady: [
    `${TOKENS} tokens of markdown at 1,000/s`,
    (browser, studio) => measureRate(browser, studio, 1000, amount(5, 1)),
  ],
  fast: ['the same as fast as it comes', (browser, studio) => measureRate(browser, studio, 0, amount(15, 1))],
  frames: [`${TOKENS / 2} tokens at 1,000/s: frames`, measureFrames],
  panes: ['eight panes, 2,000 tokens each at 200/s', measurePanes],
  huge: ['1,000,000 tokens in one answer, as fast as they come', measureHuge],
  turns: ['a stored conversation of 500 turns', measureTurns],
};

/** Prints every section, or those that are named in STREAMING (`STREAMING=fast,panes npm run bench -- streaming`). */
export async function measureStreaming(): Promise<void> {
  const wanted = process.env['STREAMING']?.split(',') ?? Object.keys(SECTIONS);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const remote = await openRemoteStudio({ token: SECRET, pollsUntilDone: 0 });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: SECRET } });
  try {
    for (const name of wanted) {
      const [title, run] = SECTIONS[name] ?? [`nothing is named ${name}`, async () => undefined];
      process.stdout.write(`streaming: ${title}\n`);
      await run(browser, studio);
    }
  } finally {
    await studio.stop();
    await remote.close();
    await browser.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureStreaming();
