// The page of a run, opened by its link while the built-in trainer is at work, and once more when the run is stopped:
// the longest tasks of its main thread. Nothing is attached to the page: an inspector reads the code again for each
// request's stack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ask, askText } from '../askStudio.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const ROUNDS = Number(process.env['LIVE_ROUNDS'] ?? amount(5, 1));
const WATCHED_MS = amount(25_000, 3_500);
const START_MS = amount(5_000, 500);
const LIMIT_MS = 300_000;
const LONG_MS = 50;
/** From the start of the trace, just before the page is asked for: it loads and renders for the first time. */
const OPENING_MS = amount(4_000, 2_000);
const JOB = { base_model_id: 'support-base', batch_size: 8, n_epochs: 10, learning_rate_multiplier: 0.001 };
export const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'];

export interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A task of the main thread: by the clock, its processor time, and when it began after the first one. */
interface Task {
  readonly wallMs: number;
  readonly threadMs: number;
  readonly atMs: number;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly value?: readonly TraceEvent[]; readonly dataLossOccurred?: boolean };
  readonly result?: { readonly targetInfos?: readonly { readonly title: string }[] };
  readonly error?: { readonly message: string };
}

const allNodes = (node: TreeNode): readonly TreeNode[] => [node, ...node.children.flatMap(allNodes)];

/** Asks until it is so; throws when it takes minutes. */
async function waitUntil(isSo: () => Promise<boolean>, problem: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(problem);
    await wait(500);
  }
}

/** Starts a run on the sample's first rows, and waits for its curve. It trains for minutes. */
async function startRun(studio: StartedStudio) {
  const { projects } = await ask<{ projects: readonly { id: string }[] }>(studio, '/api/v1/public/projects');
  const project = projects[0]?.id ?? '';
  const read = async () =>
    allNodes((await ask<{ project: TreeNode }>(studio, `/api/v1/public/projects/${project}`)).project);
  const snapshot = (await read()).find(({ type }) => type === 'snapshot');
  const order = { snapshot_id: snapshot?.id, name: 'Watched', experiments: [JOB] };
  const { job_id: job } = await ask<{ job_id: string }>(studio, '/api/v1/public/finetuning/create', order);
  const { id: run, label } = (await read()).find(({ id }) => id === job)?.children[0] ?? {};
  if (run === undefined || label === undefined) throw new Error('The tree lacks the new run, or its name.');
  const readProgress = () =>
    ask<{ status: string; points: readonly unknown[] }>(studio, `/api/v1/studio/experiments/${run}/progress`);
  await waitUntil(async () => (await readProgress()).points.length > 1, 'The run has not begun to train.');
  return {
    link: `${studio.link}&project=${project}&node=${run}`,
    label,
    async cancel() {
      await askText(studio, `/api/v1/studio/jobs/${job}/cancel`, {});
      await waitUntil(async () => (await readProgress()).status === 'stopped', 'The run was not stopped.');
    },
  };
}

/** What a browser with an empty profile does while it shows an address. Throws if no page there has the title. */
async function watch(url: string, title: string): Promise<readonly TraceEvent[]> {
  const profile = mkdtempSync(join(tmpdir(), 'bench-live-'));
  const args = [...CHROMIUM_ARGS, '--headless', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'];
  const browser = spawn(ensureChromium(), args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const [, , , input, output] = browser.stdio as unknown as readonly [null, null, null, Writable, Readable];
  const ended = once(browser, 'exit');
  const gone = ended.then(() => {
    throw new Error('Chromium has ended.');
  });
  gone.catch(() => undefined);
  const events: TraceEvent[] = [];
  const waiting = new Map<number | string, (message: Message) => void>();
  const until = (key: number | string) => new Promise<Message>((resolve) => waiting.set(key, resolve));
  let rest = '';
  output.setEncoding('utf8').on('data', (data: string) => {
    const texts = (rest + data).split('\0');
    rest = texts.pop() ?? '';
    for (const message of texts.map((text) => JSON.parse(text) as Message)) {
      const { id, method = '', params } = message;
      if (method === 'Tracing.dataCollected') events.push(...(params?.value ?? []));
      waiting.get(id ?? method)?.(message);
    }
  });
  let sent = 0;
  const send = async (method: string, params: object = {}) => {
    sent += 1;
    input.write(`${JSON.stringify({ id: sent, method, params })}\0`);
    const { error, result } = await Promise.race([until(sent), gone]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  try {
    // A browser's own start takes both processors for seconds; the page of a run is opened in one that is there.
    await wait(START_MS);
    await send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: CATEGORIES } });
    await send('Target.createTarget', { url, width: 1440, height: 900 });
    await wait(WATCHED_MS);
    const complete = until('Tracing.tracingComplete');
    const shown = (await send('Target.getTargets'))?.targetInfos?.map(({ title }) => title) ?? [];
    if (!shown.some((text) => text.startsWith(title)))
      throw new Error(`The page of ${title} is not there: ${shown.join()}`);
    await send('Tracing.end');
    const { params } = await Promise.race([complete, gone]);
    if (params?.dataLossOccurred) throw new Error('The trace is not whole.');
    return events;
  } finally {
    browser.kill('SIGKILL');
    // Where Chromium is started by a script, it is the end of its pipes that ends it.
    input.destroy();
    output.destroy();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

/** The tasks of the threads that run pages, the longest first. */
export function toTasks(events: readonly TraceEvent[]): readonly Task[] {
  const toThread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const mains = new Set(named.map(toThread));
  const tasks = events.filter((event) => event.name === 'RunTask' && mains.has(toThread(event)));
  const from = tasks.reduce((first, { ts }) => Math.min(first, ts), Infinity);
  return tasks
    .map(({ dur = 0, tdur = 0, ts }) => ({ wallMs: dur / 1000, threadMs: tdur / 1000, atMs: (ts - from) / 1000 }))
    .toSorted((a, b) => b.wallMs - a.wallMs);
}

const longest = (tasks: readonly Task[], clock: 'wallMs' | 'threadMs'): number =>
  Math.max(0, ...tasks.map((task) => task[clock]));

const toText = ({ wallMs, threadMs, atMs }: Task): string =>
  `${wallMs.toFixed(0)} (${threadMs.toFixed(0)}) at ${atMs.toFixed(0)}`;

/** The figures of a page's tasks: while it opens, and afterwards, while it polls the run. */
function toFigures(events: readonly TraceEvent[]) {
  const tasks = toTasks(events);
  const opening = tasks.filter(({ atMs }) => atMs < OPENING_MS);
  const live = tasks.filter(({ atMs }) => atMs >= OPENING_MS);
  if (opening.length === 0 || live.length === 0) throw new Error('The trace has no tasks of the page.');
  const [openingLong, liveLong] = [opening, live].map((some) => some.filter(({ wallMs }) => wallMs > LONG_MS).length);
  return {
    opening: longest(opening, 'wallMs'),
    openingThread: longest(opening, 'threadMs'),
    live: longest(live, 'wallMs'),
    liveThread: longest(live, 'threadMs'),
    text:
      `opening ${opening.slice(0, 5).map(toText).join(', ')}; afterwards ${live.slice(0, 3).map(toText).join(', ')}; ` +
      `over ${LONG_MS} ms: ${openingLong} and ${liveLong}`,
  };
}

type Figures = ReturnType<typeof toFigures>;

/** Prints the longest tasks of each round, in ms and with their processor time in brackets, and the medians. */
export async function measureLiveRun(): Promise<void> {
  const studio = await startStudio({ form: 'optimised' });
  const rounds = { 'while it trains': [] as Figures[], 'once it is stopped': [] as Figures[] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const run = await startRun(studio);
      const watchPage = async (state: keyof typeof rounds): Promise<void> => {
        const figures = toFigures(await watch(run.link, run.label));
        process.stdout.write(`  ${state}: ${figures.text}\n`);
        rounds[state].push(figures);
      };
      await watchPage('while it trains');
      await run.cancel();
      await watchPage('once it is stopped');
    }
  } finally {
    await studio.stop();
  }
  for (const [state, figures] of Object.entries(rounds)) {
    const toMedian = (name: 'opening' | 'openingThread' | 'live' | 'liveThread'): string =>
      median(figures.map((figure) => figure[name])).toFixed(0);
    process.stdout.write(
      `page of a run, ${state}: longest task ${toMedian('live')} ms once it is open, most processor time of a task ` +
        `${toMedian('liveThread')} ms; while it opens ${toMedian('opening')} and ${toMedian('openingThread')} ms ` +
        `(medians of ${ROUNDS})\n`,
    );
  }
}

if (process.argv[1] === import.meta.filename) await measureLiveRun();
