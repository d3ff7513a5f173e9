// Runs whose lines can't be stored, or that people delete: each ends, and the next one starts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { toRunFolder } from './runFolder.ts';
import { modelsOf, openTestTraining, QUICK, toTestTrainer, type TestTraining } from './testTraining.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { dataDir, studio } = await keepSample();
await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');

const sql = (text: string) => studio.database.executeSql(text);
let open: TestTraining[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await sql('drop trigger if exists refuses on studio.training_points; drop function if exists studio.refuse');
});
async function openWith(mode: string, leaseMs = QUICK.leaseMs, delayMs = 0): Promise<TestTraining> {
  const times = { ...QUICK, leaseMs };
  const test = await openTestTraining({ dataDir, studio, trainer: toTestTrainer(mode, delayMs), times });
  open.push(test);
  return test;
}

/** From now on the steps of a run can't be stored: the database answers with an error of this SQLSTATE. */
const refuse = (id: string, code: string) =>
  sql(`
    create function studio.refuse() returns trigger language plpgsql as $$
      begin
        raise exception 'no room' using errcode = '${code}';
      end $$;
    create trigger refuses before insert on studio.training_points for each row
      when (new.experiment_id = '${id}') execute function studio.refuse()`);
const DISK_FULL = '53100';

/** Two runs, none of which has begun. */
async function makeTwo(): Promise<[string, string]> {
  const waiting = await openTestTraining({ dataDir, studio, trainer: null });
  const [first = '', second = ''] = await waiting.runsOf(await waiting.create([{}, {}]));
  await waiting.close();
  return [first, second];
}
const isRunning = ({ status }: { status: string }): boolean => status === 'running';
const isStopped = ({ status }: { status: string }): boolean => status === 'stopped';

it('a run goes on when its trainer says what no database keeps, and its log says what was refused', async () => {
  const test = await openWith('unstorable');
  const [id = ''] = await test.runsOf(await test.create());
  const { validations } = await test.until(id, ({ status }) => status === 'succeeded');
  expect(validations[0]?.answers.map(({ answer }) => answer)).toEqual(['a\ufffd', 'b\ufffd']);
  const log = (await test.training.findLog(id, 0))?.text;
  for (const refused of ['progress: step', 'start: rows_cut'])
    expect(log).toContain(`(not understood: ${refused} must be at most 2147483647.)`);
});

it.each([
  ['cancel', 'Cancelled by a person.'],
  ['stop', /^Stopped by a person/],
] as const)('%s ends a run whose steps can not be stored now', async (wish, reason) => {
  const [first, second] = await makeTwo();
  await refuse(first, DISK_FULL);
  const test = await openWith('pause', 4_000);
  await vi.waitFor(() => expect(test.log.join(' ')).toContain('no room'), 20_000);
  expect(isRunning((await test.training.findProgress(first, -1))!)).toBe(true);
  await test.training.endRun(first, wish);
  expect(await test.until(first, isStopped)).toMatchObject({ reason: expect.stringMatching(reason) as string });
  await test.until(second, ({ step }) => step >= 12);
  await test.training.endRun(second, 'cancel');
  await test.until(second, isStopped);
});

it('a run whose steps can not be stored for as long as a lease makes way, and is trained when they can', async () => {
  const [first, second] = await makeTwo();
  await refuse(first, DISK_FULL);
  const test = await openWith('train', 2_000);
  await test.until(second, ({ status }) => status === 'succeeded');
  expect((await test.training.findProgress(first, -1))?.step).toBe(0);
  await sql('drop trigger refuses on studio.training_points');
  const { points } = await test.until(first, ({ status }) => status === 'succeeded');
  expect(points).toHaveLength(40);
  expect(test.log.filter((line) => line.includes('no room')).length).toBeLessThan(10);
});

it('the trainer of such a run is ended, though it would go on', async () => {
  const [first, second] = await makeTwo();
  await refuse(first, DISK_FULL);
  const test = await openWith('pause', 2_000);
  await test.until(second, ({ step }) => step >= 12);
  await test.training.endRun(second, 'cancel');
  await test.until(second, isStopped);
  await test.training.endRun(first, 'cancel');
  await test.until(first, isStopped);
});

it('a run whose steps the database refuses for good has failed at once', async () => {
  const [first, second] = await makeTwo();
  await refuse(first, '22003');
  const test = await openWith('pause');
  const failed = await test.until(first, ({ status }) => status === 'failed');
  expect(failed.reason).toBe('The database refuses what the trainer said: no room. The log has what it said before.');
  await test.until(second, ({ step }) => step >= 12);
  await test.training.endRun(second, 'cancel');
  await test.until(second, isStopped);
});

it('a run that is deleted while it is trained ends, leaves nothing, and the next one starts', async () => {
  const [first, second] = await makeTwo();
  const test = await openWith('deaf', 2_000, 200);
  await test.until(first, ({ checkpoints }) => checkpoints.some(({ model_id }) => model_id !== null));
  await sql(`update studio.experiments set deleted_at = now() where id = '${first}'`);
  await test.until(second, isRunning);
  expect(existsSync(toRunFolder(dataDir, first).path)).toBe(false);
  expect(await modelsOf(test, first)).toEqual([]);
  await sql(`update studio.experiments set deleted_at = null where id = '${first}'`);
  expect(await test.training.findProgress(first, -1)).toMatchObject({
    status: 'stopped',
    reason: 'It was deleted while it was trained.',
    actions: [],
  });
  await test.training.endRun(second, 'cancel');
  await test.until(second, isStopped);
  await vi.waitFor(() => expect(existsSync(join(dataDir, 'training', second))).toBe(false), 10_000);
});
