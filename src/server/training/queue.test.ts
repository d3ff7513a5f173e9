// Several processes on one database: who trains a run, and what happens when one of them ends without a word.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Orm } from '#server/studio/database.ts';
import { openTestFolders, type TestFolders } from '#server/studio/folders.fixture.ts';
import {
  claimNext,
  endRun,
  findTraining,
  LOST,
  MAX_ATTEMPTS,
  releaseLeases,
  renewLease,
  type Lease,
  type QueuedRun,
} from './queue.ts';
import { noteProcess, prepareRunFolder, removeRunFolder, toRunFolder } from './runFolder.ts';
import { openTestTraining, type TestTraining } from './testTraining.fixture.ts';

/** Later than today: the studio of this test looks for lost leases, too, by the real clock. */
const START = Date.parse('2126-11-23T10:00:00Z');
const at = (seconds: number): Date => new Date(START + seconds * 1000);
const lease = (owner: string, seconds: number): Lease => ({ owner, until: at(seconds + 15) });
const yes = async (_queued: QueuedRun): Promise<boolean> => true;

let folders: TestFolders;
let dataDir: string;
let test: TestTraining;
let orm: Orm;
beforeAll(async () => {
  folders = await openTestFolders();
  dataDir = await folders.withDatabase('sample');
  test = await openTestTraining({ dataDir, trainer: null });
  orm = test.studio.database.orm;
  // Nothing is trained: a run's folder with few rows is as good as one with all.
  await test.studio.database.executeSql('update studio.snapshots set rows_end = 300');
}, 60_000);
afterAll(async () => {
  await test.close();
  await test.studio.close();
  await folders.remove();
});

/** A job of two runs, as it is before anything happens to it. */
let runs: readonly string[];
beforeAll(async () => {
  const job = await test.create([{}, {}]);
  runs = await test.runsOf(job);
  await test.studio.database.executeSql(`
    create table kept_jobs as select * from studio.jobs where id = '${job}';
    create table kept_experiments as select * from studio.experiments where job_id = '${job}';
    create table kept_trainings as select * from studio.trainings
      where experiment_id in (select id from kept_experiments)`);
});
beforeEach(async () => {
  await test.studio.database.executeSql(`
    delete from studio.jobs where id in (select id from kept_jobs);
    insert into studio.jobs select * from kept_jobs;
    insert into studio.experiments select * from kept_experiments;
    insert into studio.trainings select * from kept_trainings`);
});

/** The runs whose files were to be removed. */
let removed: string[] = [];
beforeEach(() => {
  removed = [];
});

const claim = async (owner: string, seconds: number, canTrain = yes): Promise<string | null> => {
  const removeFiles = async (id: string): Promise<void> => void removed.push(id);
  const queued = await claimNext(orm, { lease: lease(owner, seconds), now: at(seconds), canTrain, removeFiles });
  return queued?.run.id ?? null;
};

it('gives runs in their order, each to one process', async () => {
  expect([await claim('a', 0), await claim('b', 1), await claim('c', 2)]).toEqual([runs[0], runs[1], null]);
  const owners = await Promise.all(runs.map((id) => findTraining(orm, id)));
  expect(owners.map((found) => [found?.run.status, found?.training.owner])).toEqual([
    ['running', 'a'],
    ['running', 'b'],
  ]);
});

it('gives no run to two processes that ask at the same time', async () => {
  const given = [...(await Promise.all([claim('a', 0), claim('b', 0)])), await claim('c', 1), await claim('d', 1)];
  expect(given.filter((id) => id !== null).toSorted()).toEqual(runs.toSorted());
});

it('gives a run to another process once its lease has ended, and the first one notices', async () => {
  expect(await claim('a', 0)).toBe(runs[0]);
  expect(await renewLease(orm, runs[0]!, lease('a', 10))).toBeNull();
  expect(await claim('b', 20)).toBe(runs[1]);
  // Between 15 s and 30 s after the last sign of life.
  expect(await claim('b', 26)).toBe(runs[0]);
  expect(await renewLease(orm, runs[0]!, lease('a', 26))).toBe('lost');
  expect(await renewLease(orm, runs[0]!, lease('b', 27))).toBeNull();
});

it('lets go of all at once when the studio is alone on its database', async () => {
  await claim('a', 0);
  await releaseLeases(orm, null);
  expect(await claim('b', 0)).toBe(runs[0]);
});

it('leaves out what can not be trained here', async () => {
  expect(await claim('a', 0, async () => false)).toBeNull();
  expect(await claim('a', 0, async ({ run }) => run.id === runs[1])).toBe(runs[1]);
});

it('puts a run back whose process has ended and that can not be trained here, with the reason', async () => {
  expect(await claim('a', 0)).toBe(runs[0]);
  const never = async (): Promise<boolean> => false;
  expect(await claim('b', 10, never)).toBeNull();
  expect((await findTraining(orm, runs[0]!))?.run.status).toBe('running');
  expect(await claim('b', 20, never)).toBeNull();
  const back = await findTraining(orm, runs[0]!);
  expect([back?.run.status, back?.training.reason, back?.training.owner]).toEqual(['queued', LOST, null]);
  // This service has no trainer, which is why it can't go on here.
  expect((await test.training.findProgress(runs[0]!, -1))?.reason).toMatch(
    /^The service that trained it ended.* --trainer/,
  );
  expect(await renewLease(orm, runs[0]!, lease('a', 21))).toBe('lost');
  expect(await claim('c', 21)).toBe(runs[0]);
});

it('ends a lost run that was cancelled, though it can not be trained here', async () => {
  await claim('a', 0);
  await endRun(orm, (await findTraining(orm, runs[0]!))!, 'cancel');
  expect(await claim('b', 20, async () => false)).toBeNull();
  expect((await findTraining(orm, runs[0]!))?.run.status).toBe('stopped');
  expect(removed).toEqual([runs[0]]);
});

it.each([true, false])(
  'ends a lost run that is cancelled while it is looked at, can it be trained here: %s',
  async (can) => {
    await claim('a', 0);
    const cancel = async (): Promise<boolean> => {
      const found = (await findTraining(orm, runs[0]!))!;
      if (found.run.status === 'running') await endRun(orm, found, 'cancel');
      return can;
    };
    expect(await claim('b', 20, cancel)).toBe(can ? runs[1] : null);
    expect((await findTraining(orm, runs[0]!))?.run.status).toBe('stopped');
  },
);

it('gives a run up that was begun four times without a checkpoint', async () => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) expect(await claim('a', attempt * 20)).toBe(runs[0]);
  expect(await claim('a', 100)).toBe(runs[1]);
  expect((await findTraining(orm, runs[0]!))?.run).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/ended 4 times before a checkpoint/) as string,
  });
});

it('ends a run that was cancelled while nobody trained it, and keeps no checkpoint', async () => {
  await claim('a', 0);
  await test.studio.database.executeSql(
    `update studio.trainings set can_resume = true where experiment_id = '${runs[0]}'`,
  );
  await endRun(orm, (await findTraining(orm, runs[0]!))!, 'cancel');
  expect(await renewLease(orm, runs[0]!, lease('a', 5))).toBe('cancel');
  expect(await claim('b', 30)).toBe(runs[1]);
  const ended = await findTraining(orm, runs[0]!);
  expect([ended?.run.status, ended?.training.can_resume]).toEqual(['stopped', false]);
  expect(removed).toEqual([runs[0]]);
});

it('hides what was deleted, and takes it up again when it is restored', async () => {
  const mark = (value: string): Promise<unknown> =>
    test.studio.database.executeSql(`update studio.jobs set deleted_at = ${value} where id =
      (select job_id from studio.experiments where id = '${runs[0]}')`);
  await mark('now()');
  expect(await claim('a', 0)).toBeNull();
  expect(await test.training.findProgress(runs[0]!, -1)).toBeNull();
  await mark('null');
  expect(await claim('a', 0)).toBe(runs[0]);
});

describe('a trainer that a killed studio left behind', () => {
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
    const base = { id: 'support-base', file: null, adapter: null };
    await prepareRunFolder(queued, { dataDir, base, findRows: (id, bucket) => test.studio.findRows(id, bucket) });
    expect(await ended).toBe('SIGKILL');
  });

  it('is ended before the folder of its run is removed', async () => {
    const { queued, folder, ended } = await leave();
    await removeRunFolder(dataDir, queued.run.id);
    expect(await ended).toBe('SIGKILL');
    expect(existsSync(folder.path)).toBe(false);
  });
});
