import { describe, expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues, MODIFIED_AT } from './folder.fixture.ts';
import {
  addMetric,
  addParam,
  addRun,
  makeMlflow,
  makeStore,
  RUN_FOLDER,
  setTag,
  START,
  toExperimentMeta,
  toRunMeta,
} from './mlflow.fixture.ts';
import { mlflowDatabase } from './mlflowDatabase.ts';
import { mlflowFiles } from './mlflowFiles.ts';
import { makeDatabase } from './tables.fixture.ts';

describe('a database', () => {
  const PATH = 'work/mlflow.db';
  const makeRun = async (hasDatasets = true) => {
    const database = await makeMlflow(hasDatasets);
    addRun(database, 'r1');
    addMetric(database, 'r1', 'loss', 2.5, 10);
    addMetric(database, 'r1', 'eval_loss', Infinity, 10);
    addMetric(database, 'r1', 'loss', Number.NaN, 20);
    addMetric(database, 'r1', 'system/cpu_utilization_percentage', 50, 3);
    addParam(database, 'r1', 'learning_rate', '2e-05');
    addParam(database, 'r1', 'output_dir', 'out/cats');
    addParam(database, 'r1', 'push_to_hub_token', 'None');
    addParam(database, 'r1', 'num_train_epochs', '3');
    return database;
  };

  it('holds runs with curves, settings and datasets', async () => {
    const database = await makeRun();
    setTag(database, 'r1', 'team', 'pets');
    setTag(database, 'r1', 'api_key', 'secret');
    setTag(database, 'r1', 'mlflow.user', 'me');
    const [run] = readRuns(mlflowDatabase, { [PATH]: database });
    expect(toPoints(run)).toEqual({
      loss: [
        [10, 2.5],
        [20, Number.NaN],
      ],
      'eval/loss': [[10, Infinity]],
    });
    expect(run).toMatchObject({
      key: 'r1',
      folder: 'work',
      trackerId: 'r1',
      curveSource: { file: PATH, place: 'table metrics' },
      name: { value: 'name of r1', source: { file: PATH, place: 'table runs' } },
      group: { value: 'pets' },
      tags: ['team=pets'],
      outputDir: { value: 'out/cats', source: { file: PATH, place: 'table params' } },
      datasets: { value: ['cats'] },
      progress: { step: 20, totalSteps: null, totalEpochs: 3 },
      startedAt: START,
      lastSignAt: START + 20_000,
    });
    expect(toValues(run?.parameters)).toEqual({ learning_rate: 2e-5, output_dir: 'out/cats', num_train_epochs: 3 });
  });

  it.each([
    ['RUNNING', [['open', 'MLflow status RUNNING']]],
    ['FINISHED', [['closed', 'MLflow status FINISHED']]],
    ['FAILED', [['failed', 'MLflow status FAILED']]],
    ['KILLED', [['interrupted', 'MLflow status KILLED']]],
    ['SCHEDULED', []],
  ])('says what became of a run: %s', async (status, signs) => {
    const database = await makeMlflow();
    addRun(database, 'r1', { status, endedAt: START + 5000 });
    const [run] = readRuns(mlflowDatabase, { [PATH]: database });
    expect(run?.signs.map(({ kind, reason }) => [kind, reason])).toEqual(signs);
    expect(run?.endedAt).toBe(START + 5000);
  });

  it('knows that the Trainer came to its end, whatever MLflow says', async () => {
    const database = await makeRun();
    addMetric(database, 'r1', 'train_runtime', 60, 20);
    const [run] = readRuns(mlflowDatabase, { [PATH]: database });
    expect(run?.signs.map(({ kind }) => kind)).toEqual(['open', 'finished']);
    expect(toValues(run?.summary)).toEqual({ train_runtime: 60 });
  });

  it('leaves out runs and experiments that were deleted, and names the run around a run', async () => {
    const database = await makeRun();
    addRun(database, 'r2', { stage: 'deleted' });
    addRun(database, 'r3', { experiment: 2 });
    addRun(database, 'r4');
    setTag(database, 'r4', 'mlflow.parentRunId', 'r1');
    const runs = readRuns(mlflowDatabase, { [PATH]: database });
    expect(runs.map(({ key, group }) => [key, group?.value])).toEqual([
      ['r4', 'pets / name of r1'],
      ['r1', 'pets'],
    ]);
  });

  it('grows, and loses runs that are deleted for good', async () => {
    const database = await makeRun();
    addRun(database, 'r2');
    addMetric(database, 'r2', 'loss', 1, 1);
    const [reading] = openClaims(mlflowDatabase, { [PATH]: database });
    reading?.take(PATH, database);
    const before = reading?.runs.find(({ key }) => key === 'r1')?.curves.get('loss');
    addMetric(database, 'r1', 'loss', 1, 30);
    database.run("UPDATE runs SET status = 'FINISHED' WHERE run_uuid = 'r1'");
    reading?.take(PATH, database);
    const run = reading?.runs.find(({ key }) => key === 'r1');
    expect(run?.curves.get('loss')).toBe(before);
    expect([before?.length, run?.signs[0]?.kind]).toEqual([3, 'closed']);
    const parameters = run?.parameters;
    addParam(database, 'r2', 'seed', '1');
    reading?.take(PATH, database);
    expect(reading?.runs.find(({ key }) => key === 'r1')?.parameters).toBe(parameters);
    addParam(database, 'r1', 'seed', '1');
    reading?.take(PATH, database);
    expect(reading?.runs.find(({ key }) => key === 'r1')?.parameters.get('seed')?.value).toBe(1);
    database.run("DELETE FROM metrics WHERE run_uuid = 'r2'");
    database.run("DELETE FROM params WHERE run_uuid = 'r2'");
    database.run("DELETE FROM runs WHERE run_uuid = 'r2'");
    reading?.take(PATH, database);
    expect(reading?.runs.map(({ key, curves }) => [key, curves.get('loss')?.length])).toEqual([['r1', 3]]);
  });

  it('keeps evaluations that come in another order than their steps, and shows a training loss at each step', async () => {
    const database = await makeMlflow();
    addRun(database, 'r1');
    for (const step of [1000, 10_000, 11_000, 2000, 3000]) addMetric(database, 'r1', 'eval_acc', step / 20_000, step);
    for (const step of [1, 2, 3, 4]) addMetric(database, 'r1', 'train_loss', step, step);
    for (const step of [2, 3]) addMetric(database, 'r1', 'train_loss', step / 10, step);
    const [run] = readRuns(mlflowDatabase, { [PATH]: database });
    expect(toPoints(run)['eval/acc']?.map(([step]) => step)).toEqual([1000, 2000, 3000, 10_000, 11_000]);
    // A session that was resumed wrote its steps again.
    expect(toPoints(run)['loss']).toEqual([
      [1, 1],
      [2, 0.2],
      [3, 0.3],
      [4, 4],
    ]);
    expect(run?.problems).toEqual([]);
  });

  it('counts on where the steps of a metric begin again, and says so', async () => {
    const database = await makeMlflow();
    addRun(database, 'r1');
    for (let epoch = 0; epoch < 3; epoch += 1)
      for (const step of [1, 2, 3]) addMetric(database, 'r1', 'train_loss', epoch + step / 10, step);
    const [run] = readRuns(mlflowDatabase, { [PATH]: database });
    expect(toPoints(run)['loss']).toHaveLength(9);
    expect(run?.problems).toEqual([
      expect.stringContaining('The steps of loss begin again at the first one, 2 times.'),
    ]);
  });

  it('tells what a person wrote about a run', async () => {
    const database = await makeRun();
    setTag(database, 'r1', 'mlflow.note.content', 'my words');
    expect(readRuns(mlflowDatabase, { [PATH]: database })[0]?.notes?.value).toBe('my words');
  });

  it('owns the folder of artifacts beside it, without a look into its files', async () => {
    const files = { [PATH]: await makeRun(), 'work/mlruns/1/artifacts/d.json': '{}' };
    const [reading] = openClaims(mlflowDatabase, files);
    expect(reading?.claim.files).toEqual([
      { path: PATH, read: { mode: 'database' } },
      { path: 'work/mlruns/1/artifacts/d.json', read: { mode: 'stat' } },
    ]);
    reading?.takeAll(files).drop('work/mlruns/1/artifacts/d.json');
    expect(reading?.runs).toHaveLength(1);
  });

  it('of another version or another tool is read as far as it goes', async () => {
    expect(readRuns(mlflowDatabase, { [PATH]: await makeRun(false) })[0]?.datasets).toBeNull();
    const old = await makeDatabase(
      "CREATE TABLE runs (run_uuid TEXT, status TEXT, experiment_id INTEGER); INSERT INTO runs VALUES ('r1', 'RUNNING', 0)",
    );
    expect(readRuns(mlflowDatabase, { [PATH]: old })[0]).toMatchObject({ key: 'r1', name: null, startedAt: null });
    const other = await makeDatabase('CREATE TABLE runs (id INTEGER)');
    expect(readRuns(mlflowDatabase, { [PATH]: other })).toEqual([]);
    expect(openClaims(mlflowDatabase, { 'a/other.db': '', 'a/mlflow-old.sqlite3': '' })).toHaveLength(1);
  });
});

describe('a file store', () => {
  it('holds a run, one value in each file', () => {
    const [run, ...more] = readRuns(mlflowFiles, makeStore());
    expect(more).toEqual([]);
    expect(toPoints(run)).toEqual({
      loss: [
        [10, 2.5],
        [20, Number.NaN],
      ],
      'eval/loss': [[20, Infinity]],
      'rewards/margins': [[10, 0.25]],
    });
    expect(run).toMatchObject({
      key: RUN_FOLDER,
      folder: RUN_FOLDER,
      trackerId: '0a1b2c',
      curveSource: { file: `${RUN_FOLDER}/metrics`, place: null },
      name: { value: 'calm-fox-12', source: { file: `${RUN_FOLDER}/meta.yaml` } },
      group: { value: 'pets' },
      tags: ['team=pets'],
      outputDir: { value: './out/cats' },
      signs: [{ kind: 'open', reason: 'MLflow status RUNNING' }],
      startedAt: START,
      endedAt: null,
      lastSignAt: MODIFIED_AT,
    });
    expect(toValues(run?.parameters)).toEqual({
      learning_rate: 2e-4,
      output_dir: './out/cats',
      bf16: true,
      max_steps: 20,
    });
  });

  it('names the run around a run, the datasets of a run, and what a person wrote', () => {
    const files = {
      ...makeStore(),
      [`${RUN_FOLDER}/tags/mlflow.parentRunId`]: '9f9f',
      [`${RUN_FOLDER}/tags/mlflow.note.content`]: 'my words',
      'mlruns/1/9f9f/meta.yaml': toRunMeta(3).replaceAll('0a1b2c', '9f9f').replace('calm-fox-12', 'outer'),
      'mlruns/1/9f9f/tags/mlflow.runName': 'outer',
      [`${RUN_FOLDER}/inputs/44bc/meta.yaml`]: 'destination_type: RUN\nsource_id: c9ce\nsource_type: DATASET\n',
      'mlruns/1/datasets/c9ce/meta.yaml': 'digest: d0ca\nname: cats\n',
    };
    const runs = readRuns(mlflowFiles, files);
    expect(runs.find(({ key }) => key === RUN_FOLDER)).toMatchObject({
      group: { value: 'pets / outer' },
      datasets: { value: ['cats'] },
      notes: { value: 'my words' },
    });
    expect(runs.find(({ key }) => key !== RUN_FOLDER)).toMatchObject({ group: { value: 'pets' }, datasets: null });
  });

  it('grows line by line', () => {
    const path = `${RUN_FOLDER}/metrics/loss`;
    const [reading] = openClaims(mlflowFiles, makeStore());
    reading?.takeAll(makeStore());
    reading?.take(path, `${START} 1.`, false);
    expect(reading?.runs[0]?.curves.get('loss')?.length).toBe(2);
    reading?.take(path, `5 30\n${START} 1.25 40\n`, false);
    expect(toPoints(reading?.runs[0])['loss']?.slice(2)).toEqual([
      [30, 1.5],
      [40, 1.25],
    ]);
    reading?.take(path, `${START} 9 1\n`);
    expect(toPoints(reading?.runs[0])['loss']).toEqual([[1, 9]]);
    reading?.drop(path);
    expect(reading?.runs[0]?.curves.has('loss')).toBe(false);
  });

  it.each([
    [3, 'closed'],
    [4, 'failed'],
    [5, 'interrupted'],
  ])('says what became of a run: status %d', (status, kind) => {
    const files = { ...makeStore(), [`${RUN_FOLDER}/meta.yaml`]: toRunMeta(status, START + 9000) };
    const [run] = readRuns(mlflowFiles, files);
    expect(run).toMatchObject({ signs: [{ kind, at: START + 9000 }], endedAt: START + 9000 });
  });

  it('leaves out what was deleted', () => {
    const run = { [`${RUN_FOLDER}/meta.yaml`]: toRunMeta(3, START, 'deleted') };
    expect(readRuns(mlflowFiles, { ...makeStore(), ...run })).toEqual([]);
    expect(readRuns(mlflowFiles, { ...makeStore(), 'mlruns/1/meta.yaml': toExperimentMeta('deleted') })).toEqual([]);
    const trash = Object.fromEntries(
      Object.entries(makeStore()).map(([path, content]) => [path.replace('mlruns/', 'mlruns/.trash/'), content]),
    );
    expect(openClaims(mlflowFiles, trash)).toEqual([]);
  });

  it('of a damaged run keeps what was read, and asks to read again', () => {
    const [reading] = openClaims(mlflowFiles, makeStore());
    reading?.takeAll(makeStore());
    expect(() => reading?.take(`${RUN_FOLDER}/meta.yaml`, 'run_name: [')).toThrow('complete YAML');
    expect(reading?.runs[0]?.name?.value).toBe('calm-fox-12');
    reading?.take(`${RUN_FOLDER}/metrics/loss`, 'yesterday 1 2\n1 two 3\n\u0000\n5\n');
    expect(reading?.runs[0]?.curves.has('loss')).toBe(false);
  });

  it('without steps is of an old MLflow', () => {
    const files = { ...makeStore(), [`${RUN_FOLDER}/metrics/loss`]: `${START} 2.5\n` };
    expect(toPoints(readRuns(mlflowFiles, files)[0])['loss']).toEqual([[0, 2.5]]);
  });

  it('may be opened at the run itself, and takes no other folder for a run', () => {
    expect(openClaims(mlflowFiles, { 'meta.yaml': toRunMeta(1), 'metrics/loss': '' })).toHaveLength(1);
    const model = { 'mlruns/1/meta.yaml': '', 'mlruns/1/models/m-1/meta.yaml': '', 'mlruns/1/models/m-1/params/a': '' };
    expect(openClaims(mlflowFiles, model)).toEqual([]);
  });
});
