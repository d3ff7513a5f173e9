import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { toAnswerFormat, toTurnKind } from './exampleShape.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { toStoredRow } from '#features/datasets/server/rows/importedRow.ts';
import { toBlocks } from '#features/datasets/server/rows/rowBlocks.ts';
import { insertBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, projects, rowBlocks, snapshots } from '#service/database/tables.ts';
import { readTrainingForms } from './trainingForms.ts';

const database = await keepDatabase();
const ID = '33333333-3333-4333-8333-333333333333';
const ROWS = 400;

/** Sorted by label: 100 rows of each, and every fifth row is held out. */
const rows = Array.from({ length: ROWS }, (_, position) => {
  const answer = JSON.stringify({ label: 'ABCD'[Math.floor(position / 100)] });
  const messages = [
    { role: 'user', content: 'Sort this.' },
    { role: 'assistant', content: answer },
  ];
  return toStoredRow(JSON.stringify({ messages }), position % 5 === 0 ? 'validation' : 'training');
});

/** The first 200 rows of the same dataset. */
const HALF = '44444444-4444-4444-8444-444444444444';

const { orm } = database;
const created_at = new Date(0);
await orm.insert(projects).values({ id: ID, name: 'p', created_at });
await orm.insert(datasets).values({
  id: ID,
  project_id: ID,
  position: 0,
  label: 'd',
  status: 'completed',
  datapoints_count: ROWS,
  created_at,
});
await insertBlocks(orm, ID, 0, toBlocks(rows));
const snapshot = { dataset_id: ID, position: 0, label: 's', validation_count: 80, answer_shape: null, created_at };
await orm.insert(snapshots).values([
  { ...snapshot, id: ID, rows_end: ROWS, training_count: 320 },
  { ...snapshot, id: HALF, rows_end: 200, training_count: 160 },
]);

const RANGE = { id: ID, training_count: 320 };
const LABELS = { type: 'string', enum: ['A', 'B', 'C', 'D'] };
const labelOf = ({ forms, isWhole }: Awaited<ReturnType<typeof readTrainingForms>>): unknown =>
  toAnswerFormat(forms, isWhole)?.json_schema.schema['properties'];

it('reads all training rows of a small snapshot, over several pages, and nothing past its end', async () => {
  const read = await readTrainingForms(database.orm, RANGE, { most: 320, page: 40 });
  expect(read).toMatchObject({ isWhole: true, forms: { length: 320 } });
  expect(labelOf(read)).toEqual({ label: LABELS });
  const half = await readTrainingForms(database.orm, { id: HALF, training_count: 160 });
  expect(labelOf(half)).toEqual({ label: { ...LABELS, enum: ['A', 'B'] } });
});

it('samples a large one over all positions, and takes no set of values for complete', async () => {
  const read = await readTrainingForms(database.orm, RANGE, { most: 80, page: 10 });
  expect(read).toMatchObject({ isWhole: false, forms: { length: 80 } });
  expect(new Set(read.forms.map(({ answer }) => answer?.['label']))).toEqual(new Set(['A', 'B', 'C', 'D']));
  expect(labelOf(read)).toEqual({ label: { type: 'string' } });
  expect(toTurnKind(read.forms)).toBe('single');
});

it('has no rows where the dataset has none', async () => {
  await database.orm.execute(sql`delete from ${rowBlocks}`);
  expect(await readTrainingForms(database.orm, RANGE)).toEqual({ forms: [], isWhole: true });
});
