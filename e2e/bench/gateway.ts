// Gateway: first delta and tokens per second through our gateway, beside the upstream asked directly and a bare
// node:http pipe, in turn in one run. Upstream, pipe and gateway are processes of their own; the load is this one.
import { Agent, request as httpRequest } from 'node:http';
import { startStudio } from '../startStudio.ts';
import { openProcess } from './processes.ts';
import { median, quantile } from './quantile.ts';
import { amount } from './short.ts';

interface Target {
  readonly name: 'direct' | 'pipe' | 'ours';
  readonly url: string;
  readonly token: string;
}

export interface GatewayFigures {
  /** Milliseconds to the first delta. */
  readonly first: Readonly<Record<Target['name'], { readonly p50: number; readonly p99: number }>>;
  /** Medians per number of streams; `ratio` is ours to the pipe, the median of paired rounds. */
  readonly rates: readonly {
    readonly streams: number;
    readonly direct: number;
    readonly pipe: number;
    readonly ours: number;
    readonly ratio: number;
  }[];
}

const FIRST_ROUNDS = amount(400, 2);
const RATE_ROUNDS = amount(9, 1);
/** Shared by the streams of a round: 10,000 tokens each at 64 streams. */
const TOKENS_PER_ROUND = amount(640_000, 6_400);
const agent = new Agent({ keepAlive: true });

/** One stream to its end; resolves with the milliseconds until its first delta. Checks that it is whole. */
function readStream(target: Target, tokens: number): Promise<number> {
  const body = JSON.stringify({
    model: `stream:${tokens}:0`,
    messages: [{ role: 'user', content: 'x' }],
    stream: true,
  });
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = {
      authorization: `Bearer ${target.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const request = httpRequest(
      `${target.url}/api/v1/chat/completions`,
      { agent, method: 'POST', headers },
      (response) => {
        let first = 0;
        let bytes = 0;
        let last: Buffer = Buffer.alloc(0);
        response.on('data', (data: Buffer) => {
          if (first === 0) first = performance.now() - started;
          bytes += data.length;
          // The end mark may be cut in two by the network.
          last = data.length >= 32 ? data : Buffer.concat([last.subarray(-32), data]);
        });
        response.on('error', reject);
        response.on('end', () => {
          const isWhole =
            response.statusCode === 200 && last.toString().endsWith('data: [DONE]\n\n') && bytes > tokens * 100;
          if (isWhole) resolve(first);
          else reject(new Error(`${target.name}: status ${response.statusCode}, ${bytes} bytes, not a whole stream`));
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function measureRate(target: Target, streams: number): Promise<number> {
  const tokens = Math.round(TOKENS_PER_ROUND / streams);
  const started = performance.now();
  await Promise.all(Array.from({ length: streams }, () => readStream(target, tokens)));
  return (tokens * streams * 1000) / (performance.now() - started);
}

async function measureFirst(targets: readonly Target[]): Promise<GatewayFigures['first']> {
  const times: Record<Target['name'], number[]> = { direct: [], pipe: [], ours: [] };
  for (let round = -50; round < FIRST_ROUNDS; round += 1) {
    for (const target of targets) {
      const time = await readStream(target, 1);
      if (round >= 0) times[target.name].push(time);
    }
  }
  const figures = (name: Target['name']): { p50: number; p99: number } => ({
    p50: median(times[name]),
    p99: quantile(times[name], 0.99),
  });
  return { direct: figures('direct'), pipe: figures('pipe'), ours: figures('ours') };
}

async function measureRates(targets: readonly Target[], streams: number): Promise<GatewayFigures['rates'][number]> {
  const rates: Record<Target['name'], number[]> = { direct: [], pipe: [], ours: [] };
  for (let round = -2; round < RATE_ROUNDS; round += 1) {
    for (const target of targets) {
      const rate = await measureRate(target, streams);
      if (round >= 0) rates[target.name].push(rate);
    }
  }
  const ratios = rates.ours.map((rate, index) => rate / (rates.pipe[index] ?? Number.NaN));
  return {
    streams,
    direct: median(rates.direct),
    pipe: median(rates.pipe),
    ours: median(rates.ours),
    ratio: median(ratios),
  };
}

function print({ first, rates }: GatewayFigures): void {
  const ms = (value: number): string => value.toFixed(2);
  const millions = (value: number): string => `${(value / 1e6).toFixed(2)} M`;
  for (const name of ['direct', 'pipe', 'ours'] as const) {
    process.stdout.write(
      `first delta, ${name}: p50 ${ms(first[name].p50)} ms, p99 ${ms(first[name].p99)} ms, added p50 ` +
        `${ms(first[name].p50 - first.direct.p50)} ms\n`,
    );
  }
  for (const rate of rates) {
    process.stdout.write(
      `${rate.streams} streams at full speed, tokens/s: direct ${millions(rate.direct)}, pipe ` +
        `${millions(rate.pipe)}, ours ${millions(rate.ours)}; ours to pipe ${rate.ratio.toFixed(2)}\n`,
    );
  }
}

/** Measures, prints and gives the figures. */
export async function measureGateway(): Promise<GatewayFigures> {
  const source = await openProcess('sourceProcess.ts');
  const pipe = await openProcess('pipeProcess.ts', [source.url]);
  const studio = await startStudio({ args: ['--base-url', source.url], env: { STUDIO_API_KEY: 'bench' } });
  try {
    const targets: readonly Target[] = [
      { name: 'direct', url: source.url, token: 'bench' },
      { name: 'pipe', url: pipe.url, token: 'bench' },
      { name: 'ours', url: studio.origin, token: studio.token },
    ];
    const first = await measureFirst(targets);
    const rates: GatewayFigures['rates'][number][] = [];
    for (const streams of [1, 16, 64]) rates.push(await measureRates(targets, streams));
    print({ first, rates });
    return { first, rates };
  } finally {
    agent.destroy();
    await studio.stop();
    await pipe.stop();
    await source.stop();
  }
}

if (process.argv[1] === import.meta.filename) await measureGateway();
