// The two tables of this room.
import { describe, expect, it } from 'vitest';
import type { Database } from '#service/database/database.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';
import { openActivityLog } from './activityLog.ts';
import { openTableTokens } from './tableTokens.ts';
import { testTokenStore } from './tokenStores.fixture.ts';

const database = await keepDatabase();

describe('a table of tokens', () => testTokenStore(() => openTableTokens(database)));

describe('the activity', () => {
  const said: string[] = [];
  const open = (used: Pick<Database, 'orm' | 'guard' | 'executeSql'> = database) =>
    openActivityLog({ database: used, now: () => new Date(0), report: (line) => said.push(line), kept: 5 });
  const change = (who: string | null, path: string) => ({ who, method: 'PUT', route: '/a/{id}', path });

  it('is read newest first, page by page, and keeps the last entries alone', async () => {
    const log = open();
    for (let count = 1; count <= 12; count += 1) log.record(change(count % 2 === 0 ? 'ada' : null, `/a/${count}`));
    await log.close();
    const all = await log.list(100, null);
    expect(all.length).toBeLessThan(10);
    expect(all.slice(0, 2)).toEqual([
      { id: all[0]?.id, at: '1970-01-01T00:00:00.000Z', ...change('ada', '/a/12'), node: null },
      { id: all[1]?.id, at: '1970-01-01T00:00:00.000Z', ...change(null, '/a/11'), node: null },
    ]);
    expect(await log.list(2, all[1]?.id ?? 0)).toEqual(all.slice(2, 4));
  });

  it('names the node that a change made or is about as it is now, and leads to its project', async () => {
    const [project, dataset, gone] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
    await database.executeSql(`
      insert into studio.projects (id, name, created_at) values ('${project}', 'Desk', now());
      insert into studio.datasets (id, project_id, position, label, status, datapoints_count, created_at)
        values ('${dataset}', '${project}', 0, 'Tickets', 'completed', 1, now());
      insert into studio.notes (node_id, name, tags, is_starred, is_archived, body, revision, updated_at)
        values ('${dataset}', 'Letters', '[]', false, false, '', 1, now());
    `);
    const log = open();
    log.record({ ...change(null, '/projects/create'), nodeId: project ?? '' });
    log.record(change(null, `/nodes/${dataset?.toUpperCase()}`));
    log.record(change(null, `/nodes/${gone}`));
    await log.close();
    const nodes = async () => (await log.list(3, null)).map(({ node }) => node);
    const named = { id: dataset, type: 'dataset', label: 'Letters', project_id: project, is_deleted: false };
    const first = { id: project, type: 'project', label: 'Desk', project_id: project, is_deleted: false };
    expect(await nodes()).toEqual([null, named, first]);
    await database.executeSql(`update studio.projects set deleted_at = now()`);
    expect(await nodes()).toEqual([null, { ...named, is_deleted: true }, { ...first, is_deleted: true }]);
  });

  it('says of which changes it is not certain that they were made', async () => {
    const log = open();
    log.record({ ...change(null, '/late'), isCertain: false });
    log.record(change(null, '/known'));
    await log.close();
    expect((await log.list(2, null)).map(({ path, is_certain }) => [path, is_certain])).toEqual([
      ['/known', undefined],
      ['/late', false],
    ]);
  });

  it('keeps the beginning of a path that is too long', async () => {
    const log = open();
    log.record(change(null, 'x'.repeat(1000)));
    await log.close();
    expect((await log.list(1, null))[0]?.path).toHaveLength(300);
  });

  it('that can not be written is reported, but not while the database is away', async () => {
    const failing = (error: Error) =>
      open({
        ...database,
        guard: async () => {
          throw error;
        },
      });
    for (const error of [new DatabaseUnavailable('It is away.'), new Error('It is full.')]) {
      const log = failing(error);
      log.record(change(null, '/a'));
      await log.close();
    }
    expect(said).toEqual(['An entry of the activity was lost (It is full.).']);
  });
});
