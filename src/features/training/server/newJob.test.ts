// The rest of making jobs: openTraining.test.ts, and over HTTP trainingRoutes.test.ts.
import { expect, it, onTestFinished } from 'vitest';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';
import { toRequestAgain } from './newJob.ts';
import { openTestTraining, toTestTrainer } from './testTraining.fixture.ts';

async function openSample() {
  const folders = await openTestFolders();
  const dataDir = await folders.withDatabase('sample');
  const studio = await openTestStudio({ dataDir, sample: true });
  onTestFinished(async () => {
    await studio.close();
    await folders.remove();
  });
  return { dataDir, studio };
}

it('a job with numbers that no job may have, as one of a stranger’s project, can not be run again', async () => {
  const { studio } = await openSample();
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

it('a type that the trainer can not train is refused; where workers ask it waits for one of them, and holds up no run', async () => {
  const QLORA = { training_type: 'qlora' } as const;
  const test = await openTestTraining({
    ...(await openSample()),
    trainer: { ...toTestTrainer('pause'), refuseType: (type) => (type === 'qlora' ? 'It trains no QLoRA.' : null) },
  });
  onTestFinished(() => test.close());
  const { training } = test;
  await expect(test.create([{}, QLORA])).rejects.toMatchObject({
    status: 400,
    message: 'It trains no QLoRA.',
    code: 'unsupported_training_type',
    param: 'experiments[1].training_type',
  });
  expect(await training.workers.lease({ name: 'small', is_built_in: true })).toBeNull();
  const jobId = await test.create([QLORA]);
  const [id = ''] = await test.runsOf(jobId);
  const others = await test.create([{}, {}]);
  const [first = '', second = ''] = await test.runsOf(others);
  await test.until(first, ({ step }) => step >= 12);
  expect((await training.findProgress(id, -1))?.reason).toBe('It waits for a worker that takes it.');
  expect((await training.findProgress(second, -1))?.reason).toMatch(/^It is next\./);
  await training.cancelJob(others);
  expect(await training.workers.lease({ name: 'small', is_built_in: true })).toBeNull();
  expect(await training.workers.lease({ name: 'gpu-1', is_built_in: false })).toMatchObject({ job: QLORA });
  await training.cancelJob(jobId);
  await test.until(id, ({ status }) => status === 'stopped');
});
