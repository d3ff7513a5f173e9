// What is kept of a run stays bounded, however long it is and however much it writes.
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Orm } from '#service/database/database.ts';
import { openLeases } from '#service/database/leases/leases.ts';
import { findCurves } from './curves.ts';
import {
  addCheckpoints,
  addLog,
  addPoints,
  addValidations,
  forgetAfter,
  MAX_CHECKPOINTS,
  MAX_POINTS,
  MAX_VALIDATIONS,
  readLog,
  readProgress,
} from './progressStore.ts';
import { claimNext, findTraining } from './queue.ts';
import { Recorder } from './recorder.ts';
import { openTestTraining } from './testTraining.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const at = new Date('2026-11-23T10:00:00Z');
let id: string;
const { dataDir, studio } = await keepSample();
const test = await keep(openTestTraining({ dataDir, studio, trainer: null }));
const { orm, executeSql } = studio.database;
/** Made together, which takes less time: one for each test, and one for a test that is tried once more. */
let unused: string[] = [];
beforeEach(async () => {
  if (unused.length === 0) unused = await test.runsOf(await test.create(Array.from({ length: 8 }, () => ({}))));
  id = unused.pop() ?? '';
});

const points = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const step = from + index;
    return { event: { type: 'progress' as const, step, loss: step === 7 ? null : 1 / (step + 1) }, at };
  });

it('keeps every second step of a run that is too long, and goes on so', async () => {
  await executeSql(
    `insert into studio.training_points (experiment_id, step, at, loss)
     select '${id}', step, now(), 1 from generate_series(0, ${MAX_POINTS - 2}) step`,
  );
  expect(await addPoints(orm, id, 1, points(MAX_POINTS - 1, 1))).toBe(1);
  const { rows } = await executeSql(
    `select count(*)::integer from studio.training_points where experiment_id = '${id}'`,
  );
  expect(rows).toEqual([{ count: MAX_POINTS }]);
  expect(await addPoints(orm, id, 1, points(MAX_POINTS, 5))).toBe(2);
  expect(await addPoints(orm, id, 2, points(MAX_POINTS + 5, 5))).toBe(2);
  const kept = (await readProgress(orm, id, -1)).points.map(({ step }) => step);
  expect(kept).toEqual(Array.from({ length: (MAX_POINTS + 10) / 2 }, (_, index) => index * 2));
});

it('keeps losses that are no number, and says so in curves', async () => {
  await addPoints(orm, id, 1, points(5, 4));
  expect((await readProgress(orm, id, -1)).points.map(({ loss }) => Number.isNaN(loss))).toEqual([
    false,
    false,
    true,
    false,
  ]);
  const find = (more = {}) => findCurves(test.studio.database, { runs: [id], names: ['loss'], ...more });
  const [curve] = await (await find()).read();
  expect(curve?.values[2]).toBe('NaN');
  const [part] = await (await find({ from_step: 7, to_step: 7 })).read();
  expect(part?.steps).toEqual([6, 7, 8]);
});

it('tells without their points whether curves are others, and reads none for a reader who has left', async () => {
  const find = (runs = [id]) => findCurves(test.studio.database, { runs, names: ['loss', 'eval/loss'] });
  await addPoints(orm, id, 1, points(1, 3));
  const found = await find();
  expect([found.names, (await find()).version]).toEqual([[{ name: 'loss', runs: 1 }], found.version]);
  await addPoints(orm, id, 1, [{ event: { type: 'progress', step: 3, loss: 9 }, at: new Date(at.getTime() + 1) }]);
  const again = await find();
  expect(again.version).not.toBe(found.version);
  await addValidations(orm, id, [{ event: { type: 'validation', step: 3, loss: 1 }, at }]);
  const measured = await find();
  expect(measured.version).not.toBe(again.version);
  expect((await measured.read()).map(({ name, length }) => [name, length])).toEqual([
    ['loss', 3],
    ['eval/loss', 1],
  ]);
  await expect(measured.read(AbortSignal.abort())).rejects.toThrow('aborted');
  expect((await find(['6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ad'])).version).toBe('');
});

it('keeps further curves by their names, of steps and of measures', async () => {
  const toPoint = (step: number, metrics: Record<string, number | null>) => ({
    event: { type: 'progress' as const, step, loss: 1, metrics },
    at,
  });
  await addPoints(orm, id, 1, [
    toPoint(1, { 'rewards/margins': 0.1 }),
    // As of a batch without a wanted answer.
    toPoint(2, { kl: 0.5 }),
    toPoint(3, {}),
    toPoint(4, { 'rewards/margins': 0.4, kl: null }),
  ]);
  await addValidations(orm, id, [
    { event: { type: 'validation', step: 4, loss: 1, metrics: { 'rewards/margins': 0.3 } }, at },
  ]);
  const names = ['rewards/margins', 'kl', 'eval/rewards/margins', 'eval/kl', 'learning_rate'];
  const found = await findCurves(test.studio.database, { runs: [id], names });
  expect(found.names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['loss', 'rewards/margins', 'kl', 'eval/loss', 'eval/rewards/margins']),
  );
  const curves = await found.read();
  expect(curves.map(({ name, steps, values }) => [name, steps, values])).toEqual(
    expect.arrayContaining([
      ['rewards/margins', [1, 4], [0.1, 0.4]],
      ['kl', [2], [0.5]],
      ['eval/rewards/margins', [4], [0.3]],
    ]),
  );
  expect(curves).toHaveLength(3);
});

it('curves come in the order of the request, one run after the other', async () => {
  const runs = [id, ...unused.slice(0, 3)];
  for (const run of runs) await addPoints(orm, run, 1, points(1, 2));
  for (const asked of [runs, runs.toReversed(), runs.toSorted(), runs.toSorted().toReversed()]) {
    const found = await findCurves(test.studio.database, { runs: [...asked, id.toUpperCase()], names: ['loss'] });
    expect((await found.read()).map(({ run_id }) => run_id)).toEqual(asked);
  }
});

it('replaces the steps that a resumed run makes again', async () => {
  await addPoints(orm, id, 1, points(1, 10));
  await addValidations(orm, id, [{ event: { type: 'validation', step: 9, loss: 1 }, at }]);
  await addCheckpoints(
    orm,
    id,
    [5, 9].map((step) => ({ event: { step }, at })),
    null,
  );
  await forgetAfter(orm, id, 5);
  const kept = await readProgress(orm, id, 3);
  expect(kept.points.map(({ step }) => step)).toEqual([4, 5]);
  expect([kept.validations.length, kept.checkpoints.map(({ step }) => step)]).toEqual([0, [5]]);
});

it('tells a measure of the step that a reader already has: it is made after the step', async () => {
  await addPoints(orm, id, 1, points(1, 10));
  const read = async (since: number) => (await readProgress(orm, id, since)).validations.map(({ step }) => step);
  expect(await read(10)).toEqual([]);
  await addValidations(orm, id, [{ event: { type: 'validation', step: 10, loss: 1 }, at }]);
  expect([await read(9), await read(10), await read(11)]).toEqual([[10], [10], []]);
  expect(await read(Number.MAX_SAFE_INTEGER)).toEqual([]);
});

it('keeps the answers of the last measures alone', async () => {
  const answers = [{ prompt: 'p', expected: 'e', answer: 'a' }];
  for (let step = 1; step <= 22; step += 1)
    await addValidations(orm, id, [{ event: { type: 'validation', step, exact_match: 1, answers }, at }]);
  const { validations } = await readProgress(orm, id, -1);
  expect(validations.map((validation) => validation.answers.length)).toEqual([
    ...Array.from({ length: 2 }, () => 0),
    ...Array.from({ length: 20 }, () => 1),
  ]);
});

it('keeps the end of a log, and answers from any place', async () => {
  const part = 100_000;
  const parts = 41;
  await addLog(orm, id, 'first\n');
  await executeSql(
    `insert into studio.training_logs (experiment_id, starts_at, body)
     select '${id}', 6 + at * ${part}, repeat('x', ${part}) from generate_series(0, ${parts - 1}) at;
     update studio.trainings set log_size = 6 + ${parts * part} where experiment_id = '${id}'`,
  );
  expect(await readLog(orm, id, 0)).toMatchObject({ from: 0, text: expect.stringMatching(/^first\nx/) as string });
  await addLog(orm, id, 'x'.repeat(part));
  await addLog(orm, id, 'last\n');
  const size = 6 + (parts + 1) * part + 5;
  expect(await readLog(orm, id, size - 5)).toEqual({ from: size - 5, next: size, size, text: 'last\n' });
  const start = await readLog(orm, id, 0);
  // 4 MiB in whole parts.
  expect(start?.from).toBe(6 + part);
  expect(start?.text).toHaveLength(512 * 1024);
  expect(await readLog(orm, id, size * 2)).toEqual({ from: size, next: size, size, text: '' });
});

/** Takes the run of this test, and opens what stores its lines. `own`: of the recorder. */
async function openTaken(own: Orm = orm) {
  const queued = await claimNext(orm, {
    leases: openLeases(test.studio.database, 'training', 60_000),
    only: null,
    worker: null,
    now: at,
    canTrain: async ({ run }) => run.id === id,
    removeFiles: async () => {},
  });
  const database = { ...test.studio.database, orm: own };
  const held = openLeases(database, 'training', 60_000).hold(queued!.lease);
  onTestFinished(() => held.stop());
  return new Recorder({ database, queued: queued!, held, now: () => at, toModel: async () => null });
}
const push = (recorder: Recorder, ...events: readonly object[]): void => {
  for (const event of events) recorder.push(JSON.stringify(event));
};

it('stores a flood of lines in a few statements, keeps the last ones, and says how many it dropped', async () => {
  const answers = [{ prompt: 'p', expected: 'e', answer: 'a' }];
  const asked: string[] = [];
  const counted = new Proxy(orm, {
    get: (target, name) =>
      name === 'transaction'
        ? (run: (inner: Orm) => Promise<unknown>) =>
            target.transaction((inner) =>
              run(
                new Proxy(inner, {
                  get(own, method) {
                    if (['insert', 'update', 'delete'].includes(String(method))) asked.push(String(method));
                    const value: unknown = Reflect.get(own, method);
                    return typeof value === 'function' ? (value as () => unknown).bind(own) : value;
                  },
                }),
              ),
            )
        : (Reflect.get(target, name) as unknown),
  });
  const recorder = await openTaken(counted);
  for (let step = 1; step <= 20_100; step += 1) {
    push(recorder, { type: 'progress', step, loss: 1 });
    if (step <= 2_000) push(recorder, { type: 'validation', step, loss: 1, answers });
    if (step <= 300) push(recorder, { type: 'checkpoint', step, file: 'c' });
  }
  await recorder.flush();
  expect(asked.length).toBeLessThan(20);
  const kept = await readProgress(orm, id, -1);
  expect(kept.points.length).toBeLessThanOrEqual(MAX_POINTS);
  expect(kept.points.at(-1)?.step).toBe(20_000);
  expect([kept.validations.length, kept.checkpoints.length]).toEqual([MAX_VALIDATIONS, MAX_CHECKPOINTS]);
  expect(kept.validations.filter((each) => each.answers.length > 0)).toHaveLength(20);
  expect((await readLog(orm, id, 0))?.text).toBe('... 1200 lines came too quickly and were dropped\n');
});

it('drops what the database refuses, and the run is hopeless', async () => {
  const recorder = await openTaken();
  await executeSql('alter table studio.training_points add constraint few check (step <> 1000) not valid');
  push(recorder, { type: 'start', steps: 9 }, { type: 'progress', step: 1000, loss: 1 });
  expect(await recorder.flush()).toBeNull();
  expect(recorder.hopeless).toMatch(/^The database refuses what the trainer said: .*few/);
  push(recorder, { type: 'progress', step: 2, loss: 1 });
  await recorder.flush();
  await executeSql('alter table studio.training_points drop constraint few');
  expect((await readProgress(orm, id, -1)).points.map(({ step }) => step)).toEqual([2]);
  expect((await readLog(orm, id, 0))?.text).toContain(recorder.hopeless);
});

it('loses nothing that comes while it stores, and a step is never ahead of its curve', async () => {
  const say = (step: number): void => {
    push(recorder, { type: 'progress', step, loss: 1 }, { type: 'validation', step, loss: 1 });
  };
  // A trainer that goes on while its last lines are on their way to the database.
  let isLate = false;
  const transaction: Orm['transaction'] = async (run) => {
    if (!isLate) say(2);
    const result = await orm.transaction(run);
    if (!isLate) say(3);
    isLate = true;
    return result;
  };
  const slow = new Proxy(orm, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  });
  const recorder = await openTaken(slow);
  const stored = async () => {
    const { points: kept, validations } = await readProgress(orm, id, -1);
    const own = await findTraining(orm, id);
    return [kept.map(({ step }) => step), validations.map(({ step }) => step), own?.training.step];
  };
  say(1);
  await recorder.flush();
  expect(await stored()).toEqual([[1], [1], 1]);
  await recorder.flush();
  expect(await stored()).toEqual([[1, 2, 3], [1, 2, 3], 3]);
});

it('a service that has lost the run stores nothing of what its trainer says', async () => {
  const leases = openLeases(test.studio.database, 'training', 60_000);
  const claimed = await claimNext(orm, {
    leases,
    only: null,
    worker: null,
    now: at,
    canTrain: async ({ run }) => run.id === id,
    removeFiles: async () => {},
  });
  const held = leases.hold(claimed!.lease);
  onTestFinished(() => held.stop());
  const recorder = new Recorder({
    database: test.studio.database,
    queued: claimed!,
    held,
    now: () => at,
    toModel: async () => null,
  });
  const say = (step: number): void => recorder.push(JSON.stringify({ type: 'progress', step, loss: 1 }));
  say(1);
  expect(await recorder.flush()).toBeNull();
  // Another service takes it over.
  await executeSql(`update studio.leases set fence = default where id = '${id}'`);
  say(2);
  expect(await recorder.flush()).toBe('lost');
  expect((await readProgress(orm, id, -1)).points.map(({ step }) => step)).toEqual([1]);
  expect((await findTraining(orm, id))?.training.step).toBe(1);
});
