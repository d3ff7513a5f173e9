// Flood: 20,000 tokens as fast as they come, in the page that people open: the sample project with its tree and panels,
// record and session saving on, through the gateway. Beside plain lines from the same gateway, in turns in one run.
import { createHash } from 'node:crypto';
import { chromium, type Browser, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { readKept, toKeptFaults } from './floodKept.ts';
import { openProcess } from './processes.ts';
import { median } from './quantile.ts';
import { openPage } from './streaming.ts';
import { makeDocument, toLetters } from './streamingDocument.ts';
import { LINES, OURS, type StreamTarget } from './streamingPages.ts';
import { openMeter, readBehind, stopRecording } from './streamingProbe.ts';
import { amount } from './short.ts';

const TOKENS = amount(20_000, 2_000);
const MODEL = `document:${TOKENS}:0`;
const ROUNDS = Number(process.env['FLOOD_ROUNDS'] ?? amount(15, 1));
/** So long after the end what is stored, filled in and coloured afterwards is done. */
const REST_MS = 2500;

interface Flood {
  readonly name: string;
  /** The main thread's processor time until the answer has settled, and until the page is at rest again. */
  readonly busyMs: number;
  readonly restMs: number;
  readonly worstTask: number;
  readonly behindMs: number;
  readonly heapMb: number;
  /** What is not as it was sent; empty: all of it is. */
  readonly faults: readonly string[];
}

/** The answer, and what goes over the wire for it. */
interface Sent {
  readonly text: string;
  readonly body: string;
}

const toHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The answer's body, as a program reads it from the same studio. */
async function readBody(studio: StartedStudio): Promise<string> {
  const response = await fetch(`${studio.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${studio.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Write a long report.' }], stream: true }),
  });
  return response.text();
}

async function checkAll(page: Page, target: StreamTarget, { text, body }: Sent): Promise<readonly string[]> {
  const shown = toHash(await target.read(page)) === toHash(text) ? [] : ['text'];
  return target === OURS ? [...shown, ...toKeptFaults(await readKept(page), text, body)] : shown;
}

async function measure(browser: Browser, studio: StartedStudio, target: StreamTarget, sent: Sent): Promise<Flood> {
  const page = await openPage(browser, studio, target.path(MODEL));
  await target.prepare(page);
  await stopRecording(page);
  const meter = await openMeter(page);
  const { heapMb } = await meter.memory();
  await page.evaluate(
    ([view, letters]) => {
      window.probe.longTasks.splice(0);
      window.probe.watchEnd(view ?? '', letters ?? '');
    },
    [target.view, toLetters(sent.text).slice(-40)],
  );
  const before = await meter.busy();
  await target.stream(page, MODEL);
  const busyMs = (await meter.busy()) - before;
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), REST_MS);
  const restMs = (await meter.busy()) - before;
  const longTasks = await page.evaluate(() => window.probe.longTasks);
  const behindMs = (await readBehind(page)) ?? Number.NaN;
  const grown = (await meter.memory()).heapMb - heapMb;
  const faults = await checkAll(page, target, sent);
  await page.context().close();
  return { name: target.name, busyMs, restMs, worstTask: Math.max(0, ...longTasks), behindMs, heapMb: grown, faults };
}

const ms = (value: number): string => `${Math.round(value)} ms`;

function toLine({ name, busyMs, restMs, worstTask, behindMs, heapMb, faults }: Flood): string {
  return (
    `  ${name.padEnd(6)} busy ${ms(busyMs)}, at rest ${ms(restMs)}; end shown ${ms(behindMs)} after the last ` +
    `byte; worst task over 50 ms: ${ms(worstTask)}; ` +
    `heap +${heapMb.toFixed(1)} MB; ${faults.length === 0 ? 'complete' : `NOT COMPLETE: ${faults.join(', ')}`}\n`
  );
}

function toSummary(all: readonly Flood[]): string {
  const of = (name: string, pick: (flood: Flood) => number): number =>
    median(all.filter((each) => each.name === name).map(pick));
  const beside = (pick: (flood: Flood) => number): string => `${ms(of('ours', pick))} beside ${ms(of('lines', pick))}`;
  const times = (pick: (flood: Flood) => number): string =>
    `${beside(pick)}: ${(of('ours', pick) / of('lines', pick)).toFixed(2)} times`;
  const over = (name: string): string => `${all.filter((each) => each.name === name && each.worstTask > 0).length}`;
  return (
    `  medians, ours beside lines: busy ${times((each) => each.busyMs)}; until at rest ` +
    `${times((each) => each.restMs)}; end shown ${beside((each) => each.behindMs)} ` +
    `after the last byte; runs with a task over 50 ms: ${over('ours')} beside ${over('lines')} of ${ROUNDS}\n`
  );
}

/** Prints every run, and the medians. */
export async function measureFlood(): Promise<void> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const sample = await startStudio();
  const upstream = await openProcess('floodUpstream.ts', [sample.origin, sample.token]);
  const studio = await startStudio({ args: ['--base-url', upstream.url], env: { STUDIO_API_KEY: 'bench' } });
  try {
    process.stdout.write(
      `flood: ${TOKENS} tokens of markdown as fast as they come, in the whole dashboard through the gateway\n`,
    );
    const sent = { text: makeDocument(TOKENS), body: await readBody(studio) };
    const all: Flood[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of round % 2 === 0 ? [LINES, OURS] : [OURS, LINES]) {
        const flood = await measure(browser, studio, target, sent);
        process.stdout.write(toLine(flood));
        all.push(flood);
      }
    }
    process.stdout.write(toSummary(all));
  } finally {
    await studio.stop();
    await upstream.stop();
    await sample.stop();
    await browser.close();
  }
}

if (process.argv[1] === import.meta.filename) await measureFlood();
