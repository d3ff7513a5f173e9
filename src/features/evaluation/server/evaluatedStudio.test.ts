// What the default evaluation of a dataset does for its runs.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Job } from '#core/contract/job.ts';
import { findJob } from '#features/experiments/server/jobs.ts';
import { toMeasure } from '#features/experiments/shared/measures.ts';
import type { ProjectNode } from '#core/contract/tree.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { toTunedId } from '#features/training/shared/trainedModelIds.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { changeEvaluation, createEvaluation } from './evaluations.ts';
import { toEvaluatedRuns, toEvaluatedStudio } from './evaluatedStudio.ts';
import { listRuns, readRecord } from './runRecords.ts';
import { cancelRun, startRun } from './runs.ts';
import {
  DATASET,
  fillTables,
  openFakeEngine,
  openTestEvaluations,
  PROJECT,
  ROWS,
  SNAPSHOT,
} from './testRoom.fixture.ts';

const database = await keepDatabase();
const JOB = randomUUID();
const [ENDED, RUNNING] = [randomUUID(), randomUUID()];
await fillTables(database);
await database.executeSql(
  `insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
   values ($1, $2, 1, 'Sweep', 'processing', false, now())`,
  [JOB, SNAPSHOT],
);
for (const [id, number, status] of [
  [ENDED, 1, 'succeeded'],
  [RUNNING, 2, 'running'],
] as const) {
  await database.executeSql(
    `insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, model_id, lora, n_epochs,
       batch_size, learning_rate_multiplier, held_out, created_at)
     values ($1, $2, $3, 'Run', $4, 'lower', 'upper', false, 1, 8, 0.001, '{"rows": 2, "exact_match": 0.5}', now())`,
    [id, JOB, number, status],
  );
  await database.executeSql(
    `insert into studio.trainings (experiment_id, training_type, seed, ended_at) values ($1, 'full', 1, now() + interval '1 minute')`,
    [id],
  );
}

it('a run that has succeeded is measured once nothing trains, and has the score among its measures', async () => {
  const engine = openFakeEngine();
  const room = await openTestEvaluations(database, engine, { pollMs: 20 });
  const made = await createEvaluation(
    room.deps,
    {
      project_id: PROJECT,
      dataset_id: DATASET,
      is_default: true,
      name: 'Words',
      source: { kind: 'rows' },
      rows: ROWS,
      models: ['lower'],
      checks: [{ id: 'same', kind: 'exact' }],
    },
    null,
  );
  const list = () => listRuns(database.orm, made.id, () => null);
  await pause(300);
  expect(await list()).toEqual([]);
  await database.executeSql(`update studio.experiments set status = 'failed' where id = $1`, [RUNNING]);
  while ((await list())[0]?.status !== 'completed') await pause(20);
  await pause(200);
  expect(await list()).toMatchObject([
    { cause: 'training', models: [{ model: 'upper', rate: { passed: 1, total: 2 } }] },
  ]);
  const run = { id: ENDED, type: 'experiment', label: 'Run', children: [], metadata: { id: ENDED, model_id: 'upper' } };
  const toDataset = (id: string) => ({ id, type: 'dataset', label: 'Words', children: [run], metadata: { id } });
  const project = {
    id: PROJECT,
    type: 'project',
    name: 'Test',
    children: [toDataset(DATASET), { ...toDataset(randomUUID()), children: [{ ...run }] }],
  } as unknown as ProjectNode;
  const studio = toEvaluatedStudio(
    {
      findJob: (id: string): Promise<Job | null> => findJob(database.orm, id),
      findProject: async () => project,
    } as unknown as Studio,
    database,
  );
  const [tree, again] = await Promise.all([studio.findProject(PROJECT), studio.findProject(PROJECT)]);
  expect(tree?.children[0]?.children[0]?.metadata).toMatchObject({
    score: { evaluation: 'Words', passed: 1, total: 2, rate: 0.5 },
  });
  // The same model, trained with another dataset.
  expect(tree?.children[1]?.children[0]?.metadata).not.toHaveProperty('score');
  expect(again).toBe(tree);
  expect(await studio.findProject(PROJECT)).toBe(tree);
  // A checkpoint of the run, asked with its model.
  await database.executeSql(
    `insert into studio.evaluation_run_models (run_id, place, model, rate)
     select run_id, 5, $1, rate from studio.evaluation_run_models where model = 'upper'`,
    [toTunedId('base', ENDED, 30, 1)],
  );
  const others = { version: 'v', curves: [], names: [{ name: 'loss', runs: 1 }] };
  let reads = 0;
  const findCurves: Runs['findCurves'] = async ({ version }) => {
    if (version === others.version) return null;
    reads += 1;
    return others;
  };
  const runs = toEvaluatedRuns({ findCurves } as unknown as Runs, database);
  const asked = { runs: [ENDED, RUNNING], names: ['evaluation: Words'] };
  const curves = await runs.findCurves(asked);
  expect(curves).toMatchObject({
    curves: [{ run_id: ENDED, name: 'evaluation: Words', steps: [30], values: [0.5] }],
    names: [
      { name: 'loss', runs: 1 },
      { name: 'evaluation: Words', runs: 1 },
    ],
  });
  expect(await runs.findCurves({ ...asked, version: curves?.version ?? '' })).toBeNull();
  expect(reads).toBe(1);
  expect(await runs.findCurves({ ...asked, version: 'v.before' })).toEqual(curves);
  expect((await studio.findJob(JOB))?.experiments).toMatchObject([
    { held_out: { exact_match: 0.5, 'evaluation: Words': 0.5 } },
    // It has no model.
    { held_out: { exact_match: 0.5 } },
  ]);
  expect(toMeasure('evaluation: Words')).toMatchObject({ label: 'Words', kind: 'share', better: 'higher' });
  // Other rows measure something else.
  await changeEvaluation(
    room.deps,
    made.id,
    { revision: made.revision, source: { kind: 'rows' }, rows: ROWS.slice(1) },
    null,
  );
  expect((await studio.findJob(JOB))?.experiments[0]?.held_out).toEqual({ exact_match: 0.5 });
  await room.close();
});

it('a run compares with the base model of the others where no baseline is chosen, also of checkpoints', async () => {
  const room = await openTestEvaluations(database, openFakeEngine());
  const plan = { project_id: PROJECT, name: 'Base', source: { kind: 'rows' }, rows: ROWS } as const;
  const { id } = await createEvaluation(room.deps, { ...plan, models: ['copy'], checks: [] }, null);
  const start = { now: new Date(), who: null, experimentId: null };
  const checkpoint = toTunedId('lower', RUNNING, 3, 1);
  for (const [models, expected] of [
    [['upper', 'copy', 'lower'], 'lower'],
    [[checkpoint, 'lower'], 'lower'],
    [['upper', 'copy'], 'upper'],
    [['copy', 'lower'], 'copy'],
  ] as const) {
    const run = (await startRun(database.orm, id, { models: [...models] }, start)) ?? '';
    expect((await readRecord(database.orm, run)).baseline).toBe(expected);
    await cancelRun(database.orm, run, new Date()).catch(() => undefined);
  }
  await room.close();
});
