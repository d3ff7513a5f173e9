// Ray's Jobs API as Ray 2.60 was seen to behave.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { LaunchRefused, type Launcher } from './launcher.ts';
import { openRayLauncher, toRayStatus } from './rayLauncher.ts';

interface RayJob {
  submission_id: string;
  entrypoint: string;
  status: string;
  [more: string]: unknown;
}

let server: Server;
let ray: Launcher;
const jobs = new Map<string, RayJob>();
let broken = false;

beforeAll(async () => {
  server = createServer((request, response) => {
    let sent = '';
    request.on('data', (part: Buffer) => (sent += part.toString()));
    request.on('end', () => {
      const answer = (status: number, value: unknown): void => {
        response.writeHead(status);
        response.end(typeof value === 'string' ? value : JSON.stringify(value));
      };
      const [, id = '', verb = ''] = /^\/api\/jobs\/([\w-]*)(?:\/(\w+))?$/.exec(request.url ?? '') ?? [];
      if (broken) return answer(502, '<html>Bad Gateway</html>');
      if (request.method !== 'GET' && request.headers['sec-fetch-mode'] !== undefined)
        return answer(405, "'POST' method not allowed for browser traffic.");
      const job = jobs.get(id);
      if (request.method === 'POST' && id === '') {
        const wanted = JSON.parse(sent) as RayJob;
        if (jobs.has(wanted.submission_id)) return answer(500, 'Traceback\nValueError: already exists');
        if (wanted.entrypoint.includes('busy')) return answer(429, 'Too many requests');
        if (wanted.entrypoint.includes('refused')) return answer(400, 'Traceback\nTypeError: no entrypoint');
        jobs.set(wanted.submission_id, { ...wanted, status: 'PENDING' });
        return answer(200, { submission_id: wanted.submission_id });
      }
      if (job === undefined) return answer(404, `Job ${id} does not exist`);
      if (request.method === 'DELETE') {
        jobs.delete(id);
        return answer(200, {});
      }
      if (verb === 'logs') return answer(200, { logs: 'one\ntwo\n' });
      if (verb === 'stop') {
        if (job.status === 'RUNNING') job.status = 'STOPPED';
        return answer(200, { stopped: true });
      }
      return answer(200, job);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const worker = ['model-studio'];
  ray = openRayLauncher({
    name: 'ray',
    mostAtOnce: 1,
    address,
    tokenFile: null,
    gpus: 1,
    cpus: 1,
    minutes: null,
    folder: '/w',
    worker,
    trainer: null,
  });
});
afterAll(() => server.close());
beforeEach(() => {
  jobs.clear();
  broken = false;
});

const ORDER = {
  id: 'ms-1',
  job: null,
  experimentId: 'e',
  label: 'A run',
  studio: 'http://s',
  token: 'SECRET',
  claim: 'ONCE',
};

it('a job is submitted once, with a code in the place of its token', async () => {
  expect(await ray.submit(ORDER)).toBe('ms-1');
  expect(await ray.submit(ORDER)).toBe('ms-1');
  expect(jobs.size).toBe(1);
  const job = jobs.get('ms-1');
  expect(job).toMatchObject({
    entrypoint: 'exec model-studio worker --studio http://s --claim ONCE --run e --data /w',
    entrypoint_num_gpus: 1,
    runtime_env: { env_vars: { RAY_JOB_STOP_WAIT_TIME_S: '60' } },
  });
  expect(JSON.stringify(job)).not.toContain('SECRET');
  expect(await ray.log(ORDER, 4, null)).toEqual({ text: 'two\n', next: 8 });
});

it('a job that waits keeps its place although Ray says that it was stopped', async () => {
  await ray.submit(ORDER);
  await ray.stop(ORDER);
  expect(await ray.status(ORDER)).toEqual({ kind: 'waiting', reason: 'not started yet, 1 CPU, 1 GPU may not be free' });
});

it('a job that Ray gave up because nothing was free is submitted once more, with a new code', async () => {
  await ray.submit(ORDER);
  Object.assign(jobs.get('ms-1') ?? {}, { status: 'FAILED', error_type: 'JOB_SUPERVISOR_ACTOR_START_TIMEOUT' });
  expect(await ray.status(ORDER)).toEqual({ kind: 'unplaced' });
  await ray.submit({ ...ORDER, claim: 'TWICE' });
  expect(jobs.get('ms-1')?.entrypoint).toContain('--claim TWICE');
  expect(await ray.status(ORDER)).toMatchObject({ kind: 'waiting' });
});

it('a job that a new head does not know is lost, and a head that answers nonsense is no answer', async () => {
  expect(await ray.status(ORDER)).toEqual({ kind: 'lost' });
  broken = true;
  await expect(ray.status(ORDER)).rejects.toThrow('Ray answers 502: <html>Bad Gateway</html>');
});

it('what Ray refuses is said by the last line of its traceback', async () => {
  const submitted = ray.submit({ ...ORDER, experimentId: 'refused' });
  await expect(submitted).rejects.toThrow('Ray answers 400: TypeError: no entrypoint');
  await expect(submitted).rejects.toBeInstanceOf(LaunchRefused);
  const busy = ray.submit({ ...ORDER, experimentId: 'busy' });
  await expect(busy).rejects.toThrow('Ray answers 429: Too many requests');
  await expect(busy).rejects.not.toBeInstanceOf(LaunchRefused);
});

it.each([
  [
    { status: 'FAILED', driver_exit_code: 75 },
    { code: 75, cause: null },
  ],
  [
    { status: 'FAILED', message: 'The node died.' },
    { code: null, cause: 'node', words: 'The node died.' },
  ],
  [{ status: 'SUCCEEDED' }, { code: 0 }],
  [
    { status: 'FAILED', driver_exit_code: 124 },
    { code: 124, cause: 'time' },
  ],
  [
    { status: 'FAILED', driver_exit_code: -9, start_time: 1_000, end_time: 3_661_500 },
    { code: -9, cause: 'time' },
  ],
  [
    { status: 'FAILED', driver_exit_code: 137, start_time: 1_000, end_time: 3_661_500 },
    { code: 137, cause: 'time' },
  ],
  [
    { status: 'FAILED', driver_exit_code: -9, start_time: 1_000, end_time: 61_000 },
    { code: -9, cause: null },
  ],
  [
    { status: 'STOPPED', driver_exit_code: null },
    { code: null, cause: 'cancelled' },
  ],
] as const)('%j', (job, expected) =>
  expect(toRayStatus(job, { asked: '1 CPU', minutes: 60 })).toMatchObject({ kind: 'ended', ...expected }),
);
