import { expect, it } from 'vitest';
import { readSnapshotFacts } from './snapshotReader.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { studio } = await keepSample();
const [project] = await studio.listProjects();
const snapshotId = (await studio.findProject(project?.id ?? ''))?.children[1]?.children[0]?.id ?? '';

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
