// Trainings from the request to the model, with real processes and the real database.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import {
  progressSchema,
  takeAwaySchema,
  trainingBasesSchema,
  trainingQueueSchema,
} from '#features/training/shared/trainingRecords.ts';
import { removeRunFolder } from './runFolder.ts';
import type { Trainer } from './trainer.ts';
import { isRunning, openTestTraining, QUICK, toTestTrainer, type TestTraining } from './testTraining.fixture.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';
import { atEnd } from '#service/files/keep.fixture.ts';

const { dataDir, studio } = await keepSample();
// Each run writes its rows for the trainer: two blocks of them are as good as nine.
await studio.database.executeSql('update studio.snapshots set rows_end = 300 where rows_end > 300');
async function openWith(trainer: Trainer | null, more: object = {}): Promise<TestTraining> {
  const test = await openTestTraining({ dataDir, studio, trainer, ...more });
  atEnd(() => test.close());
  return test;
}
const one = async (test: TestTraining, jobId: string): Promise<string> => (await test.runsOf(jobId))[0] ?? '';
const ended = ({ status }: { status: string }): boolean => ['succeeded', 'failed', 'stopped'].includes(status);

it('base models are listed with their form, and with their speed once a run from them has ended', async () => {
  const test = await openWith(toTestTrainer());
  const base = async () => {
    const listed = await test.training.listBases();
    expect(trainingBasesSchema.safeParse(listed).error).toBeUndefined();
    expect(listed.bases.every(({ id }) => !id.startsWith('ft-'))).toBe(true);
    return listed.bases.find(({ shape }) => shape !== null);
  };
  expect(await base()).toMatchObject({ refusal: null, shape: { has_output: false } });
  const id = await one(test, await test.create());
  await test.until(id, ended);
  expect((await base())?.operations_per_second).toBeGreaterThan(0);
});

describe('a training', () => {
  it('goes from the queue to a model, with its curves, measures and log', async () => {
    const test = await openWith(toTestTrainer());
    const jobId = await test.create();
    const id = await one(test, jobId);
    const progress = await test.until(id, ended);
    expect(progressSchema.safeParse(progress).error).toBeUndefined();
    expect(progress).toMatchObject({
      status: 'succeeded',
      reason: null,
      step: 40,
      steps: 40,
      rows_left_out: 1,
      actions: [],
      queue_position: null,
    });
    expect(progress.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(progress.validations.map(({ step, exact_match }) => [step, exact_match])).toEqual([
      [10, 0.25],
      [20, 0.5],
      [30, 0.75],
      [40, 1],
    ]);
    expect((await test.training.findProgress(id, 38))?.points.map(({ step }) => step)).toEqual([39, 40]);
    const job = await test.training.describeJob((await test.studio.findJob(jobId))!);
    expect(jobSchema.safeParse(job).error).toBeUndefined();
    const model = `ft-support-base-${id.slice(0, 8)}`;
    expect(job).toMatchObject({
      status: 'completed',
      experiments: [
        {
          status: 'succeeded',
          model_id: model,
          training_type: 'lora',
          steps: 40,
          held_out_rows: 20,
          held_out: { exact_match: 0.95, validation_loss: 0.2 },
          held_out_base: { exact_match: 0, validation_loss: 8.1 },
          decoding: 'greedy',
          optimizer: 'adamw',
          lora_rank: 8,
          lora_alpha: 16,
          seed: expect.any(Number) as number,
        },
      ],
    });
    expect(job.experiments[0]?.losses).toHaveLength(40);
    const files = await test.studio.listModelFiles();
    const file = files.find((each) => each.id === model);
    const base = files.find((each) => each.id === 'support-base');
    // Compared as bytes: number by number takes seconds.
    expect((await readFile(file!.path)).equals(await readFile(base!.path))).toBe(true);
    // Models of checkpoints and the folder of the run are gone.
    expect(files.filter((each) => each.id.startsWith(model))).toHaveLength(1);
    await vi.waitFor(async () => expect(await readdir(join(dataDir, 'training'))).not.toContain(id), 5_000);
    const log = await test.training.findLog(id, 0);
    expect(log?.text).toMatch(/^\$ .*job\.json\nbegins at step 0\n/);
    expect(await test.training.findLog(id, log!.next)).toEqual({
      from: log!.next,
      next: log!.next,
      size: log!.next,
      text: '',
    });
    const found = await test.training.findCurves({ runs: [id], names: ['loss', 'eval/loss'], points: 10 });
    expect(found.names.map(({ name }) => name)).toContain('eval/exact_match');
    const curves = await found.read();
    expect(curves.map(({ name, length }) => [name, length])).toEqual([
      ['loss', 40],
      ['eval/loss', 4],
    ]);
    expect(curves[0]?.steps.length).toBeLessThanOrEqual(10);
    expect(test.log).toEqual([]);
  });

  it('keeps the best checkpoint if it is not the last one, and the other forms of the model that are whole', async () => {
    const test = await openWith(toTestTrainer('overfit', 20));
    const id = await one(test, await test.create());
    const listed = async () => {
      const tuned = `ft-support-base-${id.slice(0, 8)}`;
      const files = await test.studio.listModelFiles();
      return files.flatMap((file) => (file.id.startsWith(tuned) ? [file.id.slice(tuned.length)] : []));
    };
    const going = await test.until(id, ({ step }) => step >= 35);
    expect(await listed()).toContain('-step-10');
    expect(going.checkpoints[0]?.model_id).toMatch(/-step-10$/);
    await test.until(id, ({ status }) => status === 'succeeded');
    // Models of checkpoints go once the run has ended.
    await vi.waitFor(async () => expect((await listed()).toSorted()).toEqual(['', '-step-10']), 10_000);
    const taken = await test.training.findTakeAway(id);
    expect(takeAwaySchema.safeParse(taken).error).toBeUndefined();
    expect(taken?.files.map(({ format }) => format)).toEqual(['Q8_0', 'merged whole']);
    expect((await test.training.findLog(id, 0))?.text).toMatch(/The file merged cut is not kept: The file is cut off/);
  });

  it('hands over what the record says', async () => {
    const test = await openWith(null);
    const jobId = await test.create([{ n_epochs: 3, batch_size: 4, learning_rate_multiplier: 2e-3, lora: false }]);
    const found = await test.training.findCommand(await one(test, jobId));
    const job = JSON.parse(found!.job) as Record<string, unknown>;
    expect(job).toMatchObject({
      protocol: 1,
      training_type: 'full',
      n_epochs: 3,
      batch_size: 4,
      learning_rate: 2e-3,
      lora: null,
      resume: false,
      base: { id: 'support-base', adapter: null, context: 512 },
    });
    await test.training.cancelJob(jobId);
  });
});

describe('without a trainer', () => {
  it('runs stay queued, with what to start', async () => {
    const test = await openWith(null);
    const jobId = await test.create([{}, {}]);
    const [first = '', second = ''] = await test.runsOf(jobId);
    expect(await test.training.findProgress(second, -1)).toMatchObject({
      status: 'queued',
      queue_position: 2,
      reason: expect.stringMatching(/Start a worker/) as string,
      actions: ['cancel'],
    });
    await test.training.reorder([second]);
    const queue = await test.training.readQueue();
    expect(trainingQueueSchema.safeParse(queue).success).toBe(true);
    expect(queue).toMatchObject({
      trainer: null,
      has_workers: false,
      running: [],
      waiting: [
        { experiment_id: second, position: 1 },
        { experiment_id: first, position: 2 },
      ],
    });
    expect(await test.training.endRun(first, 'cancel')).toBe(true);
    await expect(test.training.endRun(first, 'cancel')).rejects.toThrow(/is stopped, so there is nothing to end/);
    await expect(test.training.reorder([first])).rejects.toThrow(/does not wait any more/);
    await expect(test.training.resumeRun(first)).rejects.toThrow(/no checkpoint to go on from/);
    expect(await test.training.cancelJob(jobId)).toBe(true);
    expect(await test.studio.findJob(jobId)).toMatchObject({ status: 'stopped' });
    await expect(test.training.cancelJob(jobId)).rejects.toThrow(/none of its runs goes on/);
  });

  it('counts on a worker, and says what waits before a run', async () => {
    const test = await openWith(toTestTrainer('pause'));
    const jobId = await test.create([{}, {}, {}, {}]);
    const [first = '', ...others] = await test.runsOf(jobId);
    await test.until(first, ({ step }) => step >= 12);
    const reason = async (id: string) => (await test.training.findProgress(id, -1))?.reason;
    expect(await reason(others[1] ?? '')).toBe('2 runs are trained before it, one at a time.');
    const lease = await test.training.workers.lease({ name: 'gpu-1', is_built_in: false });
    expect(lease?.experiment_id).toBe(others[0]);
    const queue = await test.training.readQueue();
    expect({ ...queue, running: queue.running.toSorted() }).toMatchObject({
      has_workers: true,
      running: [first, others[0]].toSorted(),
    });
    const taking = 'This machine and each worker train one run at a time.';
    expect(await reason(others[1] ?? '')).toBe(`It is next. ${taking}`);
    expect(await reason(others[2] ?? '')).toBe(`One run waits before it. ${taking}`);
    await test.training.cancelJob(jobId);
    await test.until(others[0] ?? '', ended);
  });

  it('says which base a trainer can not train', async () => {
    const test = await openWith({
      ...toTestTrainer(),
      refuse: async ({ id }) => (id === 'support-base' ? null : `No trainer here can train ${id}.`),
    });
    const jobId = await test.create([{ base_model_id: 'qwen2.5-0.5b' }]);
    const id = await one(test, jobId);
    expect((await test.training.findProgress(id, -1))?.reason).toMatch(/No trainer here can train qwen2\.5-0\.5b/);
    // It does not hold up others.
    const other = await one(test, await test.create());
    await test.until(other, ({ status }) => status === 'succeeded');
    await test.training.cancelJob(jobId);
  });
});

describe('a trainer that fails', () => {
  it.each([
    ['nothing', /ended without a result: it named no model/],
    ['garbage', /ended without a result/],
    ['crash', /exit code 3\. Its last line: RuntimeError: no such layer/],
    ['failure', /^No space is left on the disk\. Free some\.$/],
    ['half', /can not be used\. The file is cut off: it has 0\.5 MiB/],
    ['wrong-kind', /The file is a whole model, not an adapter/],
    ['outside', /not in its output folder/],
    ['pipe', /named the model model\.gguf, which is no file/],
    ['nan', /diverged: from step 4 on its loss was not a finite number.*lower learning rate/],
    ['high', /diverged: its loss was above its start/],
  ])('%s: the run fails with its reason', async (mode, reason) => {
    const test = await openWith(toTestTrainer(mode));
    const jobId = await test.create();
    const id = await one(test, jobId);
    expect((await test.until(id, ended)).reason).toMatch(reason);
    const cause = reason.source.startsWith('diverged') ? { status_cause: 'diverged' } : {};
    expect(await test.studio.findJob(jobId)).toMatchObject({ status: 'failed', experiments: [cause] });
    expect((await test.training.findLog(id, 0))?.size).toBeGreaterThan(0);
    expect((await test.studio.listModelFiles()).some((file) => file.id === `ft-support-base-${id.slice(0, 8)}`)).toBe(
      false,
    );
  });

  it('hangs: it is ended after its silence', async () => {
    const test = await openWith(toTestTrainer('pause'), { times: { ...QUICK, silenceMs: 300 } });
    expect((await test.until(await one(test, await test.create()), ended)).reason).toMatch(/wrote nothing for 1 s/);
  });

  it('forks: nothing of its group is left', async () => {
    const test = await openWith(toTestTrainer('fork'));
    const id = await one(test, await test.create());
    expect((await test.until(id, ended)).reason).toMatch(/exit code 4/);
    const pid = Number(/forked (\d+)/.exec((await test.training.findLog(id, 0))?.text ?? '')?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });

  it('is not there: the reason names the program', async () => {
    const test = await openWith({ name: 'x', command: ['no-such-program-here'] });
    expect((await test.until(await one(test, await test.create()), ended)).reason).toMatch(
      /could not be started: there is no program no-such-program-here/,
    );
  });

  it('leaves a model that llama.cpp refuses', async () => {
    const test = await openWith(toTestTrainer(), {
      engine: {
        load: async () => {
          throw new Error('unknown architecture');
        },
      },
    });
    const progress = await test.until(await one(test, await test.create()), ended);
    expect(progress.reason).toMatch(/can not be loaded\. unknown architecture/);
  });
});

describe('what people want', () => {
  it('stop keeps the checkpoint, and resume goes on from it', async () => {
    const test = await openWith(toTestTrainer('pause'));
    const id = await one(test, await test.create());
    await test.until(id, ({ step, actions }) => step >= 12 && actions.includes('stop'));
    const tried = (await test.training.findProgress(id, -1))?.checkpoints.at(-1)?.model_id;
    expect((await test.studio.listModelFiles()).map((file) => file.id)).toContain(tried);
    await test.training.endRun(id, 'stop');
    const stopped = await test.until(id, ({ status }) => status === 'stopped');
    expect(stopped.reason).toMatch(/Stopped by a person at step 12\. Its last checkpoint is kept/);
    expect(stopped.actions).toEqual(['resume']);
    await test.training.resumeRun(id);
    await test.until(id, ({ status }) => status === 'succeeded');
    expect((await test.training.findLog(id, 0))?.text).toMatch(/begins at step 0\n[^]*begins at step 12\n/);
    const { points } = (await test.training.findProgress(id, -1))!;
    expect(points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it('cancel ends it, also if it does not listen, and the next one goes on', async () => {
    const test = await openWith(toTestTrainer('deaf', 200));
    const [first = '', second = ''] = await test.runsOf(await test.create([{}, {}]));
    await test.until(first, ({ step }) => step >= 1);
    expect((await test.training.findProgress(second, -1))?.reason).toBe('One run is trained before it.');
    await test.training.endRun(first, 'stop');
    const asked = await test.training.findProgress(first, -1);
    expect(asked).toMatchObject({
      status: 'running',
      reason: 'It is being stopped: the trainer saves a checkpoint first.',
      actions: ['cancel'],
    });
    await vi.waitFor(
      async () => expect((await test.training.findLog(first, 0))?.text).toContain('asked to end'),
      20_000,
    );
    await test.training.endRun(first, 'cancel');
    const cancelled = await test.until(first, ended);
    expect(cancelled).toMatchObject({ status: 'stopped', reason: 'Cancelled by a person.', actions: [] });
    // It was killed: it would have gone on to step 40.
    expect(cancelled.step).toBeLessThan(40);
    await test.until(second, ({ status }) => status === 'running');
    await test.training.endRun(second, 'cancel');
    await test.until(second, ended);
    await vi.waitFor(async () => expect(await readdir(join(dataDir, 'training'))).not.toContain(first), 5_000);
  });
});

describe('a trainer that somebody kills', () => {
  it('goes on from its last checkpoint, to the end', async () => {
    const test = await openWith(toTestTrainer('killed'));
    const id = await one(test, await test.create());
    const progress = await test.until(id, ended);
    expect(progress).toMatchObject({ status: 'succeeded', reason: null, step: 40 });
    expect(progress.points.map(({ step }) => step)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    const log = (await test.training.findLog(id, 0))?.text ?? '';
    expect(log.match(/^begins at step \d+/gm)).toEqual(['begins at step 0', 'begins at step 10', 'begins at step 30']);
    expect(log).toContain('ended by the signal SIGKILL, often because memory ran out.');
  });

  it('fails if it gets no further', async () => {
    const test = await openWith(toTestTrainer('killed-there'));
    const id = await one(test, await test.create());
    const progress = await test.until(id, ended);
    expect(progress).toMatchObject({ status: 'failed', actions: ['resume'] });
    expect(progress.reason).toMatch(/ended 4 times before a checkpoint was reached/);
  });

  it('fails if nothing was saved', async () => {
    const test = await openWith(toTestTrainer('killed-early'));
    const progress = await test.until(await one(test, await test.create()), ended);
    expect(progress).toMatchObject({ status: 'failed', actions: [] });
    expect(progress.reason).toMatch(/signal SIGKILL/);
  });
});

describe('an end of the studio', () => {
  it('puts the run back; it goes on from its checkpoint', async () => {
    const before = await openWith(toTestTrainer('pause'));
    const id = await one(before, await before.create());
    await before.until(id, ({ step }) => step >= 12);
    await before.close();
    expect(await before.training.findProgress(id, -1)).toMatchObject({ status: 'queued', queue_position: 1 });
    const after = await openWith(toTestTrainer('train'));
    await after.until(id, ({ status }) => status === 'succeeded');
    expect((await after.training.findLog(id, 0))?.text).toMatch(/begins at step 12\n/);
  });

  it('begins a run anew whose checkpoint is in the data folder of another service, and says so', async () => {
    const before = await openWith(toTestTrainer('pause'));
    const id = await one(before, await before.create());
    await before.until(id, ({ step }) => step >= 12);
    await before.close();
    await removeRunFolder(dataDir, id);
    const after = await openWith(toTestTrainer('train'));
    await after.until(id, ({ status }) => status === 'succeeded');
    const log = (await after.training.findLog(id, 0))?.text;
    expect(log).toMatch(/another service trained it[^]*begins at step 0\n/);
    expect((await after.training.findProgress(id, -1))?.points.map(({ step }) => step)[0]).toBe(1);
  });
});
