// What is read of a tree after a change, on the embedded database.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProjectNode, SnapshotNode } from '#core/contract/tree.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { DIVERGED } from './statusCause.ts';
import { openProjectReader } from './projects.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const id = (level: number, number: number): string =>
  `00000000-0000-4000-8000-0000000${level}${String(number).padStart(4, '0')}`;

let find: (projectId: string) => Promise<ProjectNode | null>;
const database = await keepDatabase();

/** Two datasets with two snapshots each, with two jobs of two experiments. */
beforeEach(async () => {
  await database.executeSql('delete from studio.projects');
  await database.executeSql(`
    insert into studio.projects values ('${PROJECT}', 'Test', now());
    insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
      select ('00000000-0000-4000-8000-00000001' || lpad(n::text, 4, '0'))::uuid, '${PROJECT}', n, 'Dataset ' || n, 'completed', 9, now() from generate_series(0, 1) n;
    insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count, created_at)
      select ('00000000-0000-4000-8000-00000002' || lpad(n::text, 4, '0'))::uuid, ('00000000-0000-4000-8000-00000001' || lpad((n / 2)::text, 4, '0'))::uuid, n, 'Snapshot ' || n, 9, 8, 1, now() from generate_series(0, 3) n;
    insert into studio.jobs (id, snapshot_id, position, label, status, reasoning, created_at)
      select ('00000000-0000-4000-8000-00000003' || lpad(n::text, 4, '0'))::uuid, ('00000000-0000-4000-8000-00000002' || lpad((n / 2)::text, 4, '0'))::uuid, n, 'Job ' || n, 'processing', false, now() from generate_series(0, 7) n;
    insert into studio.experiments (id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size, learning_rate_multiplier, created_at)
      select ('00000000-0000-4000-8000-00000004' || lpad(n::text, 4, '0'))::uuid, ('00000000-0000-4000-8000-00000003' || lpad((n / 2)::text, 4, '0'))::uuid, 1 + n % 2, 'Experiment ' || n, 'running', 'base', true, 1, 1, 1, now() from generate_series(0, 15) n;`);
  find = openProjectReader(database.orm);
});

const snapshotsOf = (project: ProjectNode | null): SnapshotNode[] =>
  (project?.children ?? []).flatMap((dataset) => dataset.children);

describe('a tree', () => {
  it('stays the same object until something in it changes', async () => {
    const tree = await find(PROJECT);
    expect(snapshotsOf(tree).map(({ children }) => children.map((job) => job.children.length))).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
      [2, 2],
    ]);
    expect(await find(PROJECT)).toBe(tree);
    await database.executeSql("update studio.datasets set label = 'Other'");
    expect(await find(PROJECT)).not.toBe(tree);
    expect(await find(randomUUID())).toBeNull();
  });

  it('says of a run that diverged that it did, and of another only that it failed', async () => {
    await database.executeSql(
      `update studio.experiments set status = 'failed', failure = case when id = '${id(4, 0)}' then '${DIVERGED}' else 'x' end`,
    );
    const [first, second] = snapshotsOf(await find(PROJECT))[0]!.children[0]!.children;
    expect([first?.metadata.status_cause, second?.metadata.status_cause]).toEqual(['diverged', undefined]);
  });

  it.each<[string, string, number[]]>([
    ['the status of an experiment', `update studio.experiments set status = 'failed' where id = '${id(4, 5)}'`, [1]],
    [
      'a new experiment',
      'insert into studio.experiments select gen_random_uuid(), job_id, 9, label, status, base_model_id from ' +
        `studio.experiments where id = '${id(4, 0)}'`,
      [0],
    ],
    ['an experiment that is gone', `delete from studio.experiments where id = '${id(4, 15)}'`, [3]],
    [
      'an experiment that went to another job',
      `update studio.experiments set job_id = '${id(3, 7)}', experiment_number = 5 where id = '${id(4, 0)}'`,
      [0, 3],
    ],
    ['the status of a job', `update studio.jobs set status = 'completed' where id = '${id(3, 2)}'`, [1]],
    ['a job that is gone', `delete from studio.jobs where id = '${id(3, 4)}'`, [2]],
    [
      'a job that went to another snapshot',
      `update studio.jobs set snapshot_id = '${id(2, 2)}' where id = '${id(3, 0)}'`,
      [0, 2],
    ],
    [
      'a new job',
      "insert into studio.jobs select gen_random_uuid(), snapshot_id, 99, 'New', status, reasoning, created_at " +
        `from studio.jobs where id = '${id(3, 0)}'`,
      [0],
    ],
    ['the label of a snapshot', `update studio.snapshots set label = 'Other' where id = '${id(2, 1)}'`, [1]],
    ['the label of a dataset', `update studio.datasets set label = 'Other' where id = '${id(1, 1)}'`, []],
    ['the name of the project', "update studio.projects set name = 'Other'", []],
    ['no experiments at all', 'truncate studio.experiments cascade', [0, 1, 2, 3]],
    ['all experiments', "update studio.experiments set status = 'queued'", [0, 1, 2, 3]],
  ])(
    'after a change is as if it had been read anew, with the unchanged snapshots as they were: %s',
    async (_name, change, changed) => {
      const before = await find(PROJECT);
      const columns =
        'id, job_id, experiment_number, label, status, base_model_id, lora, n_epochs, batch_size, ' +
        'learning_rate_multiplier, created_at';
      const statement = change.replace(
        /^insert into studio.experiments select (.*?) from/,
        `insert into studio.experiments (${columns}) select $1, lora, n_epochs, batch_size, ` +
          'learning_rate_multiplier, created_at from',
      );
      await database.executeSql(statement);
      const after = await find(PROJECT);
      expect(after).not.toBe(before);
      expect(after).toEqual(await openProjectReader(database.orm)(PROJECT));
      expect(after).not.toEqual(before);
      const old = new Map(snapshotsOf(before).map((snapshot) => [snapshot.id, snapshot]));
      const isChanged = snapshotsOf(after).map((snapshot) => old.get(snapshot.id) !== snapshot);
      expect(isChanged.flatMap((is, index) => (is ? [index] : []))).toEqual(changed);
    },
  );

  it('loses a snapshot and a dataset that are gone, and finds them again', async () => {
    await find(PROJECT);
    await database.executeSql(`delete from studio.snapshots where id = '${id(2, 0)}'`);
    expect(snapshotsOf(await find(PROJECT)).map((snapshot) => snapshot.id)).toEqual([id(2, 1), id(2, 2), id(2, 3)]);
    await database.executeSql(
      `insert into studio.snapshots values ('${id(2, 0)}', '${id(1, 0)}', 0, 'Back', 9, 8, 1, now())`,
    );
    expect(snapshotsOf(await find(PROJECT))[0]).toMatchObject({ label: 'Back', children: [] });
    await database.executeSql(`delete from studio.datasets where id = '${id(1, 1)}'`);
    expect((await find(PROJECT))?.children).toHaveLength(1);
    await database.executeSql('delete from studio.projects');
    expect(await find(PROJECT)).toBeNull();
  });
});

describe('many who ask at once', () => {
  it('share one reading, and each sees at least what was there when it asked', async () => {
    let readings = 0;
    const select: typeof database.orm.select = database.orm.select.bind(database.orm);
    const counting = Object.create(database.orm, {
      // A reading begins with the project's own row, and so does nothing else here.
      select: {
        value: (...fields: Parameters<typeof select>) => ({
          from: (table: Parameters<ReturnType<typeof select>['from']>[0]) => {
            if ('name' in table) readings += 1;
            return select(...fields).from(table);
          },
        }),
      },
    }) as typeof database.orm;
    const shared = openProjectReader(counting);
    const together = await Promise.all(Array.from({ length: 20 }, () => shared(PROJECT)));
    expect(new Set(together).size).toBe(1);
    expect(readings).toBe(1);
    readings = 0;
    const answers: Promise<void>[] = [];
    for (let round = 0; round < 10; round += 1) {
      await database.orm.execute(
        sql.raw(`update studio.experiments set label = 'Round ${round}' where id = '${id(4, 0)}'`),
      );
      const asked = round;
      for (let reader = 0; reader < 5; reader += 1) {
        const read = async (): Promise<void> => {
          const [first] = snapshotsOf(await shared(PROJECT));
          const seen = Number(/\d+/.exec(first?.children[0]?.children[0]?.label ?? '')?.[0]);
          expect(seen).toBeGreaterThanOrEqual(asked);
        };
        answers.push(read());
      }
    }
    await Promise.all(answers);
    expect(readings).toBeLessThanOrEqual(11);
  });

  it('a reading that fails fails for those who wait for it, and not for later ones', async () => {
    let isBroken = true;
    const select: typeof database.orm.select = database.orm.select.bind(database.orm);
    const broken = Object.create(database.orm, {
      select: {
        value: (...fields: Parameters<typeof select>) => ({
          from: (table: Parameters<ReturnType<typeof select>['from']>[0]) => {
            if (isBroken && 'name' in table) throw new Error('broken');
            return select(...fields).from(table);
          },
        }),
      },
    }) as typeof database.orm;
    const reader = openProjectReader(broken);
    const failed = await Promise.allSettled([reader(PROJECT), reader(PROJECT)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect((await reader(PROJECT))?.id).toBe(PROJECT);
  });
});
