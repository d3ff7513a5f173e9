import { expect, it } from 'vitest';
import { deleteNode, listDeleted, restoreNode, sweepDeleted } from './deletion.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

const { studio } = await keepSample();
// Recommendations are asked for, but what they say is not looked at: few rows are enough.
await studio.database.executeSql('update studio.snapshots set rows_end = 100');

const NOW = new Date('2026-11-23T10:00:00.000Z');
const later = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const listModels = async (): Promise<string[]> => (await studio.listModelFiles()).map(({ id }) => id);
const count = async (table: string): Promise<number> => {
  const { rows } = await studio.database.executeSql(`select count(*)::integer as count from studio.${table}`);
  return (rows[0] as { count: number }).count;
};

interface Place {
  readonly models: readonly string[];
  readonly project: string;
  readonly dataset: string;
  readonly job: string;
  readonly experiments: readonly string[];
}

/** The two runs of a dataset of the sample, with their models and the nodes above them. */
async function findPlace(): Promise<Place> {
  const { rows } = await studio.database.executeSql(
    `select array_agg(m.id order by m.position) as models, array_agg(e.id order by m.position) as experiments,
     j.id as job, d.id as dataset, d.project_id as project from studio.models m
     join studio.experiments e on e.id = m.experiment_id join studio.jobs j on j.id = e.job_id
     join studio.snapshots s on s.id = j.snapshot_id join studio.datasets d on d.id = s.dataset_id
     where d.label = 'Order tools' group by j.id, d.id`,
  );
  return rows[0] as unknown as Place;
}

it('the model of a deleted run is not listed, nor those below anything deleted; Undo gives them back', async () => {
  const { orm } = studio.database;
  const all = await listModels();
  const place = await findPlace();
  const [first = '', second = ''] = place.models;
  expect(all).toEqual(expect.arrayContaining([first, second]));
  const deletions = [
    { id: place.experiments[0] ?? '', own: [first] },
    { id: place.job, own: [first, second] },
    { id: place.dataset, own: [first, second] },
  ];
  for (const { id, own } of deletions) {
    await deleteNode(orm, id, NOW);
    expect(await listModels()).toEqual(all.filter((model) => !own.includes(model)));
    await restoreNode(orm, id);
  }
  await deleteNode(orm, place.project, NOW);
  expect(await listModels()).toEqual([all[0]]);
  await restoreNode(orm, place.project);
  expect(await listModels()).toEqual(all);
});

it('nothing below a deleted dataset or project is found, worked on or changed', async () => {
  const { orm } = studio.database;
  const place = await findPlace();
  const { snapshot_id = '' } = (await studio.findJob(place.job)) ?? {};
  const findAll = async (): Promise<unknown[]> => [
    await studio.findRecommendation(snapshot_id),
    await studio.generateRecommendation(snapshot_id),
    await studio.findRows(snapshot_id, 'training'),
    await studio.findJob(place.job),
    await studio.chooseMainMeasure(place.dataset, null),
  ];
  expect(await findAll()).not.toContain(null);
  for (const id of [place.dataset, place.project]) {
    await deleteNode(orm, id, NOW);
    expect(await findAll()).toEqual([null, null, null, null, null]);
    await restoreNode(orm, id);
  }
  expect(await findAll()).not.toContain(null);
});

it('is not restored while something above it is deleted, because nobody would see it', async () => {
  const { orm } = studio.database;
  const { project, dataset, job, experiments } = await findPlace();
  const [run = ''] = experiments;
  const refused = (noun: string) => ({
    status: 409,
    message: expect.stringMatching(new RegExp(`^The ${noun} .* is deleted. Restore it first`)) as string,
  });
  for (const id of [run, job, dataset, project]) await deleteNode(orm, id, NOW);
  for (const id of [run, job, dataset]) await expect(restoreNode(orm, id)).rejects.toMatchObject(refused('project'));
  expect(await listDeleted(orm)).toHaveLength(4);
  await restoreNode(orm, project);
  for (const id of [run, job]) await expect(restoreNode(orm, id)).rejects.toMatchObject(refused('dataset'));
  await restoreNode(orm, dataset);
  await expect(restoreNode(orm, run)).rejects.toMatchObject(refused('job'));
  for (const id of [job, run]) await restoreNode(orm, id);
  expect(await listDeleted(orm)).toEqual([]);
});

it('what was deleted can be restored once, and only what was', async () => {
  const { orm } = studio.database;
  const { dataset, experiments } = await findPlace();
  await deleteNode(orm, dataset, NOW);
  expect(await listDeleted(orm)).toMatchObject([
    { id: dataset, type: 'dataset', deleted_at: NOW.toISOString(), gone_at: later(24).toISOString() },
  ]);
  await expect(deleteNode(orm, dataset, NOW)).rejects.toMatchObject({ status: 404 });
  await expect(restoreNode(orm, experiments[0] ?? '')).rejects.toMatchObject({ status: 404 });
  await restoreNode(orm, dataset);
  await expect(restoreNode(orm, dataset)).rejects.toMatchObject({ status: 404 });
  expect(await listDeleted(orm)).toEqual([]);
});

it('after 24 hours it is removed with its rows, snapshots, jobs, runs and models; all else stays', async () => {
  const { orm } = studio.database;
  const { dataset } = await findPlace();
  const tables = ['row_blocks', 'snapshots', 'jobs', 'experiments', 'models', 'datasets', 'projects'];
  const before = await Promise.all(tables.map(count));
  await deleteNode(orm, dataset, NOW);
  await sweepDeleted(studio.database, later(23.99));
  expect(await Promise.all(tables.map(count))).toEqual(before);
  await sweepDeleted(studio.database, later(24.01));
  const [blocks = 0, ...others] = await Promise.all(tables.map(count));
  const [blocksBefore = 0, ...othersBefore] = before;
  // The dataset has 3,200 rows, 256 of them in a block.
  expect(blocksBefore - blocks).toBe(13);
  expect(others.map((left, at) => (othersBefore[at] ?? 0) - left)).toEqual([1, 1, 2, 2, 1, 0]);
  await expect(restoreNode(orm, dataset)).rejects.toMatchObject({ status: 404 });
  expect(await listDeleted(orm)).toEqual([]);
});

it('what is being removed can not be restored, and is removed by the next sweep if that was broken off', async () => {
  const { orm } = studio.database;
  const { rows } = await studio.database.executeSql('select id, project_id from studio.datasets limit 1');
  const [{ id, project_id }] = rows as [{ id: string; project_id: string }];
  await studio.database.executeSql(`update studio.projects set deleted_at = '9998-01-01' where id = '${project_id}'`);
  await studio.database.executeSql(`delete from studio.row_blocks where dataset_id = '${id}'`);
  await expect(restoreNode(orm, project_id)).rejects.toMatchObject({ status: 404 });
  expect(await listDeleted(orm)).toEqual([]);
  await sweepDeleted(studio.database, NOW);
  const tables = ['row_blocks', 'snapshots', 'jobs', 'experiments', 'datasets', 'projects'];
  expect(await Promise.all(tables.map(count))).toEqual(tables.map(() => 0));
});
