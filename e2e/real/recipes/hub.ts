// A small Hugging Face hub that has Jobs alone, as huggingface_hub asks for them, and runs them on this machine, one at a time.
// What it can not show of the real one: its own words of failures, and how long it keeps what has ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Spec {
  readonly dockerImage: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly flavor: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

interface HubJob {
  readonly id: string;
  readonly createdAt: string;
  readonly spec: Spec;
  status: { stage: string; message: string | null };
  process: ChildProcess | null;
  readonly log: { readonly data: string; readonly timestamp: string }[];
}

export interface Hub {
  readonly endpoint: string;
  readonly jobs: HubJob[];
  close(): void;
}

const OWNER = { id: '5e9ecfc04957053f60648a3e', name: 'ada', type: 'user' };

/** What the hub shows of a job: of secrets, that there are some. */
const toInfo = ({ id, createdAt, spec, status }: HubJob) => ({
  id,
  createdAt,
  owner: OWNER,
  initiator: OWNER,
  dockerImage: spec.dockerImage,
  command: spec.command,
  arguments: [],
  environment: spec.environment,
  secrets: Object.fromEntries(Object.keys(spec.secrets ?? {}).map((name) => [name, 'encrypted'])),
  flavor: spec.flavor,
  labels: spec.labels,
  status,
});

async function readBody(request: IncomingMessage): Promise<Spec> {
  let text = '';
  for await (const part of request) text += String(part);
  return JSON.parse(text) as Spec;
}

function begin(job: HubJob, next: () => void): void {
  const { command, environment, secrets, timeoutSeconds } = job.spec;
  const [program = '', ...words] = command;
  const env = { ...process.env, ...environment, ...secrets };
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  job.process = child;
  job.status = { stage: 'RUNNING', message: null };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      for (const data of text.split('\n').filter((line) => line !== ''))
        job.log.push({ data, timestamp: new Date().toISOString() });
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), Math.min((timeoutSeconds ?? 1800) * 1000, 2 ** 31 - 1));
  child.once('close', (code) => {
    clearTimeout(timer);
    job.process = null;
    if (job.status.stage === 'RUNNING')
      job.status =
        code === 0
          ? { stage: 'COMPLETED', message: null }
          : { stage: 'ERROR', message: `Job failed with exit code: ${code}. Reason: Error` };
    next();
  });
}

export async function openHub(): Promise<Hub> {
  const jobs: HubJob[] = [];
  const beginNext = (): void => {
    const waiting = jobs.find(({ status }) => status.stage === 'SCHEDULING');
    if (waiting && jobs.every(({ process: running }) => running === null)) begin(waiting, beginNext);
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub');
    const [, , of, , id, action] = pathname.split('/');
    if (pathname === '/api/whoami-v2') return OWNER;
    if (of !== 'jobs') return null;
    if (request.method === 'POST' && id === undefined) {
      const spec = await readBody(request);
      if (spec.flavor === 'h200') return { status: 402, error: 'Pre-paid credit balance is insufficient.' };
      const number = `687fb701029421ae5549${String(jobs.length).padStart(4, '0')}`;
      const status = { stage: 'SCHEDULING', message: 'Waiting for hardware' };
      jobs.push({ id: number, createdAt: new Date().toISOString(), spec, status, process: null, log: [] });
      beginNext();
      return toInfo(jobs.at(-1)!);
    }
    if (id === undefined) {
      const wanted = searchParams.getAll('label');
      const has = ({ spec }: HubJob): boolean =>
        wanted.every((label) => spec.labels?.[label.split('=')[0]!] === label.split('=')[1]);
      return jobs.filter(has).map(toInfo);
    }
    const job = jobs.find((one) => one.id === id);
    if (job === undefined) return null;
    if (action === 'cancel') {
      job.status = { stage: 'CANCELED', message: null };
      if (job.process?.pid !== undefined) process.kill(-job.process.pid, 'SIGTERM');
      beginNext();
      return { ok: true };
    }
    if (action !== 'logs') return toInfo(job);
    response.setHeader('Content-Type', 'text/event-stream');
    for (const event of job.log) response.write(`data: ${JSON.stringify(event)}\n\n`);
    return undefined;
  }

  const server = createServer((request, response) => {
    void answer(request, response).then((value) => {
      if (value === undefined) return response.end();
      const { status = value === null ? 404 : 200 } = (value ?? {}) as { status?: unknown };
      response.statusCode = typeof status === 'number' ? status : 200;
      response.setHeader('Content-Type', 'application/json');
      return response.end(JSON.stringify(value ?? { error: 'Not found' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs,
    close() {
      for (const { process: running } of jobs) if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
      server.close();
    },
  };
}
