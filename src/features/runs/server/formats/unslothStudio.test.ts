import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { makeDatabase } from './tables.fixture.ts';
import { addMetrics, addRun, CONFIG, makeStudio, STARTED_AT } from './unslothStudio.fixture.ts';
import { unslothStudio } from './unslothStudio.ts';

const DATABASE = 'studio/studio.db';
const START = Date.parse(STARTED_AT);

async function makeRun() {
  const database = await makeStudio();
  addRun(database, 'job1');
  addMetrics(database, 'job1', 10, { loss: 2.5 });
  addMetrics(database, 'job1', 20, { loss: 1.5 });
  return database;
}

it('reads a run with its settings and metrics while it trains', async () => {
  const database = await makeRun();
  const [run] = readRuns(unslothStudio, {
    [DATABASE]: database,
    'studio/outputs/cats_1787393224/adapter_config.json': '{}',
  });
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2.5],
      [20, 1.5],
    ],
    learning_rate: [
      [10, 1e-4],
      [20, 1e-4],
    ],
  });
  expect(run).toMatchObject({
    key: 'job1',
    trackerId: 'job1',
    folder: 'studio/outputs/cats_1787393224',
    outputDir: { value: '/root/.unsloth/studio/outputs/cats_1787393224' },
    name: null,
    group: { value: 'pets' },
    baseModel: { value: 'unsloth/Qwen3-0.6B', source: { file: DATABASE, place: 'table training_runs' } },
    datasets: { value: ['me/cats'] },
    isAdapter: { value: true },
    progress: { step: 20, totalSteps: 30, epoch: 2, totalEpochs: 3 },
    signs: [{ kind: 'open', reason: 'the Studio lists it as running' }],
    startedAt: START,
    endedAt: null,
    lastSignAt: START + 40_000,
  });
  expect([...(run?.curves.get('loss')?.read().times ?? [])]).toEqual([START + 20_000, START + 40_000]);
  expect(toValues(run?.parameters)).toMatchObject({ lora_r: 16, learning_rate: '2e-4' });
  expect(run?.parameters.has('s3_access_key')).toBe(false);
});

it('takes in new rows, and evaluations that are filled into old ones', async () => {
  const database = await makeRun();
  addRun(database, 'job2');
  const [reading] = openClaims(unslothStudio, { [DATABASE]: database });
  reading?.take(DATABASE, database);
  addMetrics(database, 'job2', 1, { loss: 9 });
  addMetrics(database, 'job1', 20, { evaluation: 1.75 });
  addMetrics(database, 'job1', 30, { loss: 1 });
  reading?.take(DATABASE, database);
  reading?.take(DATABASE, database);
  const parameters = reading?.runs[0]?.parameters;
  expect(reading?.runs[0]?.parameters).toBe(parameters);
  database.run(`UPDATE training_runs SET config_json = '{"lora_r": 32}'`);
  reading?.take(DATABASE, database);
  expect(toValues(reading?.runs[0]?.parameters)).toEqual({ lora_r: 32 });
  const runs = new Map(reading?.runs.map((run) => [run.key, toPoints(run)]));
  expect(runs.get('job1')).toMatchObject({
    loss: [
      [10, 2.5],
      [20, 1.5],
      [30, 1],
    ],
    'eval/loss': [[20, 1.75]],
  });
  expect(runs.get('job2')).toMatchObject({ loss: [[1, 9]] });
});

it.each([
  ['completed', null, 'finished', 'the Studio marked it as completed'],
  ['stopped', null, 'interrupted', 'it was stopped in the Studio'],
  ['error', 'CUDA out of memory', 'failed', 'CUDA out of memory'],
  ['error', null, 'failed', 'the Studio marked it as failed'],
])('says what became of a run: %s, %s', async (status, error, kind, reason) => {
  const database = await makeRun();
  database.run('UPDATE training_runs SET status = ?, error_message = ?, ended_at = ?, duration_seconds = 60', [
    status,
    error,
    '2026-08-22T10:01:00+00:00',
  ]);
  const [run] = readRuns(unslothStudio, { [DATABASE]: database });
  expect(run).toMatchObject({ signs: [{ kind, reason, at: START + 60_000 }], endedAt: START + 60_000 });
  expect(toValues(run?.summary)).toEqual({ train_runtime: 60 });
});

it('knows names, and the run that was continued, where the columns are there', async () => {
  const database = await makeRun();
  database.run("UPDATE training_runs SET display_name = 'Cats', resumed_from_run_id = 'job0'");
  expect(readRuns(unslothStudio, { [DATABASE]: database })[0]).toMatchObject({
    name: { value: 'Cats' },
    resumedFrom: 'job0',
  });
  const old = await makeStudio(true);
  addRun(old, 'job1');
  expect(readRuns(unslothStudio, { [DATABASE]: old })[0]).toMatchObject({ name: null, resumedFrom: null });
});

it('names all local files, and no dataset where the Studio knows none', async () => {
  const database = await makeStudio();
  addRun(database, 'job1', { ...CONFIG, hf_dataset: '', local_datasets: ['a.jsonl', 'b.jsonl'] }, 'a.jsonl');
  addRun(database, 'job2', '{"training_type": "Full Finetuning", "num', 'unknown');
  addRun(database, 'job3', { training_type: 'Full Finetuning' }, 'unknown');
  const runs = new Map(readRuns(unslothStudio, { [DATABASE]: database }).map((run) => [run.key, run]));
  expect(runs.get('job1')?.datasets?.value).toEqual(['a.jsonl', 'b.jsonl']);
  expect(runs.get('job2')).toMatchObject({ datasets: null, isAdapter: null });
  expect(runs.get('job3')).toMatchObject({ datasets: null, isAdapter: { value: false } });
});

it('forgets runs that were deleted, and a database that is gone', async () => {
  const database = await makeRun();
  addRun(database, 'job2');
  addMetrics(database, 'job2', 1, { loss: 9 });
  const [reading] = openClaims(unslothStudio, { [DATABASE]: database });
  reading?.take(DATABASE, database);
  database.run("DELETE FROM training_metrics WHERE run_id = 'job1'");
  database.run("DELETE FROM training_runs WHERE id = 'job1'");
  reading?.take(DATABASE, database);
  expect(reading?.runs.map(({ key }) => key)).toEqual(['job2']);
  expect(toPoints(reading?.runs[0])['loss']).toEqual([[1, 9]]);
  reading?.drop(DATABASE);
  expect(reading?.runs).toEqual([]);
});

it('says nothing about a database of another kind', async () => {
  const database = await makeDatabase('CREATE TABLE training_runs (name TEXT)');
  expect(readRuns(unslothStudio, { [DATABASE]: database })).toEqual([]);
});
