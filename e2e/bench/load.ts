// Four services on one real PostgreSQL behind a bare balancer: 200 chat streams at once, beside one service alone. Then
// the same while rows are added, and one service ends by SIGKILL: which streams that ends, what their readers see, and
// whether all services hold the same afterwards.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readStream } from '#core/stream/readStream.ts';
import { findBinaries, findFreePort, openRealPostgres } from '#service/database/realPostgres.fixture.ts';
import { makeFolder, startStudio, type StartedStudio } from '../startStudio.ts';
import { openBalancer, SERVED_BY, type Balancer } from './balancer.ts';
import { ask, type Place } from '../askStudio.ts';
import { addRow, ensure, upload } from './killsWork.ts';
import { openProcess } from './processes.ts';
import { readCpu } from './processFacts.ts';
import { quantile } from './quantile.ts';
import { amount } from './short.ts';

/** For each service, before it is measured: its code is compiled then. */
const WARM_UP = amount(15, 1);
const STREAMS = Number(process.env['LOAD_STREAMS'] ?? amount(200, 8));
const SERVICES = amount(4, 2);
const TOKENS = amount(300, 60);
const PER_SECOND = amount(30, 100);
const MODEL = `stream:${TOKENS}:${PER_SECOND}`;
const TOKEN = 'the-token-of-the-load-test';
const ROWS_AT_FIRST = 20;

interface Answer {
  readonly servedBy: number;
  readonly text: string;
  readonly deltas: number;
  /** The last event; an HTTP error is one too. */
  readonly end: string;
  readonly message: string;
  readonly firstMs: number;
}

/** Asks as the program with this number; programs at different addresses are different callers. */
async function chat(balancer: Balancer, caller: number, onFirst: (servedBy: number) => void): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(balancer.url + '/api/v1/chat/completions', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'x-forwarded-for': `10.0.${caller >> 8}.${caller & 255}`,
    },
    body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: `Caller ${caller}` }] }),
  });
  const servedBy = Number(response.headers.get(SERVED_BY) ?? 0);
  let text = '';
  let deltas = 0;
  let firstMs = 0;
  if (!response.ok || response.body === null) {
    const message = await response.text();
    return { servedBy, text, deltas, end: `HTTP ${response.status}`, message, firstMs };
  }
  let end = 'none';
  let message = '';
  for await (const batch of readStream(response.body))
    for (const event of batch) {
      if (event.type === 'text-delta') {
        if (deltas === 0) {
          firstMs = performance.now() - began;
          onFirst(servedBy);
        }
        text += event.text;
        deltas += 1;
      } else if (event.type === 'stream-error') [end, message] = [event.type, event.message];
      else if (event.type === 'stream-interrupted') [end, message] = [event.type, event.reason];
      else if (event.type === 'message-end') end = event.type;
    }
  return { servedBy, text, deltas, end, message, firstMs };
}

interface Round {
  readonly answers: readonly Answer[];
  readonly ms: number;
  readonly cpuMs: number;
}

/** So many streams at once. `onBegun` is called when nine of ten have their first delta. */
async function stream(
  balancer: Balancer,
  services: readonly StartedStudio[],
  count = STREAMS,
  onBegun: () => void = () => undefined,
): Promise<Round> {
  const pids = services.map(({ process: { pid } }) => pid ?? 0);
  const read = (): number => pids.reduce((sum, pid) => sum + readCpu(pid), 0);
  const [cpu, began] = [read(), performance.now()];
  let begun = 0;
  const answers = await Promise.all(
    Array.from({ length: count }, (_, caller) =>
      chat(balancer, caller, () => {
        begun += 1;
        if (begun === Math.ceil(count * 0.9)) onBegun();
      }),
    ),
  );
  const ms = performance.now() - began;
  // A process that was killed has no figures any more.
  return { answers, ms, cpuMs: services.some(({ process: { signalCode } }) => signalCode) ? 0 : read() - cpu };
}

const isWhole = ({ end, text }: Answer, expected: string): boolean => end === 'message-end' && text === expected;

/** How often each end came, as words. */
function toEnds(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { end, message } of answers) counts.set(`${end}: ${message}`, (counts.get(`${end}: ${message}`) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${count} by ${text}`).join('; ');
}

function print(name: string, { answers, ms, cpuMs }: Round, expected: string): void {
  const broken = answers.filter((answer) => !isWhole(answer, expected));
  const deltas = answers.reduce((sum, answer) => sum + answer.deltas, 0);
  const firsts = answers.map(({ firstMs }) => firstMs);
  const cost = cpuMs === 0 ? '' : `, ${((cpuMs / deltas) * 1000).toFixed(0)} µs of processor time a delta`;
  process.stdout.write(
    `  ${name}: ${answers.length - broken.length} of ${answers.length} streams whole, ${deltas} deltas in ${(ms / 1000).toFixed(1)} s; first delta p50 ` +
      `${quantile(firsts, 0.5).toFixed(0)}, p95 ${quantile(firsts, 0.95).toFixed(0)} ms${cost}\n` +
      (broken.length === 0 ? '' : `    not whole: ${toEnds(broken)}\n`),
  );
}

/** Adds rows through the balancer until `isOver`. Resolves to how many were acknowledged, and how many were not. */
async function addRows(balancer: Balancer, dataset: string, isOver: () => boolean): Promise<readonly [number, number]> {
  let [added, unknown] = [0, 0];
  while (!isOver()) {
    if (await addRow({ origin: balancer.url, token: TOKEN }, dataset, ROWS_AT_FIRST + added + unknown)) added += 1;
    else unknown += 1;
    await sleep(20);
  }
  return [added, unknown];
}

/** What a service says of a project and the rows of its dataset. */
async function readAll(place: Place, project: string, dataset: string): Promise<{ all: string; rows: number }> {
  const { datapoints_count: rows } = await ask<{ datapoints_count: number }>(
    place,
    `/api/v1/public/datasets/${dataset}`,
  );
  const pages: unknown[] = [await ask(place, `/api/v1/public/projects/${project}`)];
  for (let from = 0; from < rows; from += 200)
    pages.push(await ask(place, `/api/v1/studio/datasets/${dataset}/table?from=${from}&limit=200`));
  return { all: JSON.stringify(pages), rows };
}

export async function measureLoad(): Promise<void> {
  const native = findBinaries();
  if (native === null) throw new Error('There are no binaries of PostgreSQL for this system.');
  const postgres = await openRealPostgres(native);
  const upstream = await openProcess('loadUpstream.ts', [MODEL]);
  const balancer = await openBalancer();
  const dataDir = makeFolder('load');
  const services: StartedStudio[] = [];
  const start = async (): Promise<StartedStudio> => {
    const port = await findFreePort();
    const args = ['--port', String(port), '--public-url', balancer.url, '--engine', `${upstream.url}/v1`];
    const started = await startStudio({
      dataDir,
      args,
      env: { DATABASE_URL: postgres.url, STUDIO_TOKEN: TOKEN },
      form: 'optimised',
      seconds: 180,
    });
    const service = { ...started, origin: `http://127.0.0.1:${port}` };
    services.push(service);
    return service;
  };
  const portOf = ({ origin }: StartedStudio): number => Number(new URL(origin).port);
  try {
    const first = await start();
    const place: Place = { origin: balancer.url, token: TOKEN };
    balancer.use([portOf(first)]);
    const { project_id: project } = await ask<{ project_id: string }>(place, '/api/v1/public/projects/create', {
      name: 'Load',
    });
    const dataset = randomUUID();
    await upload(place, project, dataset, ROWS_AT_FIRST);
    const whole = await fetch(`${upstream.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: MODEL, stream: false, messages: [] }),
    });
    const { choices } = (await whole.json()) as { choices: readonly [{ message: { content: string } }] };
    const expected = choices[0].message.content;

    await stream(balancer, services, WARM_UP);
    const alone = await stream(balancer, services);
    print('one service', alone, expected);

    await Promise.all(Array.from({ length: SERVICES - 1 }, start));
    balancer.use(services.map(portOf));
    await stream(balancer, services, WARM_UP * SERVICES);
    const together = await stream(balancer, services);
    print(`${SERVICES} services`, together, expected);
    process.stdout.write(
      `  ${SERVICES} services take ${(together.ms / alone.ms).toFixed(2)} times the time and ` +
        `${(together.cpuMs / alone.cpuMs).toFixed(2)} times the processor time of one\n`,
    );

    const victim = services[1]!;
    const rows = { isOver: false };
    const adding = addRows(balancer, dataset, () => rows.isOver);
    const round = await stream(balancer, services, STREAMS, () => void victim.process.kill('SIGKILL'));
    rows.isOver = true;
    const [added, unknown] = await adding;
    print(`${SERVICES} services, one of them ended by SIGKILL`, round, expected);
    const [own, others] = [true, false].map((isOwn) =>
      round.answers.filter(({ servedBy }) => (servedBy === portOf(victim)) === isOwn),
    ) as [Answer[], Answer[]];
    const ended = own.filter(({ end }) => end !== 'message-end');
    process.stdout.write(
      `    ${own.length} streams were its own; ${ended.length} of them ended: ` +
        `${toEnds(ended)}\n` +
        `    ${others.filter((answer) => isWhole(answer, expected)).length} of the ${others.length} others are whole\n`,
    );
    ensure(ended.length > 0, 'the service that was killed had no stream that went on');
    ensure(
      ended.every(({ end, text }) => end === 'stream-error' && expected.startsWith(text)),
      'a stream of the killed service has no clear end, or a wrong text',
    );
    ensure(
      others.every((answer) => isWhole(answer, expected)),
      'a stream of another service is not whole',
    );

    const left = services.filter((service) => service !== victim);
    left.push(await start());
    const states = await Promise.all(left.map((service) => readAll(service, project, dataset)));
    const [{ rows: count, all }] = states as [(typeof states)[number]];
    ensure(
      states.every((state) => state.all === all),
      'the services do not say the same of the tree and its rows',
    );
    const known = ROWS_AT_FIRST + added;
    ensure(known <= count && count <= known + unknown, `${known} rows were acknowledged, ${count} are there`);
    process.stdout.write(
      `    ${added} rows were acknowledged meanwhile, ${unknown} were not; all ${left.length} services, one of them ` +
        `new, have the same tree and the same ${count} rows\n`,
    );
  } finally {
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    await Promise.all([balancer.close(), upstream.stop()]);
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
