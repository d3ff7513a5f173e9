import { expect, it } from 'vitest';
import { openClaims, readRuns, toPoints, toValues } from './folder.fixture.ts';
import { makeDatabase } from './tables.fixture.ts';
import { closingRow, fragmentLine, START, TrackioProject, trainerRow } from './trackio.fixture.ts';
import { trackio } from './trackio.ts';

const DATABASE = 'trackio/huggingface.db';

async function makeProject() {
  const project = await TrackioProject.create();
  project.configure('r1', {
    completion_only_loss: null,
    output_dir: 'out/cats',
    max_steps: 20,
    _name_or_path: 'Qwen/Qwen3-0.6B',
    hub_token: 'x',
  });
  project.log('r1', trainerRow(10, 2.5));
  project.log('r2', trainerRow(5, 3));
  project.log('r1', { ...trainerRow(20, 'NaN'), 'train/grad_norm': 'Infinity' });
  project.log('r1', { 'eval/loss': 1.5, 'eval/runtime': 2, 'train/epoch': 2, 'train/global_step': 20 });
  return project;
}

it('reads the runs of a project, by the steps of the trainer', async () => {
  const { database } = await makeProject();
  const [run, other, ...more] = readRuns(trackio, { [DATABASE]: database });
  expect(toPoints(run)).toEqual({
    loss: [
      [10, 2.5],
      [20, Number.NaN],
    ],
    grad_norm: [
      [10, 1],
      [20, Infinity],
    ],
    learning_rate: [
      [10, 1e-4],
      [20, 1e-4],
    ],
    'eval/loss': [[20, 1.5]],
    'eval/runtime': [[20, 2]],
  });
  expect(run).toMatchObject({
    key: 'huggingface/r1',
    folder: 'trackio',
    trackerId: 'r1',
    curveSource: { file: DATABASE, place: 'metrics' },
    method: { value: 'sft' },
    name: { value: 'name of r1' },
    group: { value: 'huggingface' },
    outputDir: { value: 'out/cats', source: { file: DATABASE, place: 'table configs' } },
    baseModel: { value: 'Qwen/Qwen3-0.6B' },
    progress: { step: 20, totalSteps: 20, epoch: 2, totalEpochs: null },
    signs: [],
    startedAt: START,
    lastSignAt: START + 3000,
  });
  expect(run?.parameters.has('hub_token')).toBe(false);
  expect(other).toMatchObject({ key: 'huggingface/r2', outputDir: null, progress: { step: 5 } });
  expect(more).toEqual([]);
});

it('finished with a row that has no metrics, until it goes on', async () => {
  const project = await makeProject();
  project.log('r1', closingRow(20));
  const [reading] = openClaims(trackio, { [DATABASE]: project.database });
  reading?.take(DATABASE, project.database);
  expect(reading?.runs[0]?.signs).toMatchObject([{ kind: 'finished', reason: 'the Trainer logged its last row' }]);
  expect(reading?.runs[1]?.signs).toEqual([]);
  project.log('r1', trainerRow(30, 1));
  reading?.take(DATABASE, project.database);
  expect(reading?.runs[0]?.signs).toEqual([]);
});

it('is not finished by such a row before anything was trained', async () => {
  const project = await TrackioProject.create();
  project.log('r1', closingRow(0));
  expect(readRuns(trackio, { [DATABASE]: project.database })[0]?.signs).toEqual([]);
});

it('reads only new rows, and settings that changed', async () => {
  const project = await makeProject();
  const [reading] = openClaims(trackio, { [DATABASE]: project.database });
  reading?.take(DATABASE, project.database);
  const before = reading?.runs[0]?.curves.get('loss');
  project.log('r1', trainerRow(30, 1));
  project.configure('r1', { max_steps: 40 });
  reading?.take(DATABASE, project.database);
  expect(reading?.runs[0]?.curves.get('loss')).toBe(before);
  expect(before?.length).toBe(3);
  expect(reading?.runs[0]?.progress?.totalSteps).toBe(40);
});

it('forgets a run that was deleted', async () => {
  const project = await makeProject();
  const [reading] = openClaims(trackio, { [DATABASE]: project.database });
  reading?.take(DATABASE, project.database);
  project.database.run("DELETE FROM metrics WHERE run_id = 'r2'");
  reading?.take(DATABASE, project.database);
  expect(reading?.runs.map(({ key }) => key)).toEqual(['huggingface/r1']);
  expect(reading?.runs[0]?.curves.get('loss')?.length).toBe(2);
  reading?.drop(DATABASE);
  expect(reading?.runs).toEqual([]);
});

it('reads databases from before runs had ids', async () => {
  const project = await TrackioProject.createOld();
  project.logOld('calm-fox', trainerRow(10, 2));
  const [run] = readRuns(trackio, { [DATABASE]: project.database });
  expect(run).toMatchObject({ key: 'huggingface/calm-fox', name: { value: 'calm-fox' }, trackerId: null });
  expect(toPoints(run)['loss']).toEqual([[10, 2]]);
});

it('leaves out what is no metric, and rows that are damaged', async () => {
  const project = await TrackioProject.create();
  project.log('r1', { loss: true, text: 'x', image: { _type: 'trackio.image' }, huge: 1e308, own: 2 });
  project.database.run(
    "INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES ('r1', 'yesterday', 'n', 7, '{\"own\":')",
  );
  project.database.run(
    "INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES ('r1', 'yesterday', 'n', 8, '{\"own\":3}')",
  );
  const [run] = readRuns(trackio, { [DATABASE]: project.database });
  expect(toPoints(run)).toEqual({
    huge: [[0, 1e308]],
    own: [
      [0, 2],
      [8, 3],
    ],
  });
});

it('says nothing about other databases', async () => {
  const other = await makeDatabase('CREATE TABLE metrics (key TEXT, value FLOAT)');
  expect(readRuns(trackio, { [DATABASE]: other })).toEqual([]);
  expect(openClaims(trackio, { 'work/notes.db': '', 'trackio/mlflow.db': '', 'trackio/studio.db': '' })).toEqual([]);
  expect(openClaims(trackio, { 'work/pets.db': '', 'work/pets.lock': '' })).toHaveLength(1);
});

it('reads rows that wait in the inbox once, also after they came into the database', async () => {
  const path = 'trackio/inbox/writer/00000000.jsonl';
  const lines =
    fragmentLine({ metrics: trainerRow(1, 4), step: 0, timestamp: '2026-08-22T10:00:00+00:00', log_id: 'a' }) +
    fragmentLine({ metrics: trainerRow(2, 'NaN'), step: 1, log_id: 'b', config: { max_steps: 9 } }) +
    '{"kind": "metric", "run": \n' +
    fragmentLine({ kind: 'alert', title: 'x' });
  const project = await TrackioProject.create();
  const [reading] = openClaims(trackio, { [DATABASE]: project.database, [path]: lines });
  reading?.take(path, lines);
  reading?.take(path, lines);
  const expected = [
    [1, 4],
    [2, Number.NaN],
  ];
  expect(toPoints(reading?.runs[0])['loss']).toEqual(expected);
  expect(reading?.runs[0]).toMatchObject({
    key: 'huggingface/r9',
    name: { value: 'sft' },
    progress: { totalSteps: 9 },
  });
  project.log('r9', trainerRow(1, 4), 'a');
  project.log('r9', trainerRow(2, 'NaN'), 'b');
  reading?.take(DATABASE, project.database);
  project.database.run("DELETE FROM metrics WHERE log_id = 'b'");
  reading?.take(DATABASE, project.database);
  expect(toPoints(reading?.runs[0])['loss']).toEqual(expected);
  reading?.drop(path);
  project.log('r9', trainerRow(3, 2), 'c');
  reading?.take(DATABASE, project.database);
  expect(toPoints(reading?.runs[0])['loss']).toEqual([...expected, [3, 2]]);
});

it('keeps the parameters of a run with their source', async () => {
  const { database } = await makeProject();
  const [run] = readRuns(trackio, { [DATABASE]: database });
  expect(toValues(run?.parameters)).toMatchObject({ output_dir: 'out/cats', max_steps: 20 });
  expect(run?.parameters.get('max_steps')?.source).toEqual({ file: DATABASE, place: 'table configs' });
});

it('has the numbers of nested metrics, and none of a table', async () => {
  const project = await TrackioProject.create();
  project.log('r1', { loss: 1, nested: { a: 1, deep: { b: 2 } }, table: { _type: 'trackio.table', rows: 3 } });
  const [run] = readRuns(trackio, { [DATABASE]: project.database });
  expect(toPoints(run)).toEqual({ loss: [[0, 1]], 'nested.a': [[0, 1]], 'nested.deep.b': [[0, 2]] });
});

it('keeps evaluations that come late, and shows a training loss at each step', async () => {
  const project = await TrackioProject.create();
  for (const step of [1000, 10_000, 2000]) project.log('r1', { 'eval/acc': 1, 'train/global_step': step });
  for (const step of [1, 2, 3]) project.log('r2', { train_loss: 1 / step, val_loss: 2 });
  const [late, own] = readRuns(trackio, { [DATABASE]: project.database });
  expect(toPoints(late)['eval/acc']?.map(([step]) => step)).toEqual([1000, 2000, 10_000]);
  expect(Object.keys(toPoints(own))).toEqual(['loss', 'eval/loss']);
});

it('shows the alerts of a run, and none that only inform', async () => {
  const project = await TrackioProject.create();
  project.log('r1', { loss: 1 });
  project.alert('r1', 'error', 'Diverged', 'loss is NaN', 4);
  project.alert('r1', 'warn', 'Slow', null, null);
  project.alert('r1', 'info', 'Hello', null, 1);
  const [run] = readRuns(trackio, { [DATABASE]: project.database });
  expect(run?.problems).toEqual(['Alert (error, step 4): Diverged: loss is NaN', 'Alert (warn): Slow']);
});
