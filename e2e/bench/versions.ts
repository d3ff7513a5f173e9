// Two versions of the studio in turn, each by `npm start` in its checkout: what a start takes, what it holds when idle,
// and how soon the curve of a folder that comes in is answered. Linux only: it reads /proc.
import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CurveList, RunRoot } from '#features/runs/shared/runs.ts';
import type { ProjectNode } from '#core/contract/tree.ts';
import { makeFolder, waitForLink } from '../startStudio.ts';
import { readCpu } from './processFacts.ts';
import { median } from './quantile.ts';
import { makePoints } from './runsFolders.ts';
import { amount } from './short.ts';
import { toPath } from '#core/contract/path.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** `ROUNDS=1` is quicker. */
const ROUNDS = Number(process.env['ROUNDS'] ?? amount(5, 1));
const POINTS = amount(1_000_000, 1_000);
/** What a start leaves to do, such as warming up llama.cpp, is over; threads that wait for more work have ended. */
const IDLE_MS = amount(60_000, 200);
const ASK_MS = 10;

interface Figures {
  /** Processor time of all processes until the service answers, in a new data folder and again in it. */
  readonly firstMs: number;
  readonly againMs: number;
  /** Memory of all processes: their own, and their share of what they have in common. */
  readonly idleMb: number;
  /** From the folder's coming until the whole curve is answered. */
  readonly curveMs: number;
}

/** A process and all that it has started. */
function listTree(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return [];
      }
    });
  const tree = [pid];
  for (const each of tree) tree.push(...parents.filter(({ parent }) => parent === each).map((child) => child.pid));
  return tree;
}

/** Proportional set size in MB. */
const readShare = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export interface Started {
  readonly child: ChildProcess;
  /** It signs in. */
  readonly link: string;
  readonly cpuMs: number;
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

export async function startVersion(
  checkout: string,
  dataDir: string,
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', dataDir, ...more], {
    cwd: checkout,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const link = await waitForLink(child, () => output, 120);
  const { origin, searchParams } = new URL(link);
  const headers = { authorization: `Bearer ${searchParams.get('token')}`, 'content-type': 'application/json' };
  async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const given = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(origin + path, { method, headers, ...given });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  }
  await ask('GET', '/api/v1/public/projects');
  return { child, link, ask, cpuMs: sum(listTree(child.pid!).map((pid) => readCpu(pid))) };
}

/** npm ends before the service. */
export async function stopVersion({ child }: Started): Promise<void> {
  const tree = listTree(child.pid!);
  child.kill('SIGTERM');
  while (tree.some((pid) => existsSync(`/proc/${pid}`))) await sleep(100);
}

function writePoints(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, 'events.out.tfevents.1790000000.bench.1.0'), 'w');
  for (const part of makePoints(POINTS)) writeSync(file, part);
  closeSync(file);
}

async function waitForCurve({ ask }: Started, runs: string): Promise<number> {
  const ready = `${runs}-ready`;
  writePoints(ready);
  const { roots } = await ask<{ roots: readonly RunRoot[] }>('GET', '/api/v1/studio/run-roots');
  const began = performance.now();
  renameSync(ready, join(runs, 'run'));
  let id: string | undefined;
  for (;;) {
    if (performance.now() - began > 60_000) throw new Error('The curve never came.');
    if (id === undefined) {
      const { project } = await ask<{ project: ProjectNode }>(
        'GET',
        toPath('/api/v1/public/projects/{projectId}', [roots[0]!.id]),
      );
      id = /"type":"experiment"[^}]*?"id":"([^"]+)"|"id":"([^"]+)","type":"experiment"/
        .exec(JSON.stringify(project))
        ?.slice(1)
        .find(Boolean);
    } else {
      const { curves } = await ask<CurveList>('POST', '/api/v1/studio/curves', {
        runs: [id],
        names: ['loss'],
        points: 1000,
      });
      if (curves[0]?.length === POINTS) return performance.now() - began;
    }
    await sleep(ASK_MS);
  }
}

async function measureOnce(checkout: string): Promise<Figures> {
  const dataDir = makeFolder('versions');
  const runs = join(dataDir, 'runs');
  mkdirSync(runs);
  const data = join(dataDir, 'data');
  const first = await startVersion(checkout, data, ['--runs', runs]);
  await stopVersion(first);
  const again = await startVersion(checkout, data, ['--runs', runs]);
  try {
    await sleep(IDLE_MS);
    const tree = listTree(again.child.pid!);
    const idleMb = sum(tree.map((pid) => readShare(pid)));
    const curveMs = await waitForCurve(again, runs);
    return { firstMs: first.cpuMs, againMs: again.cpuMs, idleMb, curveMs };
  } finally {
    await stopVersion(again);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What is built at the first start of a checkout is there from now on. */
async function buildOnce(checkout: string): Promise<void> {
  const dataDir = makeFolder('versions');
  const runs = join(dataDir, 'runs');
  mkdirSync(runs);
  await stopVersion(await startVersion(checkout, join(dataDir, 'data'), ['--runs', runs]));
  rmSync(dataDir, { recursive: true, force: true });
}

const UNITS = { firstMs: 'ms', againMs: 'ms', idleMb: 'MB', curveMs: 'ms' } as const;
const WORDS: Readonly<Record<keyof Figures, string>> = {
  firstMs: 'processor time of a start with a new data folder',
  againMs: 'processor time of a start again',
  idleMb: 'memory at rest, an empty folder of runs',
  curveMs: `from a folder's coming until its ${POINTS.toLocaleString('en')} points are answered`,
};

/** `BASELINE=/path/to/checkout` names the version beside ours: with node_modules and the dashboard built. */
export async function measureVersions(): Promise<void> {
  const baseline = process.env['BASELINE'];
  const checkouts = baseline === undefined ? [ROOT] : [baseline, ROOT];
  for (const checkout of checkouts) await buildOnce(checkout);
  const rounds: Figures[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures: Figures[] = [];
    for (const checkout of checkouts) figures.push(await measureOnce(checkout));
    rounds.push(figures);
  }
  for (const [name, unit] of Object.entries(UNITS) as [keyof Figures, string][]) {
    const each = checkouts.map((_, at) => rounds.map((figures) => figures[at]![name]));
    const [before, ours = before] = each.map((numbers) => median(numbers!));
    const list = each.map((numbers) => numbers.map((number) => number.toFixed(0)).join(' ')).join(' | ');
    process.stdout.write(
      `${WORDS[name]}: ${ours!.toFixed(0)} ${unit}, baseline ${before!.toFixed(0)} ${unit}, ratio ${(ours! / before!).toFixed(2)} (${list})\n`,
    );
  }
}

if (process.argv[1] === import.meta.filename) await measureVersions();
