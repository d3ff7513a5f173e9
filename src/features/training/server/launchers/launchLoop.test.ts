// Runs at a launcher: the real service, worker processes, and a cluster that does what a test says.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { isRunning, QUICK, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import {
  createRun,
  openTrainingService,
  readRun,
  untilRun,
  type TrainingService,
} from '#features/training/server/routes/trainingService.fixture.ts';
import { openCommandLauncher } from './commandLauncher.ts';
import { LAUNCH_TIMES } from './launchPlan.ts';

const MAIN = fileURLToPath(new URL('../../../../app/server/launch/main.ts', import.meta.url));
const CLUSTER = fileURLToPath(new URL('./fakeCluster.fixture.mjs', import.meta.url));

let opened: TrainingService;
let folder: string;
const command = (): string[] => [process.execPath, CLUSTER, folder];

function openCluster() {
  return openCommandLauncher({
    name: 'cluster',
    mostAtOnce: 2,
    command: command(),
    folder,
    gpus: 1,
    minutes: null,
    // A file, so that a test chooses what trains.
    worker: [process.execPath, MAIN],
    trainer: `sh ${join(folder, 'trainer.sh')}`,
    answerMs: 5_000,
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  const times = { ...LAUNCH_TIMES, leaveMs: 1_000, stopMs: 4_000, lostMs: 500, placeMs: 8_000 };
  opened = await openTrainingService(
    null,
    { ...QUICK, leaseMs: 5_000 },
    { launchers: { list: [openCluster()], times, pollMs: 200 } },
  );
}, 60_000);
beforeEach(() => {
  set('');
  train('train');
});
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const set = (mode: string): void => writeFileSync(join(folder, 'mode'), mode);
function train(mode: string, delayMs = 0): void {
  const trainer = toTestTrainer(mode, delayMs)
    .command.map((word) => `'${word}'`)
    .join(' ');
  writeFileSync(join(folder, 'trainer.sh'), `exec ${trainer} "$@"\n`);
}
const create = (): Promise<string> => createRun(opened, 'cluster');
const read = (id: string): Promise<TrainingProgress> => readRun(opened, id);
const until = (id: string, isWanted: (progress: TrainingProgress) => boolean): Promise<TrainingProgress> =>
  untilRun(opened, id, isWanted);
const untilReason = (id: string, reason: RegExp): Promise<TrainingProgress> =>
  until(id, (progress) => reason.test(progress.reason ?? ''));
const readLog = async (id: string): Promise<string> =>
  String((await opened.get(`/api/v1/studio/experiments/${id}/log`))['text']);
const act = (id: string, action: string) => opened.service.post(`/api/v1/studio/experiments/${id}/${action}`, {});
const jobsOf = (id: string): string[] => readdirSync(folder).filter((name) => name.startsWith(`ms-${id.slice(0, 8)}-`));
/** What runs of a run's jobs. */
const pidsOf = (id: string): number[] =>
  jobsOf(id).map((job) => Number(JSON.parse(readFileSync(join(folder, job, 'job.json'), 'utf8')).pid));
const callsOf = (id: string, verb: string): number =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${verb} ms-${id.slice(0, 8)}-`)).length;
const untilTidy = (id: string) => vi.waitFor(() => expect(jobsOf(id)).toEqual([]), 20_000);

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** A process and all that it has started, at once: what becomes of a node. */
function killTree(pid: number): void {
  const children = childrenOf(pid);
  process.kill(pid, 'SIGKILL');
  for (const child of children) killTree(child);
}

it('a run waits at the cluster with its reason, trains there, and its model comes back', async () => {
  set('hold');
  const id = await create();
  const waiting = await untilReason(id, /^Waiting at cluster: Resources, job \d+\.$/);
  expect(waiting).toMatchObject({ status: 'queued', launcher: 'cluster', step: 0, started_at: null });
  const [job = ''] = jobsOf(id);
  expect(statSync(join(folder, job, 'token')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, job, 'job.json'), 'utf8')).not.toContain(
    readFileSync(join(folder, job, 'token'), 'utf8').trim(),
  );
  // Nobody else takes it.
  const wanted = { name: 'other', is_built_in: false };
  expect((await opened.service.post('/api/v1/studio/workers/lease', wanted)).status).toBe(204);
  set('');
  const ended = await until(id, ({ status }) => status === 'succeeded');
  expect(ended.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(await readLog(id)).toContain(`Trains ${id}, from support-base.`);
  await untilTidy(id);
  expect(callsOf(id, 'submit')).toBe(1);
}, 90_000);

it('the token of a run opens its own lease and nothing else', async () => {
  train('pause');
  const id = await create();
  await until(id, ({ step }) => step >= 12);
  const [job = ''] = jobsOf(id);
  const headers = { Authorization: `Bearer ${readFileSync(join(folder, job, 'token'), 'utf8').trim()}` };
  const { service } = opened;
  for (const path of ['/api/v1/public/projects', `/api/v1/studio/experiments/${id}/progress`])
    expect((await service.ask(path, { headers })).json()).toMatchObject({ error: { code: 'run_token' } });
  const post = (path: string, body: object) =>
    service.ask(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('/api/session', { token: headers.Authorization.slice(7) })).status).toBe(401);
  const other = await createRun(opened);
  const wanted = { name: 'thief', is_built_in: false, run: other };
  expect((await post('/api/v1/studio/workers/lease', wanted)).status).toBe(204);
  const lease = (await service.post('/api/v1/studio/workers/lease', { ...wanted, name: 'honest' })).json() as {
    lease_id: string;
  };
  const lines = `/api/v1/studio/workers/leases/${lease.lease_id}/lines`;
  expect((await post(lines, { from: 0, lines: [] })).json()).toMatchObject({ error: { code: 'lease_ended' } });
  expect((await service.post(lines, { from: 0, lines: [] })).status).toBe(200);
  await act(other, 'cancel');
  await act(id, 'cancel');
  await untilTidy(id);
  expect((await post('/api/v1/studio/workers/lease', wanted)).status).toBe(401);
}, 90_000);

describe('a run that is cancelled', () => {
  it('while it waits is ended at the cluster, and its page says when it is gone', async () => {
    set('hold');
    const id = await create();
    await untilReason(id, /^Waiting/);
    await act(id, 'cancel');
    await untilReason(id, /^Cancelled before it began\. Job \d+ at cluster is gone\.$/);
    expect(callsOf(id, 'stop')).toBeGreaterThan(0);
  }, 60_000);

  it('while it trains ends its worker and the trainer', async () => {
    train('train', 500);
    const id = await create();
    await until(id, ({ step }) => step > 1);
    const [pid = 0] = pidsOf(id);
    expect(isRunning(pid)).toBe(true);
    await act(id, 'cancel');
    await untilReason(id, /^Cancelled by a person\. Job \d+ at cluster is gone\.$/);
    expect(isRunning(pid)).toBe(false);
  }, 60_000);

  it('at a cluster that ignores that is let go, and the log says what to end there', async () => {
    set('hold deaf');
    const id = await create();
    await untilReason(id, /^Waiting/);
    await act(id, 'cancel');
    await untilReason(id, /cluster is ending job/);
    await untilReason(id, /is gone/);
    expect(await readLog(id)).toMatch(/cluster was asked to end job \d+ at cluster .* End it there/);
  }, 60_000);
});

it('the time that a job has until its worker takes the run counts from when the run is left', async () => {
  train('train', 500);
  const id = await create();
  await until(id, ({ step }) => step > 1);
  const readSince = async (): Promise<number> => {
    const { rows } = await opened.studio.database.executeSql(
      `select (said->>'since')::float8 as since from studio.launches where experiment_id = '${id}'`,
    );
    return (rows[0] as { since: number }).since;
  };
  const before = await readSince();
  await vi.waitFor(async () => expect(await readSince()).toBeGreaterThan(before), 10_000);
  await act(id, 'cancel');
  await untilTidy(id);
}, 60_000);

it('a run that was preempted is placed again, goes on from its checkpoint, and not for ever', async () => {
  train('pause');
  set('cause:preempted');
  const id = await create();
  await until(id, ({ step }) => step >= 12);
  process.kill(-(pidsOf(id)[0] ?? 0), 'SIGTERM');
  const ended = await until(id, ({ status }) => status === 'succeeded');
  expect(ended.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(await readLog(id)).toMatch(
    /Job \d+ at cluster was preempted\. It goes on from its last checkpoint\. Placed again 1 of 3 times\.\n[^]*begins at step 12\n/,
  );
  await untilTidy(id);

  // Preempted each time, before a checkpoint.
  writeFileSync(join(folder, 'trainer.sh'), 'exit 75\n');
  const again = await create();
  const failed = await until(again, ({ status }) => status === 'failed');
  expect(failed.reason).toMatch(/was preempted\. It was placed again 3 times already\./);
}, 120_000);

it.each([
  ['runs out of memory', 'cause:memory', /ran out of memory\. Ask for more memory .* Its last checkpoint is kept\./],
  ['is ended by somebody at the cluster', 'cause:cancelled', /was ended by somebody at the cluster\. Ask there/],
])(
  'a run whose job %s has failed for that',
  async (_how, mode, reason) => {
    set(mode);
    train('pause');
    const id = await create();
    await until(id, ({ step, checkpoints }) => step >= 12 && checkpoints.length > 0);
    const [pid = 0] = pidsOf(id);
    for (const child of childrenOf(pid)) killTree(child);
    expect((await until(id, ({ status }) => status === 'failed')).reason).toMatch(reason);
  },
  60_000,
);

it('a run that the cluster forgot is lost, what it saved is kept, and it goes on when a person wants', async () => {
  train('pause');
  const id = await create();
  await until(id, ({ step, checkpoints }) => step >= 12 && checkpoints.length > 0);
  // The whole node goes.
  const [pid = 0] = pidsOf(id);
  set('forget');
  killTree(pid);
  const lost = await until(id, ({ status }) => status === 'failed');
  expect(lost.reason).toMatch(
    /^cluster does not know job \d+ at cluster any more: it was lost there\. Its last checkpoint/,
  );
  expect(lost.actions).toEqual(['resume']);
  set('');
  train('train');
  await act(id, 'resume');
  await until(id, ({ status }) => status === 'succeeded');
  expect(await readLog(id)).toMatch(/begins at step 10\n/);
}, 90_000);

describe('a launcher', () => {
  it.each([
    ['answers garbage', 'garbage', /its answer to \w+ is no JSON: "<html>502/],
    ['hangs', 'hang', /did not answer within 5 s/],
  ])(
    'that %s is asked again, and then the run has failed with what it said',
    async (_how, mode, reason) => {
      set(mode);
      const id = await create();
      await untilReason(id, /cluster does not answer now/);
      const ended = await until(id, ({ status }) => status === 'failed');
      expect(ended.reason).toMatch(reason);
      expect(ended.reason).toMatch(/^cluster did not take the run/);
    },
    60_000,
  );

  it('that stops to answer while a run waits keeps the run, which goes on afterwards', async () => {
    set('hold');
    const id = await create();
    await untilReason(id, /^Waiting/);
    set('garbage');
    await untilReason(id, /^Waiting at cluster: Resources, job \d+\. cluster does not answer now/);
    set('');
    await until(id, ({ status }) => status === 'succeeded');
  }, 60_000);

  it('that refuses a run says why', async () => {
    set('refuse');
    const id = await create();
    const ended = await until(id, ({ status }) => status === 'failed');
    expect(ended.reason).toBe(
      'cluster did not take the run: there is no partition gpu. Check launchers.json, and start it again.',
    );
  }, 60_000);

  it('whose answer to a submission was lost has one job of the run', async () => {
    set('lose-answer hold');
    const id = await create();
    await untilReason(id, /^Waiting at cluster: Resources, job \d+\./);
    expect(jobsOf(id)).toHaveLength(1);
    set('');
    await until(id, ({ status }) => status === 'succeeded');
    expect((await readLog(id)).match(/begins at step 0/g)).toHaveLength(1);
  }, 60_000);

  it('that gives one number to two jobs keeps the first', async () => {
    set('hold same-number');
    const first = await create();
    await untilReason(first, /^Waiting at cluster: Resources, job 7\./);
    const second = await create();
    expect((await until(second, ({ status }) => status === 'failed')).reason).toContain(
      'gave the number 7 to two jobs',
    );
    set('');
    await until(first, ({ status }) => status === 'succeeded');
  }, 60_000);

  it('gets as many runs at once as it may have, and others wait in their order', async () => {
    set('hold');
    const ids = [await create(), await create(), await create()];
    await untilReason(ids[1] ?? '', /^Waiting/);
    expect((await read(ids[2] ?? '')).reason).toBe('It is given to cluster next.');
    expect(await opened.get('/api/v1/studio/launchers')).toEqual({
      launchers: [{ name: 'cluster', kind: 'command', about: expect.any(String) as string, most_at_once: 2, open: 2 }],
    });
    set('');
    for (const id of ids) await until(id, ({ status }) => status === 'succeeded');
  }, 120_000);
});

it('a launcher that nobody has configured is refused with those that there are', async () => {
  const body = { snapshot_id: opened.snapshotId, name: 'X', studio: { launcher: 'moon' }, experiments: [] };
  const experiments = [
    { base_model_id: 'support-base', batch_size: 8, n_epochs: 1, learning_rate_multiplier: 0.006, lora: true },
  ];
  const answer = await opened.service.post('/api/v1/public/finetuning/create', { ...body, experiments });
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    {
      error: {
        code: 'unknown_launcher',
        param: 'studio.launcher',
        message: expect.stringContaining('There are: cluster.') as string,
      },
    },
  ]);
});
