// What is said of the state of a run on the wire, and what it is ranked by.
import { expect, it } from 'vitest';
import { jobSchema } from '#shared/contract/job.ts';
import { runSchema } from '#shared/contract/runs.ts';
import { toRunFacts } from '#shared/training/runs/runFacts.ts';
import { readJob } from '#shared/contract/jobReader.ts';
import { projectResponseSchema } from '#shared/contract/tree.ts';
import type { Checkpoint, RunEvidence } from './evidence.ts';
import { curve, MINUTE, NOW, outputs, sign } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { toRun } from './runDetail.ts';
import { toRootId, toUuid } from './runIdentity.ts';
import { toJob } from './runJobs.ts';
import { toRecords } from './runRecords.ts';
import { toRunStatus } from './runStatus.ts';
import { toJobPlaces, toProjectNode } from './runTree.ts';

const ROOT = { id: toRootId('/r'), name: 'r', isScanning: false };
const NO_MODELS = new Map<string, string>();
const ago = (minutes: number): number => NOW - minutes * MINUTE;

/** The answers about the only run. */
function answer(...evidence: RunEvidence[]) {
  const runs = joinRuns(evidence, '/r');
  expect(runs).toHaveLength(1);
  const statuses = runs.map((run) => toRunStatus(run, { now: NOW, findProcess: () => 'unknown' }));
  const records = toRecords(runs, { ids: [toUuid('x')], statuses }, { name: 'r', grouping: { by: 'folder' } });
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
});

it('a run that diverged is ranked by nothing: no last loss, no measure, no lowest loss of 0', () => {
  const { run, experiment, node, job } = answer(DIVERGED);
  expect(run).toMatchObject({
    status: 'failed',
    status_cause: 'diverged',
    status_reason: expect.stringMatching(/^Diverged: grad_norm is not finite from step 30 on; finished:/) as string,
    checkpoints: [{ measures: { 'eval/accuracy': 0.5 } }, { measures: {} }],
  });
  expect(run.metrics.find(({ name }) => name === 'loss')).toMatchObject({ lowest: 1.5, highest: 2 });
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
