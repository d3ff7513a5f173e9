import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestFolders, type TestFolders } from '#server/studio/folders.fixture.ts';
import { removeDeletedRuns } from './deletedRuns.ts';
import { toRunFolder } from './runFolder.ts';
import { openTestTraining, type TestTraining } from './testTraining.fixture.ts';

const DELETED = Date.parse('2026-11-23T10:00:00Z');
let folders: TestFolders;
let dataDir: string;
let test: TestTraining;
beforeAll(async () => {
  folders = await openTestFolders();
  dataDir = await folders.withDatabase('sample');
  test = await openTestTraining({ dataDir, trainer: null });
}, 60_000);
afterAll(async () => {
  await test.close();
  await test.studio.close();
  await folders.remove();
});

const hasFolder = (id: string): boolean => existsSync(toRunFolder(dataDir, id).path);
async function makeRun(): Promise<string> {
  const [id = ''] = await test.runsOf(await test.create());
  await mkdir(toRunFolder(dataDir, id).output, { recursive: true });
  return id;
}
const tidy = (hours: number, isShared = false): Promise<void> => {
  const { orm } = test.studio.database;
  return removeDeletedRuns({ database: { orm, isShared }, dataDir, now: () => new Date(DELETED + hours * 3_600_000) });
};

it.each([
  ['experiments', 'id = $1'],
  ['jobs', 'id = (select job_id from studio.experiments where id = $1)'],
  ['projects', '$1 = $1'],
])('a run that was deleted by its place in %s keeps its folder while it can be restored', async (table, condition) => {
  const [id, other] = [await makeRun(), await makeRun()];
  const set = (at: string) =>
    test.studio.database.executeSql(`update studio.${table} set deleted_at = ${at} where ${condition}`, [id]);
  await set(`'${new Date(DELETED).toISOString()}'`);
  await tidy(23);
  expect([hasFolder(id), hasFolder(other)]).toEqual([true, true]);
  await tidy(24);
  expect([hasFolder(id), hasFolder(other)]).toEqual([false, table !== 'projects']);
  await set('null');
});

it('a folder that no run has goes, unless another database may have its run', async () => {
  const id = await makeRun();
  await test.studio.database.executeSql('delete from studio.experiments where id = $1', [id]);
  await tidy(0, true);
  expect(hasFolder(id)).toBe(true);
  await tidy(0);
  expect(hasFolder(id)).toBe(false);
});
