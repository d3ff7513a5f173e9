// The queue of chat requests over real HTTP, with the sample's base model: 600 requests at once, and one caller that
// asks a single question while another one floods.
import { Agent, request as httpRequest } from 'node:http';
import { startStudio, type StartedStudio } from '../startStudio.ts';
import { quantile } from './quantile.ts';
import { BENCH_MODEL, BENCH_REQUEST } from './engineDirect.ts';
import { amount } from './short.ts';

const FLOOD = amount(600, 100);
const MODEL = 'bench';
/** Loopback addresses: to the service, another address is another caller. */
const FLOODER = '127.0.0.1';
const NEIGHBOUR = '127.0.0.2';

interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly milliseconds: number;
}

interface Ask {
  readonly from?: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly agent: Agent;
}

function send(
  studio: StartedStudio,
  path: string,
  { from = FLOODER, method = 'GET', body = '', agent }: Ask,
): Promise<Outcome> {
  const started = performance.now();
  const headers = {
    authorization: `Bearer ${studio.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${studio.origin}${path}`,
      { agent, method, headers, localAddress: from },
      (response) => {
        response.on('error', reject).on('end', () => {
          const retryAfter = response.headers['retry-after'] ?? null;
          resolve({ status: response.statusCode ?? 0, retryAfter, milliseconds: performance.now() - started });
        });
        response.resume();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function ask(studio: StartedStudio, agent: Agent, seed: number, from = FLOODER): Promise<Outcome> {
  const body = JSON.stringify({ model: MODEL, ...BENCH_REQUEST, seed, max_completion_tokens: 60 });
  return send(studio, '/api/v1/chat/completions', { method: 'POST', body, from, agent });
}

function flood(studio: StartedStudio, agent: Agent): Promise<readonly Outcome[]> {
  return Promise.all(Array.from({ length: FLOOD }, (_, seed) => ask(studio, agent, seed)));
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));
const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** Asks for /healthz every 20 ms until `until` settles. */
async function watchHealth(studio: StartedStudio, agent: Agent, until: Promise<unknown>): Promise<readonly number[]> {
  const over = new AbortController();
  const done = until.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    times.push((await send(studio, '/healthz', { agent })).milliseconds);
    await pause(20);
  }
  await done;
  return times;
}

function printFlood(outcomes: readonly Outcome[], health: readonly number[]): void {
  const answered = outcomes.filter(({ status }) => status === 200);
  const refused = outcomes.filter(({ status }) => status === 429);
  const other = outcomes.length - answered.length - refused.length;
  const last = (list: readonly Outcome[]): string => ms(Math.max(...list.map(({ milliseconds }) => milliseconds)));
  const waits = refused.map(({ retryAfter }) => Number(retryAfter));
  process.stdout.write(
    `${FLOOD} requests at once: ${answered.length} answered, ${refused.length} refused with 429, ${other} other; ` +
      `last answer after ${last(answered)}\n`,
  );
  if (refused.length > 0) {
    process.stdout.write(
      `refusals: the last after ${last(refused)}, Retry-After ${Math.min(...waits)} to ${Math.max(...waits)} s\n`,
    );
  }
  process.stdout.write(
    `/healthz meanwhile: p50 ${ms(quantile(health, 0.5))}, p95 ${ms(quantile(health, 0.95))}, ` +
      `worst ${ms(Math.max(...health))} (${health.length} asked)\n`,
  );
}

/** Three requests of one caller, one after the other. Another caller keeps 600 going and waits only when told to. */
async function askBeside(studio: StartedStudio, agent: Agent): Promise<readonly Outcome[]> {
  const over = new AbortController();
  const workers = Array.from({ length: FLOOD }, async (_, seed) => {
    while (!over.signal.aborted) {
      const { retryAfter } = await ask(studio, agent, seed);
      if (retryAfter !== null) await pause(Number(retryAfter) * 1_000);
    }
  });
  await pause(1_000);
  const outcomes: Outcome[] = [];
  while (outcomes.length < 3) outcomes.push(await ask(studio, agent, outcomes.length, NEIGHBOUR));
  over.abort();
  await Promise.all(workers);
  return outcomes;
}

/** Prints how a flood ends, what it costs others, and how long a second caller waits beside it. */
export async function measureQueue(): Promise<void> {
  const studio = await startStudio({ args: ['--no-sample', '--model', `${MODEL}=${BENCH_MODEL}`] });
  const agent = new Agent({ keepAlive: true });
  try {
    await Promise.all(Array.from({ length: 8 }, (_, seed) => ask(studio, agent, seed)));
    const quiet: number[] = [];
    for (let round = 0; round < 9; round += 1) quiet.push((await ask(studio, agent, round, NEIGHBOUR)).milliseconds);

    const flooding = flood(studio, agent);
    const health = await watchHealth(studio, new Agent({ keepAlive: true }), flooding);
    printFlood(await flooding, health);

    const neighbour = await askBeside(studio, agent);
    const times = neighbour.map(({ status, milliseconds }) => `${status} after ${ms(milliseconds)}`).join(', ');
    process.stdout.write(
      `requests of another caller during such a flood: ${times}; ` +
        `alone ${ms(quantile(quiet, 0.5))} (median of ${quiet.length})\n`,
    );
  } finally {
    agent.destroy();
    await studio.stop();
  }
}
