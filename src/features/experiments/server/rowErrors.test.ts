import { expect, it } from 'vitest';
import { rowErrorsSchema } from '#core/contract/rowErrors.ts';
import { readRowErrors } from './rowErrors.ts';
import { keepSample } from '#service/database/keepDatabase.fixture.ts';

/** Runs of the snapshot. */
/** Of each validation row, its category. */

const answerOf = (line: string): { category: string } => {
  const { messages } = JSON.parse(line) as { messages: { content: string }[] };
  return JSON.parse(messages.at(-1)?.content ?? '{}') as { category: string };
};

const { studio } = await keepSample();
const [project] = await studio.listProjects();
const datasets = (await studio.findProject(project?.id ?? ''))?.children ?? [];
const snapshot = datasets.find(({ label }) => label === 'Ticket triage')?.children[0];
const snapshotId = snapshot?.id ?? '';
const runs = snapshot?.children.flatMap(({ children }) => children.map(({ id }) => id)) ?? [];
const lines: string[] = [];
for await (const page of (await studio.findRows(snapshotId, 'validation'))?.pages ?? []) lines.push(...page);
const categories = lines.map((line) => answerOf(line).category);

const setRight = (run: string | undefined, right: string) =>
  studio.database.executeSql(
    `update studio.experiments set status = 'succeeded', settings = settings || jsonb_build_object('right_rows', $2::text) where id = $1`,
    [run, right],
  );
const read = async (run = runs[0] ?? '') => {
  const found = await readRowErrors(studio.database, snapshotId, run);
  expect(found === null || rowErrorsSchema.safeParse(found).success).toBe(true);
  return found;
};
const first = 'account';

it('most errors are in the rows of a label, which has so many training rows', async () => {
  await setRight(runs[0], categories.map((category, at) => (category === first && at % 4 > 0 ? '0' : '1')).join(''));
  const wrong = categories.filter((category, at) => category === first && at % 4 > 0).length;
  const rows = categories.filter((category) => category === first).length;
  expect(wrong).toBeGreaterThan(5);
  const found = await read();
  expect(found).toMatchObject({
    rows: categories.length,
    wrong,
    labels: { field: 'category', values: [{ value: first, rows, wrong }] },
    shared: null,
  });
  expect(found?.labels?.positions).toHaveLength(wrong);
  const lines: string[] = [];
  for await (const page of (await studio.findRows(snapshotId, 'training'))?.pages ?? []) lines.push(...page);
  expect(found?.labels?.training_rows).toBe(lines.length);
  expect(found?.labels?.values[0]?.training_rows).toBe(
    lines.filter((line) => answerOf(line).category === first).length,
  );
});

it('the errors are those that all runs make', async () => {
  const toRight = (wrong: readonly number[]) => categories.map((_, at) => (wrong.includes(at) ? '0' : '1')).join('');
  const third = await studio.database.executeSql(
    `insert into studio.experiments select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'experiment_number', 99))).*
     from studio.experiments e where id = $1 returning id`,
    [runs[0]],
  );
  const ids = [...runs.slice(0, 2), (third.rows[0] as { id: string }).id];
  for (const [at, id] of ids.entries()) await setRight(id, toRight([2, 60, 120, 180, at]));
  expect((await read())?.shared).toMatchObject({ runs: 3, least: 3, count: 4 });
});

it('nothing is known of a run whose marks belong to other rows, or of another snapshot', async () => {
  await setRight(runs[0], '0'.repeat(categories.length - 1));
  expect(await read()).toEqual({ rows: null, wrong: 0, labels: null, shared: null });
  expect(await read('00000000-0000-4000-8000-000000000000')).toMatchObject({ rows: null });
});

it('reading ends when nobody waits for it', async () => {
  await setRight(runs[0], '0'.repeat(categories.length));
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(readRowErrors({ ...studio.database, signal }, snapshotId, runs[0] ?? '')).rejects.toThrow('gone');
});

it('there is nothing to say of a snapshot that is not there', async () => {
  expect(await readRowErrors(studio.database, '00000000-0000-4000-8000-000000000000', runs[0] ?? '')).toBeNull();
});
