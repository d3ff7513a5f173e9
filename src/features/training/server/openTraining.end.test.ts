// How trainings end, each in a studio of its own.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sweepDeleted } from '#features/datasets/server/deletion.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { findTraining, type QueuedRun } from './queue.ts';
import {
  isRunning,
  modelsOf,
  openTestTraining,
  QUICK,
  toTestTrainer,
  type TestTraining,
  type TestTrainingOptions,
} from './testTraining.fixture.ts';

async function makeDataDir(): Promise<string> {
  const folders = await openTestFolders();
  onTestFinished(() => folders.remove());
  return folders.withDatabase('sample');
}

async function open(options: TestTrainingOptions): Promise<TestTraining> {
  const test = await openTestTraining(options);
  onTestFinished(async () => {
    await test.close();
    if (options.studio === undefined) await test.studio.close();
  });
  // The trainer learns nothing, so that few rows are enough.
  await test.studio.database.executeSql('update studio.snapshots set rows_end = 300');
  return test;
}

/** A studio that has ended while it trained a run, which has a checkpoint and waits. */
async function leaveRun(dataDir: string): Promise<{ before: TestTraining; id: string }> {
  const before = await open({ dataDir, trainer: toTestTrainer('pause') });
  const [id = ''] = await before.runsOf(await before.create());
  await before.until(id, ({ step }) => step >= 12);
  await before.close();
  return { before, id };
}

it('cancel of a run that waits to go on from its checkpoint leaves nothing of it', async () => {
  const dataDir = await makeDataDir();
  const { before, id } = await leaveRun(dataDir);
  // Nobody trains here, so it waits.
  const test = await open({ dataDir, trainer: null, studio: before.studio });
  expect((await test.training.findProgress(id, -1))?.status).toBe('queued');
  expect(await modelsOf(test, id)).not.toEqual([]);
  await test.training.endRun(id, 'cancel');
  expect(await test.training.findProgress(id, -1)).toMatchObject({ status: 'stopped', actions: [] });
  expect(await modelsOf(test, id)).toEqual([]);
  expect(existsSync(join(dataDir, 'training', id))).toBe(false);
});

it('the next start removes what a cancelled run left when the studio was killed', async () => {
  const dataDir = await makeDataDir();
  const { before, id } = await leaveRun(dataDir);
  await before.studio.database.executeSql(`
    update studio.experiments set status = 'stopped' where id = '${id}';
    update studio.trainings set can_resume = false where experiment_id = '${id}'`);
  expect(await modelsOf(before, id)).not.toEqual([]);
  const after = await open({ dataDir, trainer: null, studio: before.studio });
  expect(await modelsOf(after, id)).toEqual([]);
  expect(existsSync(join(dataDir, 'training', id))).toBe(false);
});

it('what a worker was sending when the studio was killed is removed when its run goes on', async () => {
  const dataDir = await makeDataDir();
  const { before, id } = await leaveRun(dataDir);
  const part = join(dataDir, 'training', id, 'output', 'step-25.bin.part-1');
  writeFileSync(part, 'Half of it.');
  const after = await open({ dataDir, trainer: toTestTrainer('pause'), studio: before.studio });
  await after.until(id, ({ status }) => status === 'running');
  await vi.waitFor(() => expect(existsSync(part)).toBe(false), 10_000);
});

it('the weights of a deleted project go while the studio runs', async () => {
  const dataDir = await makeDataDir();
  const test = await open({ dataDir, trainer: toTestTrainer(), times: { ...QUICK, sweepMs: 200 } });
  const [id = ''] = await test.runsOf(await test.create());
  await test.until(id, ({ status }) => status === 'succeeded');
  const list = (): string[] => readdirSync(join(dataDir, 'models')).filter((name) => name.includes(id.slice(0, 8)));
  expect(list()).not.toEqual([]);
  await test.studio.database.executeSql("update studio.projects set deleted_at = now() - interval '25 hours'");
  await sweepDeleted(test.studio.database, new Date());
  await vi.waitFor(() => expect(list()).toEqual([]), 10_000);
});

it('the end of the studio is no failed attempt, and a checkpoint makes up for those before', async () => {
  const dataDir = await makeDataDir();
  const waiting = await open({ dataDir, trainer: null });
  const [id = ''] = await waiting.runsOf(await waiting.create());
  const attemptsOf = async (): Promise<unknown> =>
    (await findTraining(waiting.studio.database.orm, id))?.training.attempts;
  await waiting.studio.database.executeSql(`update studio.trainings set attempts = 2 where experiment_id = '${id}'`);
  await waiting.close();

  const times = { ...QUICK, closeMs: 200 };
  const silent = await open({ dataDir, trainer: toTestTrainer('hang'), studio: waiting.studio, times });
  await silent.until(id, ({ status }) => status === 'running');
  await silent.close();
  expect(await attemptsOf()).toBe(2);

  const further = await open({ dataDir, trainer: toTestTrainer('pause'), studio: waiting.studio });
  await further.until(id, ({ step }) => step >= 12);
  await further.close();
  expect(await attemptsOf()).toBe(0);
});

it('a machine that has slept does not take its trainer for one that hangs', async () => {
  let sleptMs = 0;
  const clock = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock() + sleptMs);
  onTestFinished(() => spy.mockRestore());
  const test = await open({
    dataDir: await makeDataDir(),
    trainer: toTestTrainer('pause'),
    now: () => new Date(Date.now() + sleptMs),
    times: { ...QUICK, silenceMs: 60_000, leaseMs: 4_000 },
  });
  const [id = ''] = await test.runsOf(await test.create());
  await test.until(id, ({ step }) => step >= 12);
  sleptMs = 20 * 60_000;
  // Several looks at the trainer.
  const looks = spy.mock.calls.length;
  await vi.waitFor(() => expect(spy.mock.calls.length).toBeGreaterThan(looks + 10), 20_000);
  await test.training.endRun(id, 'stop');
  const progress = await test.until(id, ({ status }) => status === 'stopped');
  expect(progress.reason).toBe('Stopped by a person at step 12. Its last checkpoint is kept.');
});

describe('a service that can not renew its lease', () => {
  const times = { ...QUICK, leaseMs: 3_000 };
  /** A run that waits, and a way to its database that can be away. null: an embedded one, where a lease does not end. */
  async function leaveWaiting() {
    const dataDir = await makeDataDir();
    const before = await open({ dataDir, trainer: null });
    const [id = ''] = await before.runsOf(await before.create());
    await before.close();
    const { database } = before.studio;
    if (!database.isShared) return null;
    const state = { isAway: false };
    const orm = new Proxy(database.orm, {
      get(target, name) {
        if (state.isAway && ['select', 'update', 'insert', 'delete', 'transaction'].includes(String(name)))
          throw new Error('The database is away.');
        return Reflect.get(target, name);
      },
    });
    const studio = { ...before.studio, database: { ...database, orm } };
    const until = (isWanted: (queued: QueuedRun) => boolean) =>
      vi.waitFor(async () => expect(isWanted((await findTraining(database.orm, id))!)).toBe(true), 30_000);
    return { dataDir, database, studio, id, state, until };
  }
  const readBegins = async ({ training }: TestTraining, id: string) =>
    (await training.findLog(id, 0))?.text.match(/begins at step \d+/g);

  it('ends its trainer while it is the only one, and goes on when it can', async () => {
    const left = await leaveWaiting();
    if (left === null) return;
    const { dataDir, database, studio, id, state, until } = left;
    const test = await open({ dataDir, trainer: toTestTrainer('pause'), studio, times });
    await until(({ training }) => training.step === 12);
    const text = await readFile(join(dataDir, 'training', id, 'process.json'), 'utf8');
    const { pid } = JSON.parse(text) as { pid: number };
    state.isAway = true;
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000, interval: 20 });
    const { rows } = await database.executeSql('select until > clock_timestamp() as is_held from studio.leases');
    expect(rows).toEqual([{ is_held: true }]);
    state.isAway = false;
    await until(({ run }) => run.status === 'succeeded');
    expect(await readBegins(test, id)).toEqual(['begins at step 0', 'begins at step 12']);
    expect((await database.executeSql('select * from studio.leases')).rows).toEqual([]);
  });

  it('prepares no folder, which is no failure of the run', async () => {
    const left = await leaveWaiting();
    if (left === null) return;
    const { dataDir, studio, id, state, until } = left;
    let reads = 0;
    const findRows: Studio['findRows'] = async (...given) => {
      reads += 1;
      state.isAway = reads === 1;
      if (reads === 1) await new Promise((resolve) => setTimeout(resolve, times.leaseMs * 0.8));
      state.isAway = false;
      return studio.findRows(...given);
    };
    const test = await open({ dataDir, trainer: toTestTrainer(), studio: { ...studio, findRows }, times });
    await until(({ run }) => run.status !== 'queued' && run.status !== 'running' && run.status !== 'deploying');
    expect((await test.training.findProgress(id, -1))?.status).toBe('succeeded');
    expect(await readBegins(test, id)).toEqual(['begins at step 0']);
    // Once more for training and for validation rows.
    expect(reads).toBe(3);
  });
});

it('a trainer that is quiet for long before it begins, as one that waits for a machine, is left alone', async () => {
  const dataDir = await makeDataDir();
  const test = await open({ dataDir, trainer: toTestTrainer('late'), times: { ...QUICK, silenceMs: 300 } });
  const [id = ''] = await test.runsOf(await test.create());
  await test.until(id, ({ status }) => status === 'succeeded');
});
