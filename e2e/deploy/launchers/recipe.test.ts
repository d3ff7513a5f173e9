// Both recipes, as the studio asks them, with tools that print what the real ones print. The real ones: e2e/real/recipes.sh.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCommandLauncher } from '#features/training/server/launchers/commandLauncher.ts';
import { LaunchRefused, type Launcher } from '#features/training/server/launchers/launcher.ts';

const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
const task = join(folder, 'own.yaml');
const jobsFile = join(folder, 'jobs.json');
const canned = join(folder, 'canned');
for (const tool of ['hf', 'sky']) {
  const fake = join(import.meta.dirname, 'fakeTools.fixture.mjs');
  // `canned`: an answer that needs no more than a shell.
  const lines = [
    '#!/bin/sh',
    `[ -f "${canned}" ] && exec cat "${canned}"`,
    `exec "${process.execPath}" "${fake}" "${folder}" ${tool} "$@"`,
  ];
  writeFileSync(join(folder, tool), lines.join('\n'));
  chmodSync(join(folder, tool), 0o755);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  for (const name of ['jobs.json', 'canned', 'seen', 'secrets', 'task.yaml', 'log', 'ms-1'])
    rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(task, 'resources:\n  accelerators: L4:1\n');
});

interface Asking {
  readonly gpus?: number;
  readonly seconds?: number;
  readonly path?: string;
}
const open = (words: readonly string[], { gpus = 0, seconds = 50, path = folder }: Asking = {}): Launcher =>
  openCommandLauncher({
    name: 'cloud',
    mostAtOnce: 1,
    command: ['env', `PATH=${path}:/usr/bin:/bin`, `ANSWER_SECONDS=${seconds}`, process.execPath, ...words],
    folder,
    gpus,
    minutes: 60,
    worker: ['model-studio'],
    trainer: "python it's.py",
  });
const scripts = { hf: 'hf-jobs.mjs', sky: 'sky.mjs' } as const;
const last = {
  hf: ['--flavor', 'a10g-small', '--namespace', 'acme', 'image:1'],
  sky: ['--infra', 'gcp', task],
} as const;
const openTool = (tool: 'hf' | 'sky', asking?: Asking): Launcher =>
  open([join(import.meta.dirname, scripts[tool]), ...last[tool]], asking);

const JOB = { id: 'ms-1', job: null };
const ORDER = { ...JOB, experimentId: 'e', label: 'A run', studio: 'http://s', token: 'SECRET', claim: 'ONCE' };
const say = (state: object): void => writeFileSync(jobsFile, JSON.stringify(state));
const state = () => JSON.parse(readFileSync(jobsFile, 'utf8')) as { jobs: { words: string[]; status: unknown }[] };
const hfJob = (status: object) => ({ jobs: [{ id: '9', name: 'ms-1', created_at: '2026-11-29T12:00:00', status }] });
const skyJob = (status: string, more: object = {}) => ({ jobs: [{ job_id: 7, job_name: 'ms-1', status, ...more }] });

describe.each(['hf', 'sky'] as const)('%s', (tool) => {
  const launcher = openTool(tool);

  it('gets the token in a file, in no word and no environment, and runs the worker with a file of the machine', async () => {
    await launcher.submit(ORDER);
    expect(readFileSync(join(folder, 'secrets'), 'utf8')).toBe('STUDIO_WORKER_TOKEN=SECRET\n');
    expect(readFileSync(join(folder, 'seen'), 'utf8')).not.toContain('SECRET');
    const run = tool === 'hf' ? state().jobs[0]!.words.at(-1)! : readFileSync(join(folder, 'task.yaml'), 'utf8');
    expect(run).toContain('exec timeout -s TERM -k 120 3600 model-studio worker --studio http://s --token-file');
    expect(run).not.toContain(folder);
    if (tool === 'sky') expect(run).toMatch(/^resources:\n {2}accelerators: L4:1\nrun: ".*"\n$/);
  });

  it('has no job before it was submitted', async () => {
    expect(await launcher.status(JOB)).toEqual({ kind: 'lost' });
    await launcher.stop(JOB);
    expect(await launcher.log(JOB, 0, null)).toEqual({ text: '', next: 0 });
  });
});

describe('what both have in common', () => {
  const launcher = openTool('hf');

  it('does not count GPUs twice', async () => {
    const asked = openTool('hf', { gpus: 1 }).submit(ORDER);
    await expect(asked).rejects.toBeInstanceOf(LaunchRefused);
    await expect(asked).rejects.toThrow(/"gpus" has no effect here/);
  });

  it('says that it hangs, and ends it', async () => {
    say({ fault: { hangs: true } });
    await expect(openTool('hf', { seconds: 0.5 }).status(JOB)).rejects.toThrow(/did not answer in time/);
  });

  it('quotes garbage', async () => {
    writeFileSync(canned, '<html>502 Bad Gateway</html>');
    await expect(launcher.status(JOB)).rejects.toThrow('hf printed no JSON: "<html>502 Bad Gateway</html>"');
  });

  it('says that it is not installed', async () => {
    await expect(openTool('hf', { path: '/nowhere' }).status(JOB)).rejects.toThrow(/can not be started \(ENOENT\)/);
  });

  it('says what its command lacks', async () => {
    const bare = open([join(import.meta.dirname, scripts.hf)]);
    await expect(bare.status(JOB)).rejects.toThrow(/names no (image|task) behind the script/);
  });

  it('gives its log in parts', async () => {
    say(hfJob({ stage: 'RUNNING' }));
    writeFileSync(join(folder, 'log'), 'one\n\u001B[33mtwo\u001B[0m\n');
    const first = await launcher.log(JOB, 0, null);
    expect(first).toEqual({ text: 'one\ntwo\n', next: 8 });
    expect(await launcher.log(JOB, 4, null)).toEqual({ text: 'two\n', next: 8 });
    writeFileSync(join(folder, 'log'), `${'😀'.repeat(49_152)}x`);
    const cut = await launcher.log(JOB, 1, null);
    expect(cut.text.isWellFormed() || cut.text.slice(1).isWellFormed()).toBe(true);
  });
});

describe('hf', () => {
  const launcher = openTool('hf');

  it.each([
    [
      { stage: 'SCHEDULING', message: 'Waiting for hardware' },
      { kind: 'waiting', reason: 'Waiting for hardware', job: '9' },
    ],
    [{ stage: 'RUNNING' }, { kind: 'running', job: '9' }],
    [{ stage: 'COMPLETED' }, { kind: 'ended', code: 0, cause: null, words: null }],
    [
      { stage: 'ERROR', message: 'Job failed with exit code: 75. Reason: Error' },
      { kind: 'ended', code: 75, cause: null, words: 'Job failed with exit code: 75. Reason: Error' },
    ],
    [
      { stage: 'ERROR', message: 'Job failed with exit code: 137. Reason: OOMKilled' },
      { kind: 'ended', cause: 'memory' },
    ],
    [
      { stage: 'ERROR', message: 'Job failed with exit code: 124. Reason: Error' },
      { kind: 'ended', cause: 'time' },
    ],
    [
      { stage: 'ERROR', message: 'Job timeout' },
      { kind: 'ended', code: null, cause: 'time' },
    ],
    [
      { stage: 'ERROR', message: 'Pod was evicted' },
      { kind: 'ended', code: null, cause: 'preempted' },
    ],
    [{ stage: 'ERROR' }, { kind: 'ended', code: null, cause: null, words: null }],
    [{ stage: 'CANCELED' }, { kind: 'ended', cause: 'cancelled' }],
    [{ stage: 'DELETED' }, { kind: 'ended', cause: 'cancelled' }],
  ])('%o is %o', async (status, wanted) => {
    writeFileSync(canned, JSON.stringify(hfJob(status).jobs));
    expect(await launcher.status({ id: 'ms-1', job: '9' })).toMatchObject(wanted);
  });

  it('a stage that is new is a problem, not an end', async () => {
    writeFileSync(canned, JSON.stringify(hfJob({ stage: 'DREAMING' }).jobs));
    await expect(launcher.status({ id: 'ms-1', job: '9' })).rejects.toThrow(/a stage that is not known: DREAMING/);
  });

  it('the same id again is the same job, and the first of two', async () => {
    const first = await launcher.submit(ORDER);
    expect(await launcher.submit(ORDER)).toBe(first);
    expect(state().jobs).toHaveLength(1);
  });

  it('asks for the namespace with every word, and gives the hub more time than the worker', async () => {
    await launcher.submit(ORDER);
    await launcher.status(JOB);
    await launcher.stop(JOB);
    const seen = readFileSync(join(folder, 'seen'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('jobs '));
    for (const words of seen) expect(words).toContain('--namespace acme');
    expect(seen.join(' ')).toContain('--timeout 70m');
    expect(state().jobs[0]!.status).toEqual({ stage: 'CANCELED' });
  });

  it.each([
    [
      2,
      "Usage: hf jobs run [OPTIONS] IMAGE COMMAND...\nError: Invalid value for '--attempts': 'x' is not a number.",
      true,
    ],
    [1, "Error: Client error '402 Payment Required' for url 'https://huggingface.co/api/jobs/acme'\nNo credit.", true],
    [1, "Error: Not logged in. Run 'hf auth login' first.", true],
    [1, "Error: Client error '429 Too Many Requests' for url 'https://huggingface.co/api/jobs/acme'", false],
    [
      1,
      'Traceback (most recent call last):\n  File "hf", line 8\nhttpx2.ConnectError: [Errno 111] Connection refused',
      false,
    ],
  ])('exit code %i with %j is refused: %s', async (code, err, isRefused) => {
    say({
      fault: { at: 'jobs run', code, err: `${err}\nHint: set HF_DEBUG=1 as environment variable for full traceback.` },
    });
    const error: unknown = await launcher.submit(ORDER).catch((thrown: unknown) => thrown);
    expect(error instanceof LaunchRefused).toBe(isRefused);
    expect(String(error)).not.toMatch(/Hint|Traceback/);
  });

  it('what is deleted at the hub is lost', async () => {
    say(hfJob({ stage: 'RUNNING' }));
    expect(await launcher.status({ id: 'ms-1', job: '404' })).toEqual({ kind: 'lost' });
  });
});

describe('sky', () => {
  const launcher = openTool('sky');

  it('gives the log of a job that has begun, and nothing of another', async () => {
    writeFileSync(join(folder, 'log'), 'one\n');
    say(skyJob('FAILED', { start_at: 1795954211.2 }));
    expect(await launcher.log(JOB, 0, null)).toEqual({ text: 'one\n', next: 4 });
    say(skyJob('FAILED_PRECHECKS', { start_at: null }));
    expect(await launcher.log(JOB, 0, null)).toEqual({ text: '', next: 0 });
  });
  const failed =
    'Job exited with exit code 75 (user program failure). To see the details, run: sky jobs logs --controller 7';

  it.each([
    [
      'PENDING',
      { details: 'Job submitted to queue' },
      { kind: 'waiting', reason: 'PENDING, Job submitted to queue', job: '7' },
    ],
    ['SUBMITTED', {}, { kind: 'waiting' }],
    ['STARTING', {}, { kind: 'waiting', reason: 'STARTING' }],
    ['RECOVERING', { details: 'Recovering: Cluster preempted or failed' }, { kind: 'waiting' }],
    ['RUNNING', {}, { kind: 'running', job: '7' }],
    ['WINDING_DOWN', {}, { kind: 'running' }],
    ['CANCELLING', {}, { kind: 'running' }],
    ['SUCCEEDED', {}, { kind: 'ended', code: 0 }],
    ['CANCELLED', { details: 'Cancellation requested by user ada' }, { kind: 'ended', cause: 'cancelled' }],
    ['FAILED', { failure_reason: failed }, { kind: 'ended', code: 75, cause: null, words: failed }],
    ['FAILED', { failure_reason: failed.replace('75', '124') }, { kind: 'ended', code: 124, cause: 'time' }],
    [
      'FAILED',
      {
        failure_reason:
          'The job driver on the remote cluster failed. This can be caused by the job taking too much memory.',
      },
      { kind: 'ended', code: null, cause: 'memory' },
    ],
    ['FAILED_SETUP', { failure_reason: failed }, { kind: 'ended', code: null }],
    [
      'FAILED_PRECHECKS',
      { failure_reason: 'Run: \u001B[1msky check\u001B[0m' },
      { kind: 'ended', words: 'Run: sky check' },
    ],
    ['FAILED_NO_RESOURCE', { failure_reason: 'Connection timed out' }, { kind: 'ended', code: null, cause: null }],
    ['FAILED_CONTROLLER', {}, { kind: 'ended', code: null, words: 'FAILED_CONTROLLER' }],
  ])('%s %o is %o', async (status, more, wanted) => {
    writeFileSync(canned, JSON.stringify(skyJob(status, more).jobs));
    expect(await launcher.status(JOB)).toMatchObject(wanted);
  });

  it('a status that is new is a problem, not an end', async () => {
    writeFileSync(canned, JSON.stringify(skyJob('DREAMING').jobs));
    await expect(launcher.status(JOB)).rejects.toThrow(/a status that is not known: DREAMING/);
  });

  it('the same id again is the same submission, and the same job once it is there', async () => {
    await launcher.submit(ORDER);
    expect(await launcher.submit(ORDER)).toBeNull();
    const { requests } = state() as unknown as { requests: { status: string }[] };
    expect(requests).toHaveLength(1);
    expect(await launcher.status(JOB)).toEqual({ kind: 'waiting', reason: 'SkyPilot takes the job' });
    say({ requests, jobs: [{ job_id: 9, job_name: 'ms-1' }, ...skyJob('PENDING').jobs] });
    expect(await launcher.submit(ORDER)).toBe('7');
    expect(await launcher.status(JOB)).toMatchObject({ kind: 'waiting', job: '7' });
  });

  it('a submission that fails later has ended, also if it leaves a job that waits', async () => {
    await launcher.submit(ORDER);
    const words = 'sky.exceptions.NoCloudAccessError: Cloud access is not set up. Run: sky check';
    const requests = [{ request_id: '8ae24291-0', status: 'FAILED' }];
    for (const jobs of [[], skyJob('PENDING').jobs]) {
      say({ jobs, requests });
      expect(await launcher.status(JOB)).toEqual({ kind: 'ended', code: null, cause: null, words });
    }
  });

  it('what is stopped while it is submitted is not submitted', async () => {
    await launcher.submit(ORDER);
    await launcher.stop(JOB);
    expect(state()).toMatchObject({ requests: [{ status: 'CANCELLED' }] });
  });

  it.each([
    [
      'jobs launch',
      1,
      'sky.exceptions.InvalidSkyPilotConfigError: Invalid resources YAML: Found unsupported field.',
      true,
    ],
    ['jobs launch', 2, 'Error: No such option: --gpu', true],
    ['jobs launch', 1, 'sky.exceptions.ApiServerConnectionError: Could not connect to SkyPilot API server', false],
    ['jobs queue', 1, 'sky.exceptions.ApiServerConnectionError: Could not connect to SkyPilot API server', false],
  ])('%s that ends with %i and %j is refused: %s', async (at, code, err, isRefused) => {
    say({ ...skyJob('RUNNING'), jobs: [{ job_id: 1, job_name: 'other' }], fault: { at, code, err } });
    const error: unknown = await launcher.submit(ORDER).catch((thrown: unknown) => thrown);
    expect(error instanceof LaunchRefused).toBe(isRefused);
    expect(String(error)).toContain(err.replace('Error: No', 'No'));
  });

  it('a task that has a run of its own, or is not there, is refused', async () => {
    writeFileSync(task, 'run: echo\n');
    await expect(launcher.submit(ORDER)).rejects.toThrow(/has a "run" of its own/);
    rmSync(task);
    await expect(launcher.submit(ORDER)).rejects.toThrow(/own\.yaml can not be read \(ENOENT\)/);
    expect(existsSync(join(folder, 'task.yaml'))).toBe(false);
  });
});
