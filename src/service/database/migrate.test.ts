import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  DATASET_STATUSES,
  EXPERIMENT_STATUSES,
  JOB_STATUSES,
  RECOMMENDATION_STATUSES,
} from '#core/contract/statuses.ts';
import { migrate, readMigrations } from './migrate.ts';
import { openEmbedded } from './openEmbedded.ts';
import { keep } from '#service/files/keep.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const ID = '00000000-0000-4000-8000-000000000000';

/** Where the first test begins, nothing has been applied. */
const folders = await keepFolders();
const database = await keep(openEmbedded(await folders.withDatabase('nothing')));

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

it('what goes on while an older version is updated goes on afterwards', async () => {
  const older = await keep(openEmbedded(await folders.withDatabase('nothing')));
  const known = await readMigrations();
  await migrate(
    older,
    known.filter(({ number }) => number < 19),
  );
  const [run, remote, waiting, dataset, project] = [1, 2, 3, 4, 5].map((at) => `${at}${ID.slice(1)}`);
  await older.executeSql(`
    insert into studio.projects (id, name, created_at) values ('${ID}', 'Ours', now());
    insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
      values ('${ID}', '${ID}', 0, 'Rows', 'completed', 0, now());
    insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
      values ('${ID}', '${ID}', 0, 'Snapshot', 0, 0, 0, now());
    insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
      values ('${ID}', '${ID}', 0, 'Job', 'processing', false, now());
    insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size,
        learning_rate_multiplier, created_at)
      select id::uuid, '${ID}', 1, 'Run', status, 'base', false, 1, 1, 1, now()
      from (values ('${run}', 'running'), ('${remote}', 'running'), ('${waiting}', 'queued')) as one (id, status);
    insert into studio.trainings (experiment_id, training_type, seed, position, owner, lease_until, lease_id) values
      ('${run}', 'full', 1, 1, '${ID}', now() + interval '1 hour', null),
      ('${remote}', 'full', 1, 2, '${ID} gpu-1', now(), '${ID}'),
      ('${waiting}', 'full', 1, 3, null, null, null);
    insert into studio.imports (dataset_id, name, started_at, beat_at) values ('${dataset}', 'Rows', now(), now());
    insert into studio.transfers (project_id, started_at, beat_at) values ('${project}', now(), now())`);
  const begun = Date.now();
  await migrate(older, known);
  const ended = Date.now();
  const { rows } = await older.executeSql(`
    select kind, id, detail, floor(extract(epoch from until) * 1000)::float as until from studio.leases order by id`);
  // A busy machine takes seconds for it: each lease lasts so long from some time meanwhile.
  const lasting = (seconds: number): unknown =>
    expect.toSatisfy((until: number) => until >= begun + seconds * 1000 && until <= ended + seconds * 1000);
  expect(rows).toEqual([
    { kind: 'training', id: run, detail: null, until: lasting(15) },
    { kind: 'training', id: remote, detail: { lease_id: ID, machine: 'gpu-1' }, until: lasting(15) },
    { kind: 'import', id: dataset, detail: null, until: lasting(60) },
    { kind: 'transfer', id: project, detail: null, until: lasting(60) },
  ]);
  // An older service that still runs hears that it has lost its run, and can take no other.
  const owned = await older.executeSql('select experiment_id from studio.trainings where owner is not null');
  expect(owned.rows).toEqual([]);
  await expect(
    older.executeSql(`update studio.trainings set owner = '${ID}' where experiment_id = '${waiting}'`),
  ).rejects.toThrow(/a_newer_model_studio_trains_on_this_database/);
  // Nor does it take an import of a newer one for dead.
  await older.executeSql(`insert into studio.imports (dataset_id, name, started_at) values ('${ID}', 'New', now())`);
  const dead = await older.executeSql(
    "select dataset_id from studio.imports where beat_at < now() + interval '1 year'",
  );
  expect(dead.rows).toEqual([{ dataset_id: dataset }]);
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
    'studio.evaluation_runs': ['cancelled', 'completed', 'failed', 'queued', 'running', 'waiting'],
  });
});

// The last one: the record of the newer version stays.
it('takes the aliases of models that came in with a project, and lets their names give way to others', async () => {
  const old = await openEmbedded(await folders.withDatabase('nothing'));
  const known = await readMigrations();
  const before = known.filter(({ number }) => number < 20);
  await migrate(old, before);
  const run = '4da2acc4-0000-4000-8000-000000000001';
  await old.executeSql(
    `insert into studio.projects (id, name, created_at) values ('${run}', '', now());
     insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
       values ('${run}', '${run}', 0, '', 'completed', 0, now());
     insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
       values ('${run}', '${run}', 0, '', 0, 0, 0, now());
     insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
       values ('${run}', '${run}', 0, '', 'completed', false, now());
     insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size,
       learning_rate_multiplier, created_at) values ('${run}', '${run}', 1, '', 'succeeded', '', false, 1, 1, 1, now());`,
  );
  const insert = (id: string, aliases: string, owner = 'studio') =>
    old.executeSql(
      `insert into studio.models (id, position, experiment_id, file, aliases, owned_by, about, created_at)
       values ('${id}', 0, '${run}', 'x', '${aliases}', '${owner}', '', now())`,
    );
  await insert('sample', '["short"]', 'model-studio');
  for (const id of ['ft-base-4da2acc4', 'ft-base-4da2acc4-step-9', 'ft-base-00000000', 'Qwen/Qwen3-4B'])
    await insert(id, '[]');
  await insert('ft-other-4da2acc4', '["Qwen/Qwen3-8B"]');
  await migrate(old, known);
  const { rows } = await old.executeSql('select id, aliases, owned_by from studio.models order by owned_by, id');
  expect((rows as { id: string; aliases: string[]; owned_by: string }[]).map((row) => Object.values(row))).toEqual([
    ['Qwen/Qwen3-4B', [], 'imported'],
    ['ft-base-00000000', [], 'imported'],
    ['ft-other-4da2acc4', [], 'imported'],
    ['sample', ['short'], 'model-studio'],
    ['ft-base-4da2acc4', [], 'studio'],
    ['ft-base-4da2acc4-step-9', [], 'studio'],
  ]);
  await old.close();
});

it('refuses a database that a newer version wrote', async () => {
  await database.executeSql("insert into studio.migrations (number, name) values (9000, 'from the future')");
  await expect(migrate(database, await readMigrations())).rejects.toThrow(
    /written by a newer Model Studio.*version 9000.*--data/,
  );
});
