import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DATASET_STATUSES,
  EXPERIMENT_STATUSES,
  JOB_STATUSES,
  RECOMMENDATION_STATUSES,
} from '#shared/contract/statuses.ts';
import type { Database } from './database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { openEmbedded } from './openEmbedded.ts';
import { openTestFolders, type TestFolders } from './folders.fixture.ts';

let folders: TestFolders;
let database: Database;
/** Where the first test begins, nothing has been applied. */
beforeAll(async () => {
  folders = await openTestFolders();
  database = await openEmbedded(await folders.withDatabase('nothing'));
}, 60_000);
afterAll(async () => {
  await database.close();
  await folders.remove();
});

it('applies migrations once, in order, and each as a whole', async () => {
  const known = await readMigrations();
  const numbers = known.map((migration) => migration.number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  await migrate(database, known);
  await migrate(database, known);
  const broken = {
    number: 9999,
    name: '9999_broken.sql',
    script: 'create table studio.half (x integer); select nonsense from nowhere;',
  };
  await expect(migrate(database, [...known, broken])).rejects.toThrow(/nowhere/);
  expect((await database.executeSql("select to_regclass('studio.half') as half")).rows).toEqual([{ half: null }]);
  expect((await database.executeSql('select number from studio.migrations order by number')).rows).toEqual(
    known.map(({ number }) => ({ number })),
  );
  // The database goes on working after the failure.
  await migrate(database, known);
});

it('names migrations with word characters only, since they go into SQL as they are', async () => {
  for (const { name, script } of await readMigrations()) {
    expect(name).toMatch(/^\w+\.sql$/);
    expect(script).toBe(await readFile(new URL(`./migrations/${name}`, import.meta.url), 'utf8'));
  }
});

it('lets every table hold the statuses of the contract, and no others', async () => {
  const { rows } = await database.executeSql(`
    select conrelid::regclass::text as name, pg_get_constraintdef(oid) as rule from pg_constraint
    where contype = 'c' and connamespace = 'studio'::regnamespace and pg_get_constraintdef(oid) ~ '\\mstatus\\M'`);
  const allowed = (rows as readonly { name: string; rule: string }[]).map(({ name, rule }) => [
    name,
    [...rule.matchAll(/'(\w+)'/g)].map(([, status]) => status).toSorted(),
  ]);
  expect(
    Object.fromEntries(allowed),
    'A status of statuses.ts needs a new file in migrations/ that replaces the check of its table: alter table ' +
      'studio.experiments drop constraint experiments_status_check, add constraint experiments_status_check check ' +
      '(status in (...))',
  ).toEqual({
    'studio.datasets': DATASET_STATUSES.toSorted(),
    'studio.jobs': JOB_STATUSES.toSorted(),
    'studio.experiments': EXPERIMENT_STATUSES.toSorted(),
    'studio.recommendations': RECOMMENDATION_STATUSES.toSorted(),
  });
});

// The last one: the record of the newer version stays.
it('refuses a database that a newer version wrote', async () => {
  await database.executeSql("insert into studio.migrations (number, name) values (9000, 'from the future')");
  await expect(migrate(database, await readMigrations())).rejects.toThrow(
    /written by a newer Model Studio.*version 9000.*--data/,
  );
});
