// Several processes on one database: who trains a run, and what happens when one of them ends without a word.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { holdLease, LeaseLost, type Hold } from '#service/database/leases/holdLease.ts';
import { openLeases, type Leases } from '#service/database/leases/leases.ts';
import { changeStatus } from './jobStates.ts';
import {
  adoptRun,
  claimNext,
  endRun,
  findTraining,
  LOST,
  MAX_ATTEMPTS,
  type ClaimedRun,
  type QueuedRun,
  type WorkerLease,
} from './queue.ts';
import { noteProcess, prepareRunFolder, removeRunFolder, toRunFolder } from './runFolder.ts';
import { openTestTraining } from './testTraining.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const LEASE_SECONDS = 15;
const yes = async (_queued: QueuedRun): Promise<boolean> => true;

const { dataDir, studio } = await keepSample();
const test = await openTestTraining({ dataDir, studio, trainer: null });
const { orm } = studio.database;
// Its own supervisor must not look for runs whose process has ended.
await test.close();
// Nothing is trained: a run's folder with few rows is as good as one with all.
await studio.database.executeSql('update studio.snapshots set rows_end = 300');

/** A job of two runs, as it is before anything happens to it. */
const job = await test.create([{}, {}]);
const runs = await test.runsOf(job);
await studio.database.executeSql(`
  create table kept_jobs as select * from studio.jobs where id = '${job}';
  create table kept_experiments as select * from studio.experiments where job_id = '${job}';
  create table kept_trainings as select * from studio.trainings
    where experiment_id in (select id from kept_experiments)`);
beforeEach(async () => {
  await test.studio.database.executeSql(`
    delete from studio.jobs where id in (select id from kept_jobs);
    insert into studio.jobs select * from kept_jobs;
    insert into studio.experiments select * from kept_experiments;
    insert into studio.trainings select * from kept_trainings;
    delete from studio.leases`);
});

/** The runs whose files were to be removed. */
let removed: string[] = [];
beforeEach(() => {
  removed = [];
});

/** Those of a process. */
const openOwn = (): Leases => openLeases(test.studio.database, 'training', LEASE_SECONDS * 1000);
let a: Leases;
let b: Leases;
beforeEach(() => {
  [a, b] = [openOwn(), openOwn()];
});

/** As if so much time had passed since the last sign of life of all processes. */
const pass = (seconds: number): Promise<unknown> =>
  test.studio.database.executeSql(`update studio.leases set until = until - interval '${seconds} seconds'`);

const claim = async (leases: Leases, canTrain = yes, worker: WorkerLease | null = null): Promise<ClaimedRun | null> => {
  const removeFiles = async (id: string): Promise<void> => void removed.push(id);
  return claimNext(orm, { leases, worker, only: null, now: new Date(), canTrain, removeFiles });
};
const claimId = async (leases: Leases, canTrain = yes): Promise<string | null> =>
  (await claim(leases, canTrain))?.run.id ?? null;
/** The run and its training, which are there. */
const read = async (id = runs[0]!): Promise<QueuedRun> => (await findTraining(orm, id))!;
const isHeld = async (id = runs[0]!): Promise<boolean> =>
  (await test.studio.database.executeSql('select 1 from studio.leases where id = $1', [id])).rows.length > 0;

it('gives runs in their order, each to one process', async () => {
  expect([await claimId(a), await claimId(b), await claimId(openOwn())]).toEqual([runs[0], runs[1], null]);
  expect([(await read()).run.status, (await read(runs[1])).run.status]).toEqual(['running', 'running']);
});

it('gives no run to two processes that ask at the same time', async () => {
  const given = [...(await Promise.all([claimId(a), claimId(b)])), await claimId(a), await claimId(b)];
  expect(given.filter((id) => id !== null).toSorted()).toEqual(runs.toSorted());
});

it('gives a run to another process once its lease is over, and the first one can write nothing any more', async () => {
  const first = a.hold((await claim(a))!.lease);
  onTestFinished(() => first.stop());
  await pass(10);
  expect(await claimId(b)).toBe(runs[1]);
  await pass(6);
  const second = b.hold((await claim(b))!.lease);
  onTestFinished(() => second.stop());
  expect((await read()).training.attempts).toBe(2);
  await expect(
    first.write((inner) => changeStatus(inner, runs[0]!, { status: 'failed', reason: 'Late.' }, new Date())),
  ).rejects.toThrow(LeaseLost);
  expect((await read()).run.status).toBe('running');
  await second.write((inner) => second.release(inner));
});

it('does not give a run to a process that was trained by another one to its end', async () => {
  const found: QueuedRun[] = [];
  // Between its look at the queue and its taking, another process trains the run.
  const late = async (queued: QueuedRun): Promise<boolean> => {
    found.push(queued);
    if (queued.run.id !== runs[0]) return false;
    const { lease } = (await claim(b))!;
    await changeStatus(orm, runs[0]!, { status: 'succeeded', reason: null }, new Date());
    await b.release(orm, lease);
    return true;
  };
  expect(await claimId(a, late)).toBeNull();
  expect(found.map(({ run }) => [run.id, run.status])).toEqual([
    [runs[0], 'queued'],
    [runs[1], 'queued'],
  ]);
  expect((await read()).run.status).toBe('succeeded');
  expect(await isHeld()).toBe(false);
});

it('lets go of what a former process had at once when the studio is alone on its database, but not of what a worker has', async () => {
  await claim(a);
  await claim(a, yes, { lease_id: randomUUID(), machine: 'gpu-1' });
  await b.endFormer();
  expect([await claimId(b), await claimId(b)]).toEqual([test.studio.database.isShared ? null : runs[0], null]);
});

it('leaves out what can not be trained here', async () => {
  expect(await claimId(a, async () => false)).toBeNull();
  expect(await claimId(a, async ({ run }) => run.id === runs[1])).toBe(runs[1]);
});

it('puts a run back whose process has ended and that can not be trained here, with the reason', async () => {
  expect(await claimId(a)).toBe(runs[0]);
  const never = async (): Promise<boolean> => false;
  expect(await claimId(b, never)).toBeNull();
  expect((await read()).run.status).toBe('running');
  await pass(20);
  expect(await claimId(b, never)).toBeNull();
  expect([(await read()).run.status, (await read()).training.reason, await isHeld()]).toEqual(['queued', LOST, false]);
  // This service has no trainer, which is why it can't go on here.
  expect((await test.training.findProgress(runs[0]!, -1))?.reason).toMatch(
    /^The service that trained it ended.* --trainer/,
  );
  expect(await claimId(b)).toBe(runs[0]);
});

it('ends a lost run that was cancelled, though it can not be trained here', async () => {
  await claim(a);
  await endRun(orm, await read(), 'cancel', new Date());
  await pass(20);
  expect(await claimId(b, async () => false)).toBeNull();
  expect((await read()).run.status).toBe('stopped');
  expect(removed).toEqual([runs[0]]);
  expect(await isHeld()).toBe(false);
});

it.each([true, false])(
  'ends a lost run that is cancelled while it is looked at, can it be trained here: %s',
  async (can) => {
    await claim(a);
    await pass(20);
    const cancel = async (): Promise<boolean> => {
      const found = await read();
      if (found.run.status === 'running') await endRun(orm, found, 'cancel', new Date());
      return can;
    };
    expect(await claimId(b, cancel)).toBe(can ? runs[1] : null);
    expect((await read()).run.status).toBe('stopped');
  },
);

it('gives a run up that was begun four times without a checkpoint', async () => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    expect(await claimId(a)).toBe(runs[0]);
    await pass(20);
  }
  expect(await claimId(a)).toBe(runs[1]);
  expect((await read()).run).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/ended 4 times before a checkpoint/) as string,
  });
  expect(await isHeld()).toBe(false);
});

it('ends a run that was cancelled while nobody trained it, and keeps no checkpoint', async () => {
  await claim(a);
  await test.studio.database.executeSql(
    `update studio.trainings set can_resume = true where experiment_id = '${runs[0]}'`,
  );
  await endRun(orm, await read(), 'cancel', new Date());
  expect((await read()).training.wish).toBe('cancel');
  await pass(20);
  expect(await claimId(b)).toBe(runs[1]);
  const ended = await read();
  expect([ended.run.status, ended.training.can_resume]).toEqual(['stopped', false]);
  expect(removed).toEqual([runs[0]]);
});

describe("a worker's run", () => {
  const LEASE_MS = LEASE_SECONDS * 1000;
  const adopt = (leases: Leases, id: string): Promise<ClaimedRun | 'elsewhere' | null> =>
    adoptRun(orm, { leases, leaseMs: LEASE_MS }, id);
  async function begin(): Promise<{ id: string; lease: ClaimedRun['lease'] }> {
    const id = randomUUID();
    return { id, lease: (await claim(a, yes, { lease_id: id, machine: 'gpu-1' }))!.lease };
  }

  it('is taken over by the service that hears of the worker, once its own has been silent for half of a lease', async () => {
    const { id, lease } = await begin();
    expect((await read()).machine).toBe('gpu-1');
    await pass(7);
    expect(await adopt(b, id)).toBe('elsewhere');
    await pass(1);
    const adopted = await adopt(b, id);
    expect(adopted).toMatchObject({ machine: 'gpu-1', training: { attempts: 1 }, run: { id: runs[0] } });
    expect(await a.renew(orm, lease)).toBe(false);
    // It is known by the same id as before.
    expect(await adopt(a, id)).toBe('elsewhere');
    expect(await adopt(b, randomUUID())).toBeNull();
  });

  it('is left to the next service by one that ends, and meanwhile to nobody else', async () => {
    const { id, lease } = await begin();
    await a.hold(lease).leave(orm, LEASE_MS);
    expect(await claimId(b)).toBe(runs[1]);
    expect(await adopt(b, id)).toMatchObject({ run: { id: runs[0] } });
  });

  it('is not taken over while its model is looked at', async () => {
    const { id } = await begin();
    await changeStatus(orm, runs[0]!, { status: 'deploying', reason: null }, new Date());
    await pass(10);
    expect(await adopt(b, id)).toBeNull();
  });
});

it('hides what was deleted, and takes it up again when it is restored', async () => {
  const mark = (value: string): Promise<unknown> =>
    test.studio.database.executeSql(`update studio.jobs set deleted_at = ${value} where id =
      (select job_id from studio.experiments where id = '${runs[0]}')`);
  await mark('now()');
  expect(await claimId(a)).toBeNull();
  expect(await test.training.findProgress(runs[0]!, -1)).toBeNull();
  await mark('null');
  expect(await claimId(a)).toBe(runs[0]);
});

describe('a trainer that a killed studio left behind', () => {
  const source = () => ({
    dataDir,
    base: { id: 'support-base', file: null, adapter: null },
    findRows: (id: string, bucket: RowBucket) => test.studio.findRows(id, bucket),
  });
  /** A lease that is renewed, or that was taken so many leases ago. */
  const held = (leasesAgo: number): Hold => {
    const askedAt = performance.now() - leasesAgo * 1000;
    const hold = holdLease({ renew: async () => true, ms: 1000, askedAt, isShared: true });
    onTestFinished(() => hold.stop());
    return hold;
  };
  async function leave() {
    const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' });
    const ended = new Promise((resolve) => left.once('exit', (_code, signal) => resolve(signal)));
    const queued = (await findTraining(orm, runs[0]!))!;
    const folder = toRunFolder(dataDir, queued.run.id);
    await mkdir(folder.output, { recursive: true });
    await noteProcess(folder, left.pid!);
    return { queued, folder, ended };
  }

  it('is ended before its run goes on', async () => {
    const { queued, ended } = await leave();
    await prepareRunFolder(queued, { ...source(), held: held(0) });
    expect(await ended).toBe('SIGKILL');
  });

  it('is left alone by a service that may have lost its run, which changes nothing in the folder', async () => {
    const { queued, folder, ended } = await leave();
    await writeFile(join(folder.output, 'checkpoint'), 'of another service');
    await expect(prepareRunFolder(queued, { ...source(), held: held(1) })).rejects.toThrow(LeaseLost);
    expect(await Promise.race([ended, 'it runs'])).toBe('it runs');
    expect(await readdir(folder.path)).toContain('process.json');
    expect(await readdir(folder.output)).toEqual(['checkpoint']);
    await removeRunFolder(dataDir, queued.run.id);
    expect(await ended).toBe('SIGKILL');
  });

  it('is ended before the folder of its run is removed', async () => {
    const { queued, folder, ended } = await leave();
    await removeRunFolder(dataDir, queued.run.id);
    expect(await ended).toBe('SIGKILL');
    expect(existsSync(folder.path)).toBe(false);
  });
});
