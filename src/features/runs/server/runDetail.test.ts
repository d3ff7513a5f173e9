// What is said of the state of a run on the wire: its length, its end, its best checkpoint, and what it is ranked by.
import { expect, it } from 'vitest';
import { jobSchema } from '#core/contract/job.ts';
import { runSchema } from '#features/runs/shared/runs.ts';
import { toRunFacts } from '#features/runs/shared/settings/runFacts.ts';
import { readJob } from '#core/contract/jobReader.ts';
import { projectResponseSchema } from '#core/contract/tree.ts';
import { toEvidence, type Checkpoint, type RunEvidence } from './evidence.ts';
import { MINUTE, NOW, curve, events, fact, losses, outputs, parameters, sign } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { toRun } from './runDetail.ts';
import { toRootId, toRunUuid } from './runIdentity.ts';
import { toJob, toJobPlaces, toProjectNode } from './runFolderTree.ts';
import { toRecords } from './runRecords.ts';
import { toRunStatus } from './runStatus.ts';

const ROOT = { id: toRootId('/r'), name: 'r', isScanning: false };
const NO_MODELS = new Map<string, string>();
const ago = (minutes: number): number => NOW - minutes * MINUTE;

/** The answers about the only run. */
function answer(...evidence: RunEvidence[]) {
  const runs = joinRuns(evidence, '/r');
  expect(runs).toHaveLength(1);
  const statuses = runs.map((run) => toRunStatus(run, { now: NOW, findProcess: () => 'unknown' }));
  const records = toRecords(runs, { ids: [toRunUuid('x')], statuses }, { name: 'r', grouping: { by: 'folder' } });
  const run = toRun(ROOT.id, records[0]!, NO_MODELS);
  const job = toJob(toJobPlaces(ROOT.id, records)[0]!, NO_MODELS);
  const project = toProjectNode(ROOT, records, NO_MODELS);
  expect([runSchema.safeParse(run).error, jobSchema.safeParse(JSON.parse(JSON.stringify(job))).error]).toEqual([
    undefined,
    undefined,
  ]);
  expect(projectResponseSchema.safeParse({ project }).error).toBeUndefined();
  return {
    run,
    job,
    experiment: job.experiments[0]!,
    node: project.children[0]!.children[0]!.children[0]!.children[0]!,
  };
}

const checkpoint = (step: number, measures: Record<string, number>): Checkpoint => ({
  path: `a/checkpoint-${step}`,
  step,
  kind: 'adapter',
  bytes: 1,
  isComplete: true,
  measures: new Map(Object.entries(measures)),
  savedAt: null,
});

const DIVERGED = outputs('a', {
  curves: new Map([
    [
      'loss',
      curve([
        [10, 2],
        [20, 1.5],
        [30, 0],
        [40, 0],
      ]),
    ],
    [
      'grad_norm',
      curve([
        [10, 1],
        [20, 2],
        [30, Number.NaN],
        [40, Number.NaN],
      ]),
    ],
    [
      'eval/accuracy',
      curve([
        [20, 0.5],
        [40, 0.9],
      ]),
    ],
  ]),
  signs: [sign('finished', 'its log ends with the summary of the training')],
  checkpoints: [checkpoint(20, { 'eval/accuracy': 0.5 }), checkpoint(40, { loss: 0, 'eval/accuracy': 0.9 })],
  bestStep: fact(40),
});

it('tells the tags of all sources together, and what a person noted', () => {
  const { run } = answer(
    outputs('a', { tags: ['sft', 'lora'] }),
    toEvidence({ format: 'wandb', key: 'a', folder: 'a', tags: ['lora', 'try 2'], notes: fact('a note of mine') }),
  );
  const told = new Map(run.facts.map((each) => [each.name, each]));
  expect(told.get('tags')?.value).toBe('lora, try 2, sft');
  expect(told.get('tags')?.others).toBeUndefined();
  expect(told.get('notes')?.value).toBe('a note of mine');
});

it('a run that diverged is ranked by nothing: no last loss, no measure, no lowest loss of 0, no best checkpoint', () => {
  const { run, experiment, node, job } = answer(DIVERGED);
  expect(run).toMatchObject({
    status: 'failed',
    status_cause: 'diverged',
    status_reason: expect.stringMatching(/^Diverged: grad_norm is not finite from step 30 on; finished:/) as string,
    checkpoints: [{ measures: { 'eval/accuracy': 0.5 } }, { measures: {} }],
  });
  expect(run.checkpoints.map(({ is_best }) => is_best)).toEqual([undefined, undefined]);
  expect(run.metrics.find(({ name }) => name === 'loss')).toMatchObject({ lowest: 1.5, highest: 2 });
  expect(run.facts.map(({ name }) => name)).not.toContain('best_step');
  expect(experiment).toMatchObject({ status: 'failed', status_cause: 'diverged', failure: run.status_reason });
  expect([experiment.last_loss, experiment.held_out]).toEqual([undefined, undefined]);
  expect(experiment.losses?.map(({ loss }) => loss)).toEqual([2, 1.5, null, null]);
  expect(node.metadata).toMatchObject({ status_cause: 'diverged', failure: run.status_reason });
  const read = readJob(JSON.parse(JSON.stringify(job)));
  const origin = {
    source: 'folder',
    data: { snapshot_id: null, training_rows: null, validation_rows: null, training_bytes: null },
    rate: { means: 'rate', saidBy: 'service' },
  } as const;
  expect(read.ok && toRunFacts(read.value, origin)).toMatchObject([{ has_diverged: true, last_loss: null }]);
});

it('a run that goes on without a loss is said to have diverged while it goes on', () => {
  const { experiment, node } = answer({ ...DIVERGED, signs: [], lastSignAt: ago(1) });
  expect(experiment).toMatchObject({ status: 'running', status_cause: 'diverged' });
  expect(experiment.failure).toMatch(/^It diverged/);
  expect(experiment.last_loss).toBeUndefined();
  expect(node.metadata.status_cause).toBe('diverged');
});

const RUNTIME = (seconds: number) => new Map([['train_runtime', fact(seconds)]]);

it('a resumed run took as long as its sessions together, everywhere', () => {
  const first = events('a', 'Aug22', curve(losses(10, 60, 10), ago(90)), { startedAt: ago(90) });
  const second = events('a', 'Aug23', curve(losses(60, 100, 10), ago(10)), {
    startedAt: ago(10),
    summary: RUNTIME(4.4),
    signs: [sign('finished', 'train_runtime was logged')],
  });
  const { run, experiment } = answer(first, second);
  // The first session has no runtime: five seconds lie between its first point and its last.
  expect([run.seconds, experiment.seconds]).toEqual([9.4, 9.4]);
  expect(run.summary).toMatchObject([
    {
      name: 'train_runtime',
      note: 'seconds of the training, as the trainer wrote it; of the last session alone, since the run was resumed',
    },
  ]);
  expect(answer({ ...second, summary: new Map([['train_loss', fact(0.8)]]) }).run.summary).toMatchObject([
    { name: 'train_loss', note: 'mean of the training, as the trainer wrote it' },
  ]);
  // Several event files in one folder, as their reader adds them up.
  expect(answer({ ...second, seconds: 30 }).run.seconds).toBe(30);
  // What one session took is not known.
  const silent = outputs('b', { curves: new Map([['loss', curve(losses(10, 60, 10))]]) });
  expect(answer(silent).run.seconds).toBeUndefined();
});

it('all steps are known from the first event that says how far into an epoch it is', () => {
  const at = (step: number, epoch: number, num_train_epochs: number) =>
    answer(
      events('a', 'Aug22', curve([[step, 1]], ago(1)), {
        curves: new Map([
          ['loss', curve([[step, 1]], ago(1))],
          ['epoch', curve([[step, epoch]], ago(1))],
        ]),
        parameters: parameters({ num_train_epochs, max_steps: -1 }),
        progress: { step, totalSteps: null, epoch, totalEpochs: num_train_epochs },
        lastSignAt: ago(1),
      }),
    ).run;
  expect(at(35, Math.fround(35 / 69), 2)).toMatchObject({ step: 35, total_steps: 138 });
  expect(at(1, Math.fround(1 / 69), 1.5).total_steps).toBe(104);
  expect(at(5, 0, 2).total_steps).toBeNull();
});

it('marks the checkpoint that the trainer found best', () => {
  const { run } = answer(outputs('a', { checkpoints: [checkpoint(50, {}), checkpoint(100, {})], bestStep: fact(50) }));
  expect(run.checkpoints.map(({ step, is_best }) => [step, is_best])).toEqual([
    [50, true],
    [100, undefined],
  ]);
  expect(run.facts).toMatchObject([{ name: 'best_step', value: 50 }]);
});

it('a copy of a dead run is not running: its files are new, what they say is not', () => {
  const copy = { lastSignAt: ago(1), lastEventAt: ago(40) };
  const { run } = answer(
    events('a', 'Aug22', curve(losses(10, 60, 10), ago(41)), { ...copy, startedAt: ago(41) }),
    outputs('a', { lastSignAt: ago(1) }),
  );
  expect(run).toMatchObject({ status: 'stopped', last_sign_at: ago(40) });
  // Written out within two minutes.
  expect(answer(events('a', 'Aug22', curve([[1, 1]]), { ...copy, lastEventAt: ago(3) })).run.status).toBe('running');
});
