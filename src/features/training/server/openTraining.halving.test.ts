// Successive halving of a job's runs, with real processes and the real database.
import { describe, expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { toPauseStep } from '#trainer/protocol/trainerProtocol.ts';
import { progressSchema } from '#features/training/shared/trainingRecords.ts';
import { toRequestAgain } from './newJob.ts';
import type { Trainer } from './trainer.ts';
import { takeRun } from './fakeWorker.fixture.ts';
import { openTestTraining, RUN, toTestTrainer, type TestTraining } from './testTraining.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

const { dataDir, studio } = await keepSample();
await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');

/** Its validation loss is the rate; a rate above 1 fails. */
const toPausing = (delayMs = 0): Trainer => ({ ...toTestTrainer('rates', delayMs), canPause: true });
const HALVING = { halving: {} } as const;
const rates = (...values: readonly number[]) =>
  values.map((learning_rate_multiplier) => ({ learning_rate_multiplier }));
async function openWith(trainer: Trainer): Promise<TestTraining> {
  const test = await openTestTraining({ dataDir, studio, trainer });
  atEnd(() => test.close());
  return test;
}

/** A studio whose runs are trained by workers alone. */
async function openForWorkers(): Promise<TestTraining> {
  const test = await openTestTraining({ dataDir, studio, trainer: null });
  atEnd(() => test.close());
  return test;
}

/** A worker trains the next run to its pause or its end, as the test trainer would. false: none waits. */
async function trainNext({ training }: TestTraining): Promise<boolean> {
  const worker = await takeRun(training.workers, { is_built_in: true });
  if (worker === null) return false;
  const { learning_rate: rate, pause_at: pause, resume } = worker.lease.job;
  if (rate > 1 && !resume) await worker.end(1);
  else if (pause === undefined) await worker.succeed();
  else {
    await worker.trainTo(toPauseStep(pause, 40), rate);
    await worker.end(75);
  }
  return true;
}
async function trainAll(test: TestTraining): Promise<void> {
  while (await trainNext(test));
}

/** The job once it has ended. */
async function endOf({ training, studio: { findJob } }: TestTraining, jobId: string) {
  for (;;) {
    const found = await findJob(jobId);
    const job = found && (await training.describeJob(found));
    if (job && job.status !== 'processing') return job;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

describe('a job that stops poor candidates early', () => {
  it('trains four to a quarter, two to a half and one to its end, and says what that saved', async () => {
    const test = await openForWorkers();
    await trainNext(test);
    const jobId = await test.create(rates(0.4, 0.2, 0.3, 0.1), undefined, { halving: { eta: 2 } });
    await trainAll(test);
    const job = await endOf(test, jobId);
    expect(jobSchema.safeParse(job).error).toBeUndefined();
    expect(job.status).toBe('completed');
    expect(job.experiments.map(({ status, steps }) => [status, steps])).toEqual([
      ['stopped', 10],
      ['stopped', 20],
      ['stopped', 10],
      ['succeeded', 40],
    ]);
    expect(job.experiments[0]).toMatchObject({
      status_cause: 'stopped_early',
      reason:
        'Stopped early at step 10: place 4 of 4 by validation loss, 0.4 against 0.1 of the best. Its checkpoint is kept.',
    });
    expect(job.experiments[1]?.reason).toContain('at step 20: place 2 of 2');
    expect(job.halving).toMatchObject({ eta: 2, min_share: 0.25, stopped_early: 3 });
    expect(job.halving!.seconds_saved).toBeGreaterThan(0);
    expect(await toRequestAgain(studio.database.orm, jobId)).toMatchObject({
      studio: { halving: { eta: 2, min_share: 0.25 } },
    });
  });

  it('keeps what a trainer saved at its pause, and trains a stopped run on when a person wants', async () => {
    const test = await openWith(toPausing());
    const jobId = await test.create(rates(0.2, 0.1), undefined, { halving: { eta: 2 } });
    const [{ id = '' } = {}, best] = (await endOf(test, jobId)).experiments;
    expect(best?.status).toBe('succeeded');
    const early = await test.training.findProgress(id, -1);
    expect(progressSchema.safeParse(early).error).toBeUndefined();
    expect(early).toMatchObject({ status_cause: 'stopped_early', step: 20, actions: ['resume'] });
    expect(early?.checkpoints.at(-1)?.model_id).toMatch(/-step-20$/);
    // What a person wants counts, whatever the others came to.
    await test.training.resumeRun(id);
    expect(await test.until(id, ({ status }) => status === 'succeeded')).toMatchObject({ step: 40 });
  });

  it('counts what failed as last and seeds by their mean, also when another service goes on in between', async () => {
    const first = await openForWorkers();
    const runs = [...rates(5, 0.4), { ...rates(0.1)[0], seed: 1 }, { ...rates(0.1)[0], seed: 2 }];
    await trainNext(first);
    const jobId = await first.create(runs, undefined, HALVING);
    for (let left = 2; left > 0; left -= 1) await trainNext(first);
    await first.close();
    const second = await openForWorkers();
    await trainAll(second);
    const job = await endOf(second, jobId);
    expect(job.experiments.map(({ status, steps }) => [status, steps])).toEqual([
      ['failed', undefined],
      ['stopped', 14],
      ['succeeded', 40],
      ['succeeded', 40],
    ]);
    expect(job.experiments[1]?.reason).toContain('place 2 of 3');
  });

  it('goes on without a run that a person cancels, also one that is paused, and ends as a whole', async () => {
    const test = await openForWorkers();
    await trainNext(test);
    const jobId = await test.create(rates(0.1, 0.3, 0.2), undefined, HALVING);
    const [best = ''] = await test.runsOf(jobId);
    await trainNext(test);
    expect(await test.training.findProgress(best, -1)).toMatchObject({
      status: 'pending',
      reason: 'Paused until all candidates of its job have come as far.',
      actions: ['cancel'],
    });
    await test.training.endRun(best, 'cancel');
    expect(await test.training.findProgress(best, -1)).toMatchObject({ status: 'stopped', actions: [] });
    await trainAll(test);
    expect((await endOf(test, jobId)).experiments.map(({ status }) => status)).toEqual([
      'stopped',
      'stopped',
      'succeeded',
    ]);
    const other = await test.create(rates(0.1, 0.3, 0.2), undefined, HALVING);
    await trainNext(test);
    await test.training.cancelJob(other);
    expect((await endOf(test, other)).status).toBe('stopped');
  });

  it('is what the preview says', async () => {
    const test = await openWith(toPausing());
    const job = {
      snapshot_id: test.snapshotId,
      name: 'x',
      experiments: [RUN],
      studio: { halving: { min_share: 0.25 } },
    };
    const [first] = await test.training.previewJob(job);
    expect(JSON.parse(first?.job ?? '')).toMatchObject({ pause_at: 0.25 });
  });
});

describe('halving that can not be', () => {
  it.each([
    ['with two candidates for an eta of 3', rates(1, 2), {}, 'studio.halving.eta', /Take eta 2, add runs/],
    [
      'with seeds alone',
      [{ seed: 1 }, { seed: 2 }, { seed: 3 }],
      {},
      'studio.halving.eta',
      /seed alone are one\. Add runs/,
    ],
    [
      'with another objective',
      [...rates(1, 2), { objective: 'dpo' as const }],
      {},
      'experiments[2].objective',
      /same objective, or train all to the end/,
    ],
    [
      'with another length of rows',
      [...rates(1, 2), { max_length: 256 }],
      {},
      'experiments[2].max_length',
      /another max length has another loss/,
    ],
    [
      'with another base model',
      [...rates(1, 2), { base_model_id: 'smollm-135m' }],
      {},
      'experiments[2].base_model_id',
      /Give all runs the same base model/,
    ],
  ])('is refused %s', async (_, runs, halving, param, message) => {
    const test = await openWith({ ...toPausing(), objectives: ['sft', 'dpo'] });
    await expect(test.create(runs, undefined, { halving })).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringMatching(message) as string,
    });
  });

  it('is refused with a trainer that does not pause', async () => {
    const test = await openWith(toTestTrainer());
    await expect(test.create(rates(1, 2, 3), undefined, HALVING)).rejects.toMatchObject({
      status: 400,
      param: 'studio.halving',
      message: expect.stringMatching(/with the built-in trainer/) as string,
    });
  });

  it('is refused on a snapshot without validation rows', async () => {
    const test = await openWith(toPausing());
    await studio.database.executeSql(
      `update studio.snapshots set validation_count = 0 where id = '${test.snapshotId}'`,
    );
    await expect(test.create(rates(1, 2, 3), undefined, HALVING)).rejects.toMatchObject({
      param: 'studio.halving',
      message: expect.stringMatching(/no validation rows/) as string,
    });
  });
});
