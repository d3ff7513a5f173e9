// The rest of making jobs: openTraining.test.ts, and over HTTP trainingRoutes.test.ts.
import { expect, it, onTestFinished } from 'vitest';
import { openTestFolders } from '#server/studio/folders.fixture.ts';
import { openTestStudio } from '#server/studio/testDatabase.fixture.ts';
import { toRequestAgain } from './newJob.ts';

it('a job with numbers that no job may have, as one of a stranger’s project, can not be run again', async () => {
  const folders = await openTestFolders();
  const studio = await openTestStudio({ dataDir: await folders.withDatabase('sample'), sample: true });
  onTestFinished(async () => {
    await studio.close();
    await folders.remove();
  });
  const { orm, executeSql } = studio.database;
  const { rows } = await executeSql('select id from studio.jobs limit 1');
  const { id } = rows[0] as { id: string };
  expect(await toRequestAgain(orm, id)).toMatchObject({ name: expect.stringMatching(/ \(2\)$/) as string });
  await executeSql(`update studio.experiments set n_epochs = 2147483647, learning_rate_multiplier = 1e30`);
  await expect(toRequestAgain(orm, id)).rejects.toMatchObject({
    status: 400,
    code: 'can_not_duplicate',
    message: expect.stringMatching(/n_epochs must be at most 10\. Start another one/) as string,
  });
});
