// Machines that train over HTTP: the real studio behind the real service, and workers as processes and in this one.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { leaseSchema } from '#features/training/shared/worker.ts';
import { writePeftFolder } from '#engine/gguf/sampleAdapter.fixture.ts';
import { TOKEN } from '#service/http/testService.fixture.ts';
import {
  createRun,
  openTrainingService,
  readRun,
  untilRun,
} from '#features/training/server/routes/trainingService.fixture.ts';
import { isRunning, QUICK, toTestTrainer } from '#features/training/server/testTraining.fixture.ts';
import { runWorker } from '#features/training/server/worker/runWorker.ts';
import { openStudioClient, Refused } from '#features/training/server/worker/studioClient.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

const fileLimits = { bytes: 8 * 1024 ** 2, count: 8, allBytes: 64 * 1024 ** 2, spareBytes: 1 };
const opened = await keep(openTrainingService(null, { ...QUICK, leaseMs: 5_000 }, { fileLimits }));
const folder = keepFolder();
await writeFile(join(folder, 'token'), `${TOKEN}\n`);
let ends: (() => Promise<void>)[] = [];
beforeEach(() => async () => {
  for (const end of ends.splice(0)) await end();
});

/** A worker in this process. Resolves to what it said once it has ended. */
function openWorker(name: string, mode: string, delayMs = 0): { said: string[]; end(): Promise<void> } {
  const stopping = new AbortController();
  const said: string[] = [];
  const done = runWorker({
    studio: new URL(opened.service.origin),
    token: TOKEN,
    name,
    command: toTestTrainer(mode, delayMs).command,
    isBuiltIn: false,
    dataDir: join(folder, name),
    report: (line) => void said.push(line),
    once: null,
    stopping: stopping.signal,
    pollMs: 200,
    tickMs: 200,
  });
  const end = async (): Promise<void> => {
    stopping.abort();
    await done;
  };
  ends.push(end);
  return { said, end };
}

/** The command as people start it. */
function spawnWorker(name: string, mode: string): ChildProcess {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const trainer = toTestTrainer(mode)
    .command.map((word) => `'${word}'`)
    .join(' ');
  const flags = ['--studio', opened.service.origin, '--token-file', join(folder, 'token'), '--trainer', trainer];
  const args = [main, 'worker', ...flags, '--name', name, '--data', join(folder, name)];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const gone = once(child, 'exit');
  ends.push(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  return child;
}

const create = (): Promise<string> => createRun(opened);
const read = (id: string): Promise<TrainingProgress> => readRun(opened, id);
const readLog = async (id: string): Promise<string> =>
  String((await opened.get(`/api/v1/studio/experiments/${id}/log`))['text']);
const until = (id: string, isWanted: (progress: TrainingProgress) => boolean): Promise<TrainingProgress> =>
  untilRun(opened, id, isWanted);

it('a worker trains a run to its model, and its page says where', async () => {
  const id = await create();
  const worker = openWorker('gpu-1', 'train', 50);
  expect((await until(id, ({ step }) => step > 0)).machine).toBe('gpu-1');
  const progress = await until(id, ({ status }) => status === 'succeeded');
  expect(progress.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(progress).not.toHaveProperty('machine');
  expect(await readLog(id)).toMatch(/^\$ the worker gpu-1 .*\nbegins at step 0\n/);
  const { data } = await opened.get('/api/v1/models');
  expect((data as { id: string }[]).map((model) => model.id)).toContain(`ft-support-base-${id.slice(0, 8)}`);
  await worker.end();
  expect(worker.said).toEqual([`Trains ${id}, from support-base.`, `${id}: it has ended.`]);
  // Weights stay for other runs, and nothing of the run.
  expect(await readdir(join(folder, 'gpu-1', 'worker'))).toEqual([]);
  expect(await readdir(join(folder, 'gpu-1', 'weights'))).toHaveLength(1);
}, 90_000);

it('a worker sends an adapter as PEFT saved it, which the studio converts', async () => {
  const id = await create();
  const peft = join(folder, 'peft');
  writePeftFolder(peft);
  mkdirSync(join(peft, 'checkpoint-2'));
  const worker = openWorker('gpu-6', `folder:peft:${peft}`);
  const progress = await until(id, ({ status }) => status === 'succeeded');
  expect(progress.reason).toBeNull();
  const { data } = await opened.get('/api/v1/models');
  expect((data as { id: string }[]).map((model) => model.id)).toContain(`ft-support-base-${id.slice(0, 8)}`);
  const { files } = await opened.get(`/api/v1/studio/experiments/${id}/take-away`);
  expect((files as { name: string }[]).map(({ name }) => name)).toContain('adapter_model.safetensors');
  await worker.end();
}, 90_000);

it('one of two workers is killed: the other one goes on from the last checkpoint', async () => {
  const id = await create();
  const first = spawnWorker('gpu-1', 'pause');
  expect((await until(id, ({ step }) => step >= 12)).machine).toBe('gpu-1');
  // Its weights are here, and can be tried while it trains.
  const model = `ft-support-base-${id.slice(0, 8)}-step-10`;
  await until(id, ({ checkpoints }) => checkpoints.some((each) => each.model_id === model));
  openWorker('gpu-2', 'train', 100);
  first.kill('SIGKILL');
  expect((await until(id, ({ machine }) => machine === 'gpu-2')).status).toBe('running');
  const progress = await until(id, ({ status }) => status === 'succeeded');
  expect(progress.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  expect(await readLog(id)).toMatch(/The worker gpu-1 was not heard of for 5 s\.[^]*\nbegins at step 10\n/);
}, 120_000);

it('cancel ends all that the trainer has started', async () => {
  const id = await create();
  openWorker('gpu-3', 'fork', 500);
  await until(id, ({ step }) => step >= 1);
  const pid = Number(/forked (\d+)/.exec(await readLog(id))?.[1]);
  expect(isRunning(pid)).toBe(true);
  expect((await opened.service.post(`/api/v1/studio/experiments/${id}/cancel`, {})).status).toBe(200);
  await until(id, ({ status }) => status === 'stopped');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
}, 90_000);

it('a worker that ends puts its run back, with its checkpoint', async () => {
  const id = await create();
  const worker = openWorker('gpu-4', 'pause');
  await until(id, ({ step }) => step >= 12);
  await worker.end();
  expect(await read(id)).toMatchObject({ status: 'queued', reason: 'It waits for a worker that takes it.' });
  openWorker('gpu-5', 'train');
  await until(id, ({ status }) => status === 'succeeded');
  expect(await readLog(id)).toMatch(/\nbegins at step 12\n/);
}, 90_000);

it('a file that the studio does not take is given up with the reason', async () => {
  const id = await create();
  const wanted = { name: 'large', is_built_in: false };
  const lease = leaseSchema.parse((await opened.service.post('/api/v1/studio/workers/lease', wanted)).json());
  const path = join(folder, 'large.gguf');
  await writeFile(path, Buffer.alloc(80 * 1024 ** 2));
  const client = openStudioClient(new URL(opened.service.origin), TOKEN, new AbortController().signal);
  const sent = client.upload(lease.lease_id, 'large.gguf', 'result', path);
  await expect(sent).rejects.toThrow(/^A file of a run has at most 0\.1 GiB/);
  await expect(sent).rejects.toBeInstanceOf(Refused);
  await opened.service.post(`/api/v1/studio/experiments/${id}/cancel`, {});
  await until(id, ({ status }) => status === 'stopped');
}, 90_000);

it('what has lost its lease writes nothing any more, and no file leaves its place', async () => {
  const { service } = opened;
  const id = await create();
  const wanted = { name: 'late', is_built_in: false };
  const lease = leaseSchema.parse((await service.post('/api/v1/studio/workers/lease', wanted)).json());
  expect(lease).toMatchObject({ experiment_id: id, seconds: 5, saved: [], weights: [{ name: 'base.gguf' }] });
  expect((await service.post('/api/v1/studio/workers/lease', wanted)).status).toBe(204);
  const put = (name: string) =>
    service.askSigned(
      `/api/v1/studio/workers/leases/${lease.lease_id}/output/${encodeURIComponent(name)}?kind=checkpoint`,
      {
        method: 'PUT',
        body: 'weights',
        headers: { 'Content-Type': 'application/octet-stream' },
      },
    );
  const lines = (text: string) =>
    service.post(`/api/v1/studio/workers/leases/${lease.lease_id}/lines`, { from: 0, lines: [text] });
  const rows = await service.askSigned(`/api/v1/studio/workers/leases/${lease.lease_id}/input/training.jsonl`);
  expect(rows.text.trim().split('\n').length).toBeGreaterThan(200);
  expect((await put('a.bin')).status).toBe(204);
  expect((await put('b.bin')).status).toBe(204);
  expect(await readdir(lease.job.output)).toEqual(['b.bin']);
  expect((await put('../job.json')).json()).toMatchObject({ error: { param: 'name' } });
  expect((await service.askSigned(`/api/v1/studio/workers/leases/${lease.lease_id}/output/..%2Fjob.json`)).status).toBe(
    400,
  );
  expect((await lines('first')).json()).toEqual({ wish: null, next: 1 });
  expect((await lines('twice')).json()).toEqual({ wish: null, next: 1 });
  // Nothing is heard of it for as long as its lease lasts.
  await until(id, ({ status }) => status === 'queued');
  for (const answer of [await put('c.bin'), await lines('late')])
    expect(answer.json()).toMatchObject({ error: { code: 'lease_ended', param: 'leaseId' } });
  expect(await readdir(lease.job.output)).not.toContain('c.bin');
  expect(await readLog(id)).toMatch(/\nfirst\nThe worker late was not heard of/);
  expect(service.changes.map(({ route }) => route)).not.toContain('/api/v1/studio/workers/leases/{leaseId}/lines');
  await service.post(`/api/v1/studio/experiments/${id}/cancel`, {});
}, 90_000);
