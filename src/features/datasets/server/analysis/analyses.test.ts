// When analyses run, and what is kept of them. What they find: dataRoutes.test.ts.
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { FindingList } from '#features/datasets/shared/contract/rows.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { toStoredRow } from '#features/datasets/server/rows/importedRow.ts';
import { toBlocks } from '#features/datasets/server/rows/rowBlocks.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, projects } from '#service/database/tables.ts';
import { ViewFailure } from '#features/datasets/server/modelView/modelViews.ts';
import { openAnalyses, type Analyses, type AnalysesOptions } from './analyses.ts';

const database = await keepDatabase();

const created_at = new Date('2026-11-23T10:00:00.000Z');
const project_id = randomUUID();
await database.orm.insert(projects).values({ id: project_id, name: 'Desk', created_at });

async function addDataset(): Promise<RowsOf> {
  const id = randomUUID();
  const fields = { project_id, position: 0, label: 'Tickets', status: 'completed', datapoints_count: 1 } as const;
  await database.orm.insert(datasets).values({ id, ...fields, created_at });
  const messages = ['user', 'assistant'].map((role) => ({ role, content: 'Hello.' }));
  await copyBlocks(database, id, 0, toBlocks([toStoredRow(JSON.stringify({ messages }), null)]));
  return { kind: 'dataset', id };
}

const addDatasets = (count: number): Promise<RowsOf[]> =>
  Promise.all(Array.from({ length: count }, () => addDataset()));

let time = 0;
/** Models whose rows are being counted, in the order in which that began: it ends when a test says so. */
const counted: string[] = [];
let endCounting: () => void = () => undefined;
let analyses: Analyses | null = null;
afterEach(async () => {
  endCounting();
  await analyses?.close();
  counted.length = 0;
});

function open(options: AnalysesOptions = {}): Analyses {
  const mayEnd = new Promise<void>((resolve) => {
    endCounting = resolve;
  });
  const views = {
    async check(model: string): Promise<void> {
      if (model.startsWith('unknown')) throw new ViewFailure(`There is no file of ${model}.`, 'no-file');
    },
    async count(model: string) {
      counted.push(model);
      await mayEnd;
      return { context: null, rows: [] };
    },
  };
  analyses = openAnalyses(database, views, { now: () => time, ...options });
  return analyses;
}

const isDone = async (found: Promise<FindingList>): Promise<boolean> => (await found).state === 'done';

it('datasets that are asked for in turn are all done, however many they are and however little is kept', async () => {
  const { findings } = open({ maxKept: 1 });
  const owners = await addDatasets(12);
  const done = new Set<RowsOf>();
  await expect
    .poll(async () => {
      for (const owner of owners) if (await isDone(findings(owner, null, 'ada'))) done.add(owner);
      return done.size;
    })
    .toBe(12);
});

it('all that a caller waits for has its turn, however much it is', async () => {
  const { findings } = open();
  const owner = await addDataset();
  const models = Array.from({ length: 70 }, (_, at) => `model-${at}`);
  for (const model of models) await findings(owner, model, 'ada');
  endCounting();
  await expect.poll(() => isDone(findings(owner, 'model-69', 'ada'))).toBe(true);
  expect(counted).toEqual(models);
});

it('results are kept while there is room, and those that were asked for longest ago go first', async () => {
  // Room for two small results.
  const { findings, rowsOf } = open({ maxKept: 3 * 64 * 1024 });
  const owners = await addDatasets(4);
  for (const owner of owners) await expect.poll(() => isDone(findings(owner, null, 'ada'))).toBe(true);
  // All have the same row: the thread that looks through one dataset after the other forgets those before.
  expect(owners.map((owner) => rowsOf(owner, 'duplicate')?.length ?? null)).toEqual([null, 0, 0, 0]);
});

it('what many wait for keeps no other caller waiting', async () => {
  const { findings } = open();
  const [large, small] = (await addDatasets(2)) as [RowsOf, RowsOf];
  for (let model = 0; model < 10; model += 1) await findings(large, `model-${model}`, 'ada');
  await expect.poll(() => counted).toEqual(['model-0']);
  await expect.poll(() => isDone(findings(small, null, 'bea'))).toBe(true);
  expect(counted).toEqual(['model-0']);
});

it('who asks for what another waits for has it at the own turn', async () => {
  const { findings } = open();
  const owner = await addDataset();
  for (const model of ['model-0', 'model-1', 'model-2']) await findings(owner, model, 'ada');
  await findings(owner, 'model-2', 'bea');
  await expect.poll(() => counted).toEqual(['model-0', 'model-2']);
});

it('what nobody asks for any more is not done', async () => {
  const { findings } = open();
  const owner = await addDataset();
  for (const model of ['model-0', 'model-1', 'model-2']) await findings(owner, model, 'ada');
  await expect.poll(() => counted).toEqual(['model-0']);
  time += 61_000;
  await findings(owner, 'model-2', 'ada');
  endCounting();
  await expect.poll(() => isDone(findings(owner, 'model-2', 'ada'))).toBe(true);
  expect(counted).toEqual(['model-0', 'model-2']);
});

it('a model without a file is refused, and costs nothing', async () => {
  const { findings } = open();
  const owner = await addDataset();
  await expect(findings(owner, 'unknown-1', 'ada')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  await expect.poll(() => isDone(findings(owner, null, 'ada'))).toBe(true);
  expect(counted).toEqual([]);
});

it('a caller for whom too much waits is told when to ask again', async () => {
  const { findings } = open({ waiting: { perCaller: 2, inAll: 9 } });
  const owner = await addDataset();
  await findings(owner, 'model-0', 'ada');
  await expect.poll(() => counted).toEqual(['model-0']);
  for (const model of ['model-1', 'model-2']) await findings(owner, model, 'ada');
  const refused = findings(owner, 'model-3', 'ada');
  await expect(refused).rejects.toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) as string });
  endCounting();
  await expect
    .poll(() =>
      findings(owner, 'model-3', 'ada').then(
        ({ state }) => state,
        () => 'refused',
      ),
    )
    .toBe('done');
});
