// What is removed of traces in the background, and the numbers of groups.
import { beforeEach, expect, it } from 'vitest';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import {
  addTraces,
  countTraces,
  removeEmptyGroups,
  removeOld,
  removeStray,
  removeTraces,
  saveSettings,
} from './traceStore.ts';

const [PROJECT, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const DAY = 86_400_000;

const database = await keepDatabase();
beforeEach(() =>
  database.executeSql(
    `delete from studio.traces; delete from studio.trace_groups; delete from studio.trace_settings; delete from studio.projects;
     insert into studio.projects (id, name, created_at) values ('${PROJECT}', 'One', now()), ('${OTHER}', 'Two', now())`,
  ),
);

const add = (projectId: string | null, daysAgo: number, count = 1) =>
  addTraces(
    database.orm,
    Array.from({ length: count }, () => ({
      modelId: 'm',
      projectId,
      input: 'a',
      output: 'b',
      score: null,
      feedback: null,
    })),
    new Date(Date.now() - daysAgo * DAY),
  );
const numbers = async (): Promise<unknown> => (await countTraces(database.orm, null)).models[0]?.unscored;
const stored = async (): Promise<unknown> =>
  ((await database.executeSql('select count(*)::integer as n from studio.traces')).rows[0] as { n: number }).n;

it('traces of a project that keeps them for days are removed once they are older, those of others are not', async () => {
  await add(PROJECT, 8, 5);
  await add(PROJECT, 6, 2);
  await add(OTHER, 99);
  await add(null, 99);
  await saveSettings(database.orm, PROJECT, { keeps_chats: false, keep_days: 7, corrector: null });
  expect([
    await removeOld(database.orm, 3),
    await removeOld(database.orm, 3),
    await removeOld(database.orm, 3),
  ]).toEqual([3, 2, 0]);
  expect([await stored(), await numbers()]).toEqual([4, 4]);
});

it('traces and settings of a project that is gone are removed, those of no project are not', async () => {
  await add(PROJECT, 0, 3);
  await add(null, 0);
  await saveSettings(database.orm, PROJECT, { keeps_chats: true, keep_days: null, corrector: null });
  expect(await removeStray(database.orm, 2)).toBe(0);
  await database.executeSql(`delete from studio.projects where id = '${PROJECT}'`);
  expect([await removeStray(database.orm, 2), await removeStray(database.orm, 2)]).toEqual([2, 1]);
  expect([await stored(), await numbers()]).toEqual([1, 1]);
  expect((await database.executeSql('select 1 from studio.trace_settings')).rows).toEqual([]);
});

it('groups without a trace are removed, so that they count for no limit', async () => {
  await add(PROJECT, 0);
  await removeTraces(database.orm, undefined);
  await add(OTHER, 0, 2);
  expect(await removeEmptyGroups(database.orm, 10)).toBe(1);
  expect((await database.executeSql('select project_id, traces from studio.trace_groups')).rows).toEqual([
    { project_id: OTHER, traces: 2 },
  ]);
});

it('two requests that add to the same new groups in other orders both succeed, and count right', async () => {
  const trace = { projectId: null, input: 'a', output: 'b', score: null, feedback: null };
  const names = ['a', 'b', 'c'];
  await Promise.all(
    [names, names.toReversed()].map((order) =>
      addTraces(
        database.orm,
        order.map((modelId) => ({ ...trace, modelId })),
        new Date(),
      ),
    ),
  );
  expect((await countTraces(database.orm, null)).models.map(({ unscored }) => unscored)).toEqual([2, 2, 2]);
});
