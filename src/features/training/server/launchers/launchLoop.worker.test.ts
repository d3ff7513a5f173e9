// A run at a cluster's own command: the real service over HTTP, and a worker process.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { QUICK, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import {
  createRun,
  openTrainingService,
  untilRun,
  type TrainingService,
} from '#features/training/server/routes/trainingService.fixture.ts';
import { openCommandLauncher } from './commandLauncher.ts';
import { openFakeLauncher } from './fakeLauncher.fixture.ts';
import { LAUNCH_TIMES } from './launchPlan.ts';

const MAIN = fileURLToPath(new URL('../../../../app/server/launch/main.ts', import.meta.url));
const CLUSTER = fileURLToPath(new URL('./fakeCluster.fixture.mjs', import.meta.url));

const fake = openFakeLauncher('fake');
let opened: TrainingService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  const trainer = toTestTrainer('pause').command.join("' '");
  const cluster = openCommandLauncher({
    name: 'cluster',
    mostAtOnce: 2,
    command: [process.execPath, CLUSTER, folder],
    folder,
    gpus: 1,
    minutes: null,
    worker: [process.execPath, MAIN],
    trainer: `'${trainer}'`,
  });
  const times = { ...LAUNCH_TIMES, leaveMs: 1_000 };
  opened = await openTrainingService(null, QUICK, { launchers: { list: [cluster, fake], times, pollMs: 400 } });
}, 60_000);
afterAll(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

const act = (id: string, action: string) => opened.service.post(`/api/v1/studio/experiments/${id}/${action}`, {});

it('a worker trains a run at the cluster, saves when its job is to end, and the next one brings the model', async () => {
  const id = await createRun(opened, 'cluster');
  const jobs = (): string[] => readdirSync(folder).filter((name) => name.startsWith(`ms-${id.slice(0, 8)}-`));
  await untilRun(opened, id, ({ step }) => step >= 12);
  const [job = ''] = jobs();
  const token = readFileSync(join(folder, job, 'token'), 'utf8').trim();
  expect(statSync(join(folder, job, 'token')).mode & 0o777).toBe(0o600);
  const submitted = readFileSync(join(folder, job, 'job.json'), 'utf8');
  expect(submitted).not.toContain(token);
  process.kill(-(JSON.parse(submitted) as { pid: number }).pid, 'SIGTERM');
  const ended = await untilRun(opened, id, ({ status }) => status === 'succeeded');
  expect(ended.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  const { text } = await opened.get(`/api/v1/studio/experiments/${id}/log`);
  expect(text).toContain(`Trains ${id}, from support-base.`);
  expect(text).toMatch(/Placed again 1 of 3 times\.\n[^]*begins at step 12\n/);
  await vi.waitFor(() => expect(jobs()).toEqual([]), 20_000);
}, 90_000);

it('the token of a run opens its own lease and nothing else', async () => {
  const id = await createRun(opened, 'fake');
  await vi.waitFor(() => fake.jobOf(id), 10_000);
  const headers = { Authorization: `Bearer ${fake.jobOf(id).order.token}` };
  const { service } = opened;
  const post = (path: string, body: object) =>
    service.ask(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const other = await createRun(opened);
  const wanted = { name: 'thief', is_built_in: false, run: other };
  // That of its token, whatever it asks for.
  expect((await post('/api/v1/studio/workers/lease', wanted)).json()).toMatchObject({ experiment_id: id });
  expect((await post('/api/v1/studio/workers/lease', wanted)).status).toBe(204);
  for (const path of ['/api/v1/public/projects', `/api/v1/studio/experiments/${id}/progress`])
    expect((await service.ask(path, { headers })).json()).toMatchObject({ error: { code: 'run_token' } });
  expect((await post('/api/session', { token: fake.jobOf(id).order.token })).status).toBe(401);
  const honest = await service.post('/api/v1/studio/workers/lease', { ...wanted, name: 'honest' });
  const lines = `/api/v1/studio/workers/leases/${(honest.json() as { lease_id: string }).lease_id}/lines`;
  expect((await post(lines, { from: 0, lines: [] })).json()).toMatchObject({ error: { code: 'lease_ended' } });
  expect((await service.post(lines, { from: 0, lines: [] })).status).toBe(200);
  await act(other, 'cancel');
  await act(id, 'cancel');
  await untilRun(opened, id, ({ status }) => status === 'stopped');
  fake.jobOf(id).status = { kind: 'ended', code: 0, cause: null, words: null };
  await vi.waitFor(() => expect(fake.jobOf(id).isTidy).toBe(true), 10_000);
  expect((await post('/api/v1/studio/workers/lease', wanted)).status).toBe(401);
}, 60_000);

it('a launcher that nobody has configured is refused with those that there are', async () => {
  const experiments = [
    { base_model_id: 'support-base', batch_size: 8, n_epochs: 1, learning_rate_multiplier: 0.006, lora: true },
  ];
  const body = { snapshot_id: opened.snapshotId, name: 'X', studio: { launcher: 'moon' }, experiments };
  const answer = await opened.service.post('/api/v1/public/finetuning/create', body);
  const message = expect.stringContaining('There are: cluster, fake.') as string;
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { error: { code: 'unknown_launcher', param: 'studio.launcher', message } },
  ]);
  expect(await opened.get('/api/v1/studio/launchers')).toMatchObject({ launchers: [{ name: 'cluster' }, { open: 0 }] });
});

it('a worker of another version is told what to install, before it gets a run', async () => {
  const wanted = { name: 'old', is_built_in: false, protocol: 0 };
  const answer = await opened.service.post('/api/v1/studio/workers/lease', wanted);
  const message = expect.stringMatching(
    /must be 1: the worker is older or newer .*"npm install -g" it there/,
  ) as string;
  expect([answer.status, answer.json()]).toMatchObject([400, { error: { param: 'protocol', message } }]);
});
