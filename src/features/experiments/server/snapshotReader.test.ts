import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { readSnapshotFacts } from './snapshotReader.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';

let folders: TestFolders;
let studio: OpenedStudio;
let snapshotId: string;
beforeAll(async () => {
  folders = await openTestFolders();
  studio = await openTestStudio({ dataDir: await folders.withDatabase('sample'), sample: true });
  const [project] = await studio.listProjects();
  snapshotId = (await studio.findProject(project?.id ?? ''))?.children[1]?.children[0]?.id ?? '';
}, 60_000);
afterAll(async () => {
  await studio.close();
  await folders.remove();
});

it('a run that diverged is evidence against its settings; one that the machine ended is as good as none', async () => {
  const readFailed = async () =>
    (await readSnapshotFacts(studio.database.orm, snapshotId)).runs.flatMap(({ failure }) => failure ?? []);
  expect(await readFailed()).toEqual([
    'The loss rose above its start: 49.592 over the last 20 steps, 10.869 at first.',
  ]);
  await studio.database.executeSql(
    `update studio.experiments set failure = 'The trainer was ended by the signal SIGKILL.', losses = '[[0, 9], [1, 8]]'
     where status = 'failed'`,
  );
  expect(await readFailed()).toEqual([]);
});
