// Runs at a launcher, with the real database, a cluster of this process, and workers that say what a test wants.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { takeRun, type FakeWorker } from '#features/training/server/fakeWorker.fixture.ts';
import { openTestTraining, QUICK, type TestTraining } from '#features/training/server/testTraining.fixture.ts';
import { openFakeLauncher, type FakeLauncher } from './fakeLauncher.fixture.ts';
import { LAUNCH_TIMES } from './launchPlan.ts';

const TIMES = { ...LAUNCH_TIMES, leaveMs: 100, stopMs: 1_000, lostMs: 100, placeMs: 1_000 };
/** A worker that says nothing for so long is gone. */
const LEASE_MS = 4_000;
const PREEMPTED = { kind: 'ended', code: 75, cause: 'preempted', words: null } as const;

let folders: TestFolders;
let test: TestTraining;
let cluster: FakeLauncher;
let address = 'http://studio';
beforeAll(async () => {
  folders = await openTestFolders();
  cluster = openFakeLauncher('cluster', 2, true);
  test = await openTestTraining({
    dataDir: await folders.withDatabase('sample'),
    trainer: null,
    times: { ...QUICK, leaseMs: LEASE_MS },
    launchers: { list: [cluster], studio: () => address, times: TIMES, pollMs: 100 },
  });
  await test.studio.database.executeSql('update studio.snapshots set rows_end = 40 where rows_end > 40');
}, 60_000);
beforeEach(() => {
  cluster.faults = {};
  address = 'http://studio';
});
afterAll(async () => {
  await test.close();
  await test.studio.close();
  await folders.remove();
});

async function create(): Promise<string> {
  const [id = ''] = await test.runsOf(await test.create([{}], undefined, { launcher: 'cluster' }));
  return id;
}
const until = (id: string, isWanted: (progress: TrainingProgress) => boolean): Promise<TrainingProgress> =>
  vi.waitFor(
    async () => {
      const progress = await test.training.findProgress(id, -1);
      expect(progress && isWanted(progress), `${progress?.status}: ${progress?.reason}`).toBe(true);
      return progress as TrainingProgress;
    },
    { timeout: 30_000, interval: 50 },
  );
const untilReason = (id: string, reason: RegExp): Promise<TrainingProgress> =>
  until(id, (progress) => reason.test(progress.reason ?? ''));
const untilStatus = (id: string, wanted: string): Promise<TrainingProgress> =>
  until(id, ({ status }) => status === wanted);
const untilTidy = (id: string) => vi.waitFor(() => expect(cluster.jobOf(id).isTidy).toBe(true), 10_000);
const readLog = async (id: string): Promise<string> => (await test.training.findLog(id, 0))?.text ?? '';

/** Its job has a machine, and a worker there takes the run. */
async function take(id: string): Promise<FakeWorker> {
  await untilReason(id, /^Waiting/);
  cluster.jobOf(id).status = { kind: 'running' };
  const worker = await takeRun(test.training.workers, { run: id });
  if (worker === null) throw new Error(`${id} does not wait.`);
  return worker;
}

it('a run waits at the cluster with its reason, trains there, and its job is asked to end that stays', async () => {
  const id = await create();
  expect(await untilReason(id, /^Waiting at cluster: Resources, job \d+\.$/)).toMatchObject({
    status: 'queued',
    launcher: 'cluster',
    queue_position: null,
  });
  expect((await test.training.readQueue()).waiting).toMatchObject([{ experiment_id: id, launcher: 'cluster' }]);
  expect(cluster.jobOf(id).order).toMatchObject({ experimentId: id, studio: 'http://studio' });
  // Nobody else takes it.
  expect(await test.training.workers.lease({ name: 'other', is_built_in: false })).toBeNull();
  await (await take(id)).succeed();
  await untilStatus(id, 'succeeded');
  await untilTidy(id);
  expect(cluster.jobOf(id).submitted).toBe(1);
  expect(cluster.jobOf(id).stopped).toBeGreaterThan(0);
});

describe('a run that is cancelled', () => {
  it('while it waits is ended at the cluster, and its page says when it is gone', async () => {
    const id = await create();
    await untilReason(id, /^Waiting/);
    await test.training.endRun(id, 'cancel');
    await untilReason(id, /^Cancelled before it began\. Job \d+ at cluster is gone\.$/);
    expect(cluster.jobOf(id).stopped).toBeGreaterThan(0);
  });

  it('while it trains has no lease any more, and its job ends', async () => {
    const id = await create();
    const worker = await take(id);
    await worker.trainTo(3);
    await test.training.endRun(id, 'cancel');
    await vi.waitFor(async () => expect(await worker.say()).toBeNull(), 10_000);
    cluster.jobOf(id).status = { kind: 'ended', code: 0, cause: null, words: null };
    await untilReason(id, /^Cancelled by a person\. Job \d+ at cluster is gone\.$/);
  });

  it('at a cluster that ignores that is let go, and the log says what to end there', async () => {
    cluster.faults = { isDeaf: true };
    const id = await create();
    await untilReason(id, /^Waiting/);
    await test.training.endRun(id, 'cancel');
    await untilReason(id, /cluster is ending job/);
    await untilReason(id, /is gone/);
    expect(await readLog(id)).toMatch(/cluster was asked to end job \d+ at cluster .* End it there/);
  });
});

it('the time that a job has until its worker takes the run counts from when the run is left', async () => {
  const id = await create();
  const { say } = await take(id);
  const readSince = async (): Promise<number> => {
    const { rows } = await test.studio.database.executeSql(
      `select (said->>'since')::float8 as since from studio.launches where experiment_id = '${id}'`,
    );
    return (rows[0] as { since: number }).since;
  };
  const before = await readSince();
  await vi.waitFor(async () => {
    await say();
    expect(await readSince()).toBeGreaterThan(before);
  }, 10_000);
  await test.training.endRun(id, 'cancel');
  await untilTidy(id);
});

it('a run that was preempted is placed again, goes on from its checkpoint, and not for ever', async () => {
  const id = await create();
  const first = await take(id);
  const job = cluster.jobOf(id);
  await first.trainTo(12);
  await first.end(75);
  job.status = PREEMPTED;
  await vi.waitFor(() => expect(cluster.jobOf(id)).not.toBe(job), 10_000);
  expect(await readLog(id)).toMatch(
    /Job \d+ at cluster was preempted\. It goes on from its last checkpoint\. Placed again 1 of 3 times\.\n/,
  );
  const second = await take(id);
  expect(second.lease).toMatchObject({ saved: ['step-12.json'], job: { resume: true } });
  await second.succeed();
  await untilStatus(id, 'succeeded');

  // Each time, before a checkpoint.
  const again = await create();
  await vi.waitFor(async () => {
    const placed = cluster.jobs.filter(({ order }) => order.experimentId === again);
    for (const each of placed) each.status = PREEMPTED;
    expect((await test.training.findProgress(again, -1))?.status).toBe('failed');
    expect(placed).toHaveLength(4);
  }, 20_000);
  expect((await untilStatus(again, 'failed')).reason).toMatch(/preempted\. It was placed again 3 times already\./);
});

it('a run that the cluster forgot is lost, what it saved is kept, and it goes on when a person wants', async () => {
  const id = await create();
  await (await take(id)).trainTo(12);
  // The whole node goes.
  cluster.jobs.splice(cluster.jobs.indexOf(cluster.jobOf(id)), 1);
  const lost = await untilStatus(id, 'failed');
  expect(lost.reason).toMatch(
    /^cluster does not know job \d+ at cluster any more: it was lost there\. Its last checkpoint/,
  );
  expect(lost.actions).toEqual(['resume']);
  await test.training.resumeRun(id);
  const next = await take(id);
  expect(next.lease.saved).toEqual(['step-12.json']);
  await next.succeed();
  await untilStatus(id, 'succeeded');
});

it('a run waits with the reason while no machine reaches the studio, and is not resumed', async () => {
  const stopped = await create();
  await (await take(stopped)).trainTo(12);
  cluster.jobs.splice(cluster.jobs.indexOf(cluster.jobOf(stopped)), 1);
  await untilStatus(stopped, 'failed');
  const id = await create();
  await untilReason(id, /^Waiting/);
  address = 'http://127.0.0.1:1';
  const known = cluster.jobs.length;
  cluster.jobOf(id).status = PREEMPTED;
  await untilReason(id, /^The launcher cluster places runs on other machines, which can not reach this studio at http/);
  await expect(test.training.resumeRun(stopped)).rejects.toThrow('can not reach this studio');
  // Several looks at the launcher.
  await setTimeout(300);
  expect((await test.training.findProgress(id, -1))?.status).toBe('queued');
  expect(cluster.jobs).toHaveLength(known);
  address = 'http://studio';
  await (await take(id)).succeed();
  await untilStatus(id, 'succeeded');
});

describe('a launcher', () => {
  it('that never answers is asked again, and then the run has failed with what it said', async () => {
    cluster.faults = { answer: 'it is away' };
    const id = await create();
    await untilReason(id, /cluster does not answer now \(it is away\)/);
    expect((await untilStatus(id, 'failed')).reason).toMatch(/^cluster did not take the run: it is away\./);
  });

  it('that stops to answer while a run waits keeps the run, which goes on afterwards', async () => {
    const id = await create();
    await untilReason(id, /^Waiting/);
    cluster.faults = { answer: 'it is away' };
    await untilReason(id, /^Waiting at cluster: Resources, job \d+\. cluster does not answer now/);
    cluster.faults = {};
    await (await take(id)).succeed();
    await untilStatus(id, 'succeeded');
  });

  it('that refuses a run says why', async () => {
    cluster.faults = { refuse: 'there is no partition gpu.' };
    expect((await untilStatus(await create(), 'failed')).reason).toBe(
      'cluster did not take the run: there is no partition gpu. Check launchers.json, and start it again.',
    );
  });

  it('that has no room is asked again for as long as it takes, while the run says why it waits', async () => {
    cluster.faults = { delay: 'quota gpus' };
    const id = await create();
    await untilReason(id, /^Waiting at cluster: quota gpus\.$/);
    // Longer than a launcher may be silent.
    for (const end = Date.now() + TIMES.placeMs + 300; Date.now() < end; await setTimeout(50))
      expect((await test.training.findProgress(id, -1))?.reason).toBe('Waiting at cluster: quota gpus.');
    cluster.faults = {};
    await untilReason(id, /^Waiting at cluster: Resources/);
    await (await take(id)).succeed();
    await untilStatus(id, 'succeeded');
  });

  it('whose job can not begin gives it up in time, and ends it there', async () => {
    const id = await create();
    await untilReason(id, /^Waiting/);
    cluster.jobOf(id).status = { kind: 'waiting', reason: 'no image', mostMs: 300 };
    const reason = `Job ${cluster.jobOf(id).number} at cluster can not begin: no image. Mend that, and start it again.`;
    expect((await untilStatus(id, 'failed')).reason).toBe(reason);
    await untilTidy(id);
    expect(cluster.jobOf(id).stopped).toBeGreaterThan(0);
  });

  it('is told with each part of a log what it said of the part before', async () => {
    const id = await create();
    const worker = await take(id);
    for (const line of ['one\n', 'two\n']) {
      cluster.jobOf(id).log += line;
      await vi.waitFor(async () => expect(await readLog(id)).toContain(line), 5_000);
    }
    expect(await readLog(id)).not.toContain('without its mark');
    await worker.succeed();
    await untilTidy(id);
  });

  it('whose answer to a submission was lost has one job of the run', async () => {
    cluster.faults = { losesAnswer: true };
    const id = await create();
    await untilReason(id, /^Waiting at cluster: Resources, job \d+\./);
    expect(cluster.jobs.filter(({ order }) => order.experimentId === id)).toHaveLength(1);
    await test.training.endRun(id, 'cancel');
    await untilTidy(id);
  });

  it('that gives one number to two jobs keeps the first', async () => {
    cluster.faults = { number: '7' };
    const first = await create();
    await untilReason(first, /^Waiting at cluster: Resources, job 7\./);
    const second = await create();
    expect((await untilStatus(second, 'failed')).reason).toContain('gave the number 7 to two jobs');
    await (await take(first)).succeed();
    await untilStatus(first, 'succeeded');
  });

  it('gets as many runs at once as it may have, and others wait in their order', async () => {
    const ids = [await create(), await create(), await create()] as const;
    await untilReason(ids[1], /^Waiting/);
    expect((await test.training.findProgress(ids[2], -1))?.reason).toBe('It is given to cluster next.');
    const described = { name: 'cluster', kind: 'command', about: 'a fake', most_at_once: 2, open: 2 };
    expect(await test.training.listLaunchers()).toEqual({ launchers: [described] });
    await (await take(ids[0])).succeed();
    await untilReason(ids[2], /^Waiting/);
    for (const id of ids.slice(1)) await test.training.endRun(id, 'cancel');
    for (const id of ids) await untilTidy(id);
  });
});
