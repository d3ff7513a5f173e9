// Runs of other trainers in a real studio: 1,000 runs of 10,000 points each from the first scan to the last point, its
// memory, its rest and one new point; and a folder of 100,000 files. Beside the scan: the same bytes read by
// fs.readFileSync in a process of its own. CPU is counted over all threads of the process.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import type { CurveList, RunRoot } from '#features/runs/shared/runs.ts';
import type { ExperimentNode, ProjectNode } from '#core/contract/tree.ts';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { readCpu, readMemory } from './processFacts.ts';
import { median } from './quantile.ts';
import { installTableProbe } from './tableProbe.ts';
import { makeOtherFiles, makeRuns, pointsOf, ROWS, writeRows } from './runsFolders.ts';
import { amount } from './short.ts';

const RUNS = amount(1_000, 10);
const FILES = amount(100_000, 100);
const REST_MS = amount(20_000, 200);
/** What a start leaves to do, such as warming up llama.cpp, is no rest. */
const SETTLE_MS = amount(20_000, 200);
const APPENDED = amount(7, 1);
/** How often a page asks for curves and for the tree while a run trains. */
const ASK_MS = amount(1_000, 200);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function findRuns(node: ProjectNode | ProjectNode['children'][number]): readonly ExperimentNode[] {
  const found: ExperimentNode[] = [];
  const walk = (each: { readonly type: string; readonly children?: readonly unknown[] }): void => {
    if (each.type === 'experiment') found.push(each as ExperimentNode);
    for (const child of each.children ?? []) walk(child as typeof each);
  };
  walk(node);
  return found;
}

class Client {
  readonly pid: number;
  constructor(readonly studio: StartedStudio) {
    this.pid = studio.process.pid!;
  }

  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.studio.origin + path, {
      method,
      headers: { authorization: `Bearer ${this.studio.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async readRoot(id: string): Promise<RunRoot> {
    const { roots } = await this.ask<{ roots: readonly RunRoot[] }>('GET', '/api/v1/studio/run-roots');
    return roots.find((root) => root.id === id)!;
  }

  readProject = (id: string): Promise<{ project: ProjectNode }> => this.ask('GET', `/api/v1/public/projects/${id}`);

  /** Until the root is read. Times are from the moment when it was added. */
  async scan(folder: string): Promise<{ id: string; usableMs: number; wholeMs: number; cpuMs: number }> {
    const started = performance.now();
    const cpu = readCpu(this.pid);
    const { id } = await this.ask<RunRoot>('POST', '/api/v1/studio/run-roots', { path: folder });
    let usableMs = Number.NaN;
    for (;;) {
      const { project } = await this.readProject(id);
      const passed = performance.now() - started;
      if (Number.isNaN(usableMs) && findRuns(project).length > 0) usableMs = passed;
      if ((await this.readRoot(id)).state !== 'scanning')
        // A small root is whole before it was looked at again.
        return {
          id,
          usableMs: Number.isNaN(usableMs) ? performance.now() - started : usableMs,
          wholeMs: performance.now() - started,
          cpuMs: readCpu(this.pid) - cpu,
        };
      await sleep(100);
    }
  }

  /** CPU for each second of rest, as a share of one core. */
  async rest(): Promise<number> {
    const before = readCpu(this.pid);
    await sleep(REST_MS);
    return (readCpu(this.pid) - before) / REST_MS;
  }
}

const READER = `const fs = require('node:fs'); const cpu = process.cpuUsage(); const start = performance.now(); let bytes = 0;
for (const file of fs.readdirSync(process.argv[1], { recursive: true, withFileTypes: true }))
  if (file.isFile()) bytes += fs.readFileSync(file.parentPath + '/' + file.name).length;
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ bytes, ms: performance.now() - start, cpuMs: (user + system) / 1000 }));`;

const readPlainly = (folder: string): { bytes: number; ms: number; cpuMs: number } =>
  JSON.parse(execFileSync(process.execPath, ['-e', READER, folder], { encoding: 'utf8' })) as ReturnType<
    typeof readPlainly
  >;

interface Appended {
  /** From the write until an answer shows the point. */
  readonly ms: number;
  /** CPU of two seconds with this point. */
  readonly cpuMs: number;
}

/** Asks for tree and curve as a page does, for two seconds or more; appends a row first if there is one. */
async function watch(client: Client, root: string, runId: string, append: (() => number) | null): Promise<Appended> {
  const question = { runs: [runId], names: ['loss'], points: 1000 };
  const { version } = await client.ask<CurveList>('POST', '/api/v1/studio/curves', question);
  const before = readCpu(client.pid);
  const started = performance.now();
  const wanted = append?.() ?? 0;
  let ms = wanted === 0 ? 0 : Number.NaN;
  for (let asked = 1; performance.now() - started < 2 * ASK_MS || Number.isNaN(ms); asked += 1) {
    if (performance.now() - started > 30_000) throw new Error('The new point never came.');
    if (asked % 5 === 0) await client.readProject(root);
    const response = await fetch(client.studio.origin + '/api/v1/studio/curves', {
      method: 'POST',
      headers: { authorization: `Bearer ${client.studio.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...question, version }),
    });
    const text = await response.text();
    if (response.status === 200 && Number.isNaN(ms) && (JSON.parse(text) as CurveList).curves[0]!.length >= wanted)
      ms = performance.now() - started;
    await sleep(ASK_MS / 5);
  }
  return { ms, cpuMs: readCpu(client.pid) - before };
}

async function measureNewPoints(client: Client, folder: string, root: string): Promise<void> {
  const { project } = await client.readProject(root);
  const [run] = findRuns(project);
  const number = Number(/run-(\d+)/.exec(JSON.stringify(run))?.[1]);
  const events = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.includes(`run-${number}/runs/`) && path.includes('tfevents'),
  )!;
  const quiet: Appended[] = [];
  const live: Appended[] = [];
  for (let row = ROWS; row < ROWS + APPENDED; row += 1) {
    quiet.push(await watch(client, root, run!.id, null));
    live.push(
      await watch(client, root, run!.id, () => {
        appendFileSync(join(folder, events), writeRows(number, row, row + 1));
        return row + 1;
      }),
    );
  }
  const cpuOf = (list: readonly Appended[]): number => median(list.map(({ cpuMs }) => cpuMs));
  print(
    `one new row of a run (median of ${APPENDED}): shown after ${median(live.map(({ ms }) => ms)).toFixed(0)} ms, at worst ` +
      `${Math.max(...live.map(({ ms }) => ms)).toFixed(0)}; CPU of those two seconds with ten questions ` +
      `${cpuOf(live).toFixed(0)} ms, without the row ${cpuOf(quiet).toFixed(0)} ms: ` +
      `${(cpuOf(live) - cpuOf(quiet)).toFixed(0)} ms more for the row`,
  );
}

async function measureManyPoints(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-runs-'));
  makeRuns(folder, RUNS);
  const studio = await startStudio({ args: ['--no-sample'] });
  const client = new Client(studio);
  try {
    readPlainly(folder);
    await client.readRoot('');
    await sleep(SETTLE_MS);
    const empty = await client.rest();
    const memory = readMemory(client.pid);
    const plain = readPlainly(folder);
    const { id, usableMs, wholeMs, cpuMs } = await client.scan(folder);
    const { runs } = await client.readRoot(id);
    if (runs !== RUNS) throw new Error(`${runs} runs were found, not ${RUNS}`);
    print(
      `${RUNS} runs, ${pointsOf(RUNS).toLocaleString('en')} points, ${(plain.bytes / 1e6).toFixed(0)} MB: tree usable after ` +
        `${usableMs.toFixed(0)} ms, whole after ${(wholeMs / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s`,
    );
    print(
      `  beside fs.readFileSync: ${plain.ms.toFixed(0)} ms, CPU ${plain.cpuMs.toFixed(0)} ms; ` +
        `ours ${(wholeMs / plain.ms).toFixed(1)} times, CPU ${(cpuMs / plain.cpuMs).toFixed(1)} times`,
    );
    await sleep(SETTLE_MS / 4);
    print(`memory: ${(readMemory(client.pid) - memory).toFixed(0)} MB more than before`);
    const idle = await client.rest();
    print(
      `at rest: ${(idle * 100).toFixed(2)} % of a core; the same studio without runs ${(empty * 100).toFixed(2)} %`,
    );
    await measureNewPoints(client, folder, id);
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureManyFiles(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-files-'));
  makeOtherFiles(folder, FILES);
  makeRuns(folder, 10, 100);
  const studio = await startStudio({ args: ['--no-sample'] });
  const client = new Client(studio);
  try {
    const started = performance.now();
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) statSync(join(folder, file));
    const plain = performance.now() - started;
    const memory = readMemory(client.pid);
    const { id, usableMs, wholeMs, cpuMs } = await client.scan(folder);
    const { files, runs } = await client.readRoot(id);
    print(
      `${files.toLocaleString('en')} files, ${runs} runs: tree usable after ${usableMs.toFixed(0)} ms, whole after ` +
        `${(wholeMs / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s, ${(readMemory(client.pid) - memory).toFixed(0)} MB; ` +
        `beside readdir and stat of each: ${(plain / 1000).toFixed(1)} s`,
    );
    print(`  at rest: ${((await client.rest()) * 100).toFixed(2)} % of a core`);
  } finally {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The table of all runs in the dashboard: each has 150 settings of its own and 100 rows. */
async function measureTable(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-table-'));
  makeRuns(folder, RUNS, 100, 150);
  const studio = await startStudio({ args: ['--no-sample', '--runs', folder] });
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
    await page.addInitScript(installTableProbe);
    await page.goto(studio.link);
    const [root] = (await new Client(studio).ask<{ roots: readonly RunRoot[] }>('GET', '/api/v1/studio/run-roots'))
      .roots;
    await page.goto(
      `${studio.origin}/?project=${root!.id}&node=${root!.id}&tab=experiments&plot=none&columns=label,status,job,learning_rate_multiplier,last_loss`,
    );
    await page.evaluate(() => window.tableProbe.load());
    const load = page.getByRole('button', { name: /^Load them from/ });
    if (await load.isVisible()) await load.click();
    await page.getByText(/^Reading hyperparameters/).waitFor({ state: 'detached', timeout: 120_000 });
    // On a busy machine the time that passes says little: the processor time of the page's main thread is told beside it.
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readBusy = async (): Promise<number> => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    };
    const taken: number[] = [];
    const busy: number[] = [];
    // In turn, so that every press changes the order.
    for (const head of ['last_loss', 'Run', 'last_loss', 'Run', 'last_loss']) {
      const before = await readBusy();
      taken.push(await page.evaluate((name) => window.tableProbe.sort(name), head));
      busy.push((await readBusy()) - before);
    }
    print(
      `table of ${RUNS} runs with 150 settings: sorted after ${median(taken).toFixed(0)} ms (median of ${taken.length}), at ` +
        `worst ${Math.max(...taken).toFixed(0)}; processor time of the main thread ${median(busy).toFixed(0)} ms, at worst ` +
        `${Math.max(...busy).toFixed(0)}; ${await page.evaluate(() => document.querySelectorAll('*').length)} elements`,
    );
  } finally {
    await browser.close();
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `RUNS=files npm run bench -- runs` runs one part (`points`, `files`, `table`). */
export async function measureRuns(): Promise<void> {
  const parts = { points: measureManyPoints, files: measureManyFiles, table: measureTable };
  const wanted = process.env['RUNS']?.split(',') ?? Object.keys(parts);
  for (const [name, measure] of Object.entries(parts)) if (wanted.includes(name)) await measure();
}

if (process.argv[1] === import.meta.filename) await measureRuns();
