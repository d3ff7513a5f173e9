// Many pollers of a tree of 100,000 nodes that changes once a second: how long an answer takes to its last byte, and
// how long `/healthz` takes meanwhile. Beside it a server that sends ready-made bytes, and one that reads the tree for
// each request (with fewer pollers: fifty would need gigabytes). `BENCH_DATABASE_URL` names a scratch PostgreSQL.
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ID, TOKEN } from '#service/http/testService.fixture.ts';
import { openProcess } from './processes.ts';
import { amount } from './short.ts';

export interface PollersFigures {
  readonly name: string;
  readonly pollers: number;
  readonly changed: Times;
  readonly unchanged: Times;
  readonly health: Times;
  readonly bytes: number;
  /** Seconds of CPU that the server took for each second of the run. */
  readonly load: number;
}

interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

const POLL_MS = 1_000;
const POLLERS = amount(50, 4);
const HEALTH_MS = 50;
const RUN_MS = amount(20_000, 2_000);

const toTimes = (values: readonly number[]): Times => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { count: values.length, p50: at(0.5), p95: at(0.95), max: at(1) };
};

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly bytes: number;
  readonly ms: number;
}

function get(agent: Agent, url: string, etag: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'accept-encoding': 'gzip',
      ...(etag === '' ? {} : { 'if-none-match': etag }),
    };
    const request = httpRequest(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          etag: String(response.headers['etag'] ?? ''),
          bytes,
          ms: performance.now() - started,
        }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

/** Seconds of CPU that the server has taken so far. */
async function readCpu(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/bench/cpu`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const { user, system } = (await answer.json()) as NodeJS.CpuUsage;
  return (user + system) / 1e6;
}

/** Asks again and again, `everyMs` after the last question or at once when that is past. */
async function repeat(
  everyMs: number,
  delayMs: number,
  isOver: () => boolean,
  ask: () => Promise<void>,
): Promise<void> {
  await sleep(delayMs);
  let next = performance.now();
  while (!isOver()) {
    await ask();
    next = Math.max(next + everyMs, performance.now());
    await sleep(next - performance.now());
  }
}

async function measure(name: string, pollers: number, args: readonly string[]): Promise<PollersFigures> {
  const server = await openProcess('pollersProcess.ts', args);
  const agent = new Agent({ keepAlive: true });
  try {
    const tree = server.url + `/api/v1/public/projects/${PROJECT_ID}`;
    // The first reading is a start, not a change.
    const first = await get(agent, tree, '');
    if (first.status !== 200) throw new Error(`${name}: status ${first.status}`);
    const changed: number[] = [];
    const unchanged: number[] = [];
    const health: number[] = [];
    const before = await readCpu(server.url);
    const started = performance.now();
    const end = started + RUN_MS;
    const isOver = (): boolean => performance.now() > end;
    const polling = Array.from({ length: pollers }, (_, index) => {
      let { etag } = first;
      return repeat(POLL_MS, (index * POLL_MS) / pollers, isOver, async () => {
        const answer = await get(agent, tree, etag);
        ({ etag } = answer);
        (answer.status === 304 ? unchanged : changed).push(answer.ms);
      });
    });
    const beating = repeat(
      HEALTH_MS,
      0,
      isOver,
      async () => void health.push((await get(agent, server.url + '/healthz', '')).ms),
    );
    await Promise.all([...polling, beating]);
    const load = ((await readCpu(server.url)) - before) / ((performance.now() - started) / 1000);
    return {
      load,
      name,
      pollers,
      changed: toTimes(changed),
      unchanged: toTimes(unchanged),
      health: toTimes(health),
      bytes: first.bytes,
    };
  } finally {
    agent.destroy();
    await server.stop();
  }
}

function print({ name, pollers, changed, unchanged, health, bytes, load }: PollersFigures): void {
  const words = ({ count, p50, p95, max }: Times): string =>
    count === 0
      ? 'no answer'
      : `${count} answers, p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, worst ${max.toFixed(0)} ms`;
  process.stdout.write(
    `${name}, ${pollers} pollers, ${(bytes / 1e6).toFixed(1)} MB; CPU of the server ${load.toFixed(2)}\n`,
  );
  process.stdout.write(
    `  changed tree: ${words(changed)}\n  unchanged: ${words(unchanged)}\n  /healthz: ${words(health)}\n`,
  );
}

/** Measures, prints and gives the figures. */
export async function measurePollers(): Promise<readonly PollersFigures[]> {
  const databaseUrl = process.env['BENCH_DATABASE_URL'] ?? '';
  const runs: (readonly [string, number, readonly string[]])[] = [
    ['ready-made bytes', POLLERS, ['ready']],
    ['ours, embedded database', POLLERS, ['ours']],
    ['read for each request, embedded database', 4, ['plain']],
  ];
  if (databaseUrl === '') process.stdout.write('PostgreSQL is left out: BENCH_DATABASE_URL is not set.\n');
  else
    runs.push(
      ['ours, PostgreSQL', POLLERS, ['ours', databaseUrl]],
      ['read for each request, PostgreSQL', 4, ['plain', databaseUrl]],
    );
  const figures: PollersFigures[] = [];
  for (const [name, pollers, args] of runs) {
    const figure = await measure(name, pollers, args);
    print(figure);
    figures.push(figure);
  }
  return figures;
}

if (process.argv[1] === import.meta.filename) await measurePollers();
