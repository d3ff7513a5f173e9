// The rest of making jobs: openTraining.test.ts, and over HTTP trainingRoutes.test.ts.
import { eq } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { experiments } from '#service/database/tables.ts';
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

it('what is chosen is kept with the run: its job file, its settings, what is started again', async () => {
  const test = await openTestTraining({ ...(await openSample()), trainer: toTestTrainer('pause') });
  onTestFinished(() => test.close());
  const chosen = {
    lora_rank: 4,
    lora_dropout: 0.1,
    target_modules: ['q_proj', 'v_proj'],
    warmup_steps: 3,
    weight_decay: 0.1,
    scheduler: 'linear',
    max_length: 64,
  } as const;
  const wanted = { ...chosen, target_modules: [...chosen.target_modules], lora: true };
  const jobId = await test.create([{ ...wanted, seed: 5 }, { ...wanted, seed: 6 }, {}]);
  const [id = '', , plain = ''] = await test.runsOf(jobId);
  const { orm } = test.studio.database;
  const jobOf = async (run: string) => JSON.parse((await test.training.findCommand(run))?.job ?? '') as unknown;
  expect(await jobOf(id)).toMatchObject({
    lora: { rank: 4, alpha: 8, dropout: 0.1, target_modules: ['q_proj', 'v_proj'] },
    seed: 5,
    warmup_steps: 3,
    weight_decay: 0.1,
    scheduler: 'linear',
    max_length: 64,
  });
  expect(Object.keys((await jobOf(plain)) as object)).not.toContain('scheduler');
  const rows = await orm.select().from(experiments).where(eq(experiments.id, id));
  expect(rows).toMatchObject([
    {
      label: 'Experiment 1 · LoRA rank 4 · LoRA dropout 0.1 · target modules q_proj v_proj · seed 5 · warm-up 3',
      settings: { lora_alpha: 8, target_modules: 'q_proj, v_proj', seed: 5 },
    },
  ]);
  const again = await toRequestAgain(orm, jobId);
  expect(again?.experiments).toMatchObject([{ ...chosen, seed: 5 }, { ...chosen, seed: 6 }, {}]);
  expect(again?.experiments[2]).not.toHaveProperty('seed');
  await test.training.cancelJob(jobId);
});

it('a setting that the trainer or the base model can not do is refused by its name', async () => {
  const refusedSettings = { lora_dropout: 'It computes no dropout.' };
  const test = await openTestTraining({
    ...(await openSample()),
    trainer: { ...toTestTrainer('pause'), refusedSettings },
  });
  onTestFinished(() => test.close());
  expect((await test.training.readQueue()).trainer).toMatchObject({ refused_settings: refusedSettings });
  const LORA = { lora: true } as const;
  await expect(test.create([{}, { ...LORA, lora_dropout: 0.1 }])).rejects.toMatchObject({
    status: 400,
    message: 'It computes no dropout.',
    param: 'experiments[1].lora_dropout',
  });
  await expect(test.create([{ ...LORA, target_modules: ['q_proj', 'Wqkv'] }])).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/has no matrix Wqkv\. It has q_proj, k_proj,/) as string,
    param: 'experiments[0].target_modules[1]',
  });
  const first = await test.create([{ ...LORA, lora_dropout: 0, lora_rank: 4 }]);
  const [source = ''] = await test.runsOf(first);
  const next = { ...LORA, refinetune_from_experiment_id: source };
  await expect(test.create([{ ...next, lora_rank: 8 }])).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/has an adapter of rank 4 and alpha 8/) as string,
    param: 'experiments[0].lora_rank',
  });
  const [goesOn = ''] = await test.runsOf(await test.create([next]));
  expect((await test.training.findCommand(goesOn))?.job).toMatch(/"rank": 4,\s+"alpha": 8/);
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
