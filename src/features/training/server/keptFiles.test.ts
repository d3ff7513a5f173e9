import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sweepDeleted } from '#features/datasets/server/deletion.ts';
import { keepFile, keepOlderFiles, removeUnneeded } from './keptFiles.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { folders, studio } = await keepSample();
let dataDir = '';

const sql = async (text: string): Promise<readonly Record<string, unknown>[]> =>
  (await studio.database.executeSql(text)).rows as readonly Record<string, unknown>[];

/** A run of the sample with a model of its own and a training. */
let run = '';
const MODEL = 'models/ft-support-base-0a0b0c0d.gguf';
const put = (name: string): void => {
  mkdirSync(join(dataDir, name, '..'), { recursive: true });
  writeFileSync(join(dataDir, name), 'x');
};
const list = (name: string): string[] => readdirSync(join(dataDir, name)).toSorted();

beforeEach(async () => {
  dataDir = await folders.empty();
  const [found] = await sql(`select e.id from studio.experiments e join studio.jobs j on j.id = e.job_id
    join studio.snapshots s on s.id = j.snapshot_id join studio.datasets d on d.id = s.dataset_id
    where d.label = 'Order tools' and e.status = 'succeeded' limit 1`);
  run = String(found?.['id']);
  await sql(`delete from studio.kept_files; delete from studio.models where owned_by = 'test';
    insert into studio.models (id, position, experiment_id, file, aliases, owned_by, about, created_at)
      values ('ft-support-base-0a0b0c0d', 900, '${run}', '${MODEL}', '[]', 'test', '', now());
    insert into studio.trainings (experiment_id, training_type, seed) values ('${run}', 'full', 1) on conflict do nothing`);
  for (const name of ['.gguf', '.gguf.part', '.merged-F16.gguf', '.merged-Q8_0.gguf'])
    put(MODEL.replace('.gguf', name));
  put(`training/${run}/output/step-12.bin`);
  // Of another database, or of a person.
  put('models/ft-support-base-ffffffff.gguf');
  put(`training/${randomUUID()}/job.json`);
});

it('keeps what a model or a run needs, and all that has no record', async () => {
  const { orm } = studio.database;
  await keepFile(orm, dataDir, MODEL, run);
  await keepFile(orm, dataDir, `training/${run}`, run);
  const before = [list('models'), list('training')];
  await removeUnneeded(orm, dataDir);
  expect([list('models'), list('training')]).toEqual(before);
  // Its model is being made.
  await sql(
    `delete from studio.models where owned_by = 'test'; update studio.experiments set status = 'deploying' where id = '${run}'`,
  );
  await removeUnneeded(orm, dataDir);
  expect(list('models')).toEqual(before[0]);
  await sql(`update studio.experiments set status = 'succeeded' where id = '${run}'`);
});

it('leaves the files of another data folder to the service that has it', async () => {
  const { orm } = studio.database;
  const [mine, other] = [dataDir, await folders.empty()];
  await keepFile(orm, other, MODEL, run);
  await sql(`delete from studio.models where owned_by = 'test'`);
  await removeUnneeded(orm, mine);
  expect(existsSync(join(mine, MODEL))).toBe(true);
  expect(await sql('select path from studio.kept_files')).toHaveLength(1);
  await removeUnneeded(orm, other);
  expect(await sql('select path from studio.kept_files')).toEqual([]);
});

it('the weights of a deleted project are gone once its rows are, with the other forms and the folders of its runs', async () => {
  const { orm } = studio.database;
  await keepOlderFiles(orm, dataDir);
  await keepFile(orm, dataDir, `training/${run}`, run);
  const deleted = new Date('2026-11-23T10:00:00.000Z');
  await sql(`update studio.projects set deleted_at = '${deleted.toISOString()}'`);
  await sweepDeleted(studio.database, new Date(deleted.getTime() + 23 * 3_600_000));
  await removeUnneeded(orm, dataDir);
  expect(list('models')).toHaveLength(5);
  await sweepDeleted(studio.database, new Date(deleted.getTime() + 25 * 3_600_000));
  await removeUnneeded(orm, dataDir);
  expect(list('models')).toEqual(['ft-support-base-ffffffff.gguf']);
  expect(list('training')).toHaveLength(1);
  expect(existsSync(join(dataDir, 'training', run))).toBe(false);
  expect(await sql('select path from studio.kept_files')).toEqual([]);
});
