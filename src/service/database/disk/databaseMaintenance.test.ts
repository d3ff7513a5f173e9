import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { openEmbedded } from '#service/database/openEmbedded.ts';
import { openUpkeep, STEP_BYTES } from './databaseMaintenance.ts';

const MIB = 1024 * 1024;

const hashOf = (data: string | Buffer): string => createHash('md5').update(data).digest('hex');

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() ? found.size : 0);
  }, 0);

describe('the embedded database', () => {
  let folders: TestFolders;
  beforeAll(async () => {
    folders = await openTestFolders();
  });
  afterAll(() => folders.remove());

  const TABLE =
    'create table studio_test (id integer, body bytea); alter table studio_test alter column body set storage external';
  /** A statement that adds 4 MiB. */
  const add = (id: number): string =>
    `insert into studio_test select ${id}, decode(repeat(md5('${id}'), 131072), 'hex') from generate_series(1, 2)`;

  it('keeps its log short while much is written, and its files once that is removed', async () => {
    const folder = await folders.withDatabase();
    const [log, base] = ['pg_wal', 'base'].map((name) => join(folder, 'database', name)) as [string, string];
    const database = await openEmbedded(folder);
    await database.executeSql(TABLE);
    const before = sizeOf(base);
    let longest = 0;
    for (let id = 0; id < 24; id += 1) {
      await database.executeSql(add(id));
      // The log is looked at between statements.
      if (id % 4 === 3) await vi.waitFor(() => expect(sizeOf(log)).toBeLessThan(64 * MIB));
      longest = Math.max(longest, sizeOf(log));
      await setImmediate();
    }
    expect(longest).toBeLessThanOrEqual(80 * MIB);
    expect(sizeOf(base) - before).toBeGreaterThan(90 * MIB);
    await database.executeSql('delete from studio_test');
    await database.tidy?.();
    expect(sizeOf(base) - before).toBeLessThan(8 * MIB);
    expect(sizeOf(log)).toBeLessThanOrEqual(80 * MIB);
    await database.close();
  });

  it('shortens the long log of an older version when it is opened', async () => {
    const folder = await folders.withDatabase();
    const log = join(folder, 'database', 'pg_wal');
    const older = await PGlite.create(join(folder, 'database'));
    await older.exec(TABLE);
    for (let id = 0; id < 30; id += 1) await older.exec(add(id));
    await older.close();
    expect(sizeOf(log)).toBeGreaterThan(100 * MIB);
    const database = await openEmbedded(folder);
    expect(sizeOf(log)).toBeLessThanOrEqual(80 * MIB);
    expect((await database.executeSql('select count(*)::int as count from studio_test')).rows).toEqual([{ count: 60 }]);
    await database.close();
  });

  it('gives back what an older version has left of removed rows, and keeps the others', async () => {
    const folder = await folders.withDatabase('tables');
    const base = join(folder, 'database', 'base');
    const older = await PGlite.create(join(folder, 'database'));
    const block = (id: number): string =>
      `insert into studio.row_blocks select gen_random_uuid(), 0, ${id}, decode(repeat(md5('${id}'), 131072), 'hex'), '\\x'`;
    for (let id = 1; id <= 40; id += 1) await older.exec(block(id));
    await older.exec('delete from studio.row_blocks where row_count between 2 and 39');
    await older.close();
    const before = sizeOf(base);
    const database = await openEmbedded(folder);
    await database.tidyRows?.();
    expect(before - sizeOf(base)).toBeGreaterThan(70 * MIB);
    const { rows } = await database.executeSql('select row_count, md5(body) from studio.row_blocks order by row_count');
    expect(rows).toEqual(
      [1, 40].map((id) => ({ row_count: id, md5: hashOf(Buffer.from(hashOf(`${id}`).repeat(131_072), 'hex')) })),
    );
    await database.close();
  });
});

describe('upkeep', () => {
  /** A database of which only the end of its log is known. */
  async function open({ hasRoom = true, fails = false } = {}) {
    const ran: string[] = [];
    const state = { end: 0, hasRoom, fails };
    const warnings: string[] = [];
    const upkeep = await openUpkeep({
      run: async (statement) => {
        if (statement.includes('pg_current_wal')) return [{ log_end: String(state.end) }];
        if (statement.includes('pg_ls_waldir')) return [{ bytes: '0' }];
        if (statement.includes('pg_stat_get_dead')) return [{ name: 'studio.row_blocks', log: 1000 }];
        if (state.fails) throw new Error('It is broken.');
        ran.push(statement);
        return [];
      },
      hasRoom: () => state.hasRoom,
      onWarning: (text) => warnings.push(text),
      times: { lookMs: 1, idleMs: 1 },
    });
    const write = (bytes: number): void => {
      state.end += bytes;
      upkeep.touch();
    };
    return { upkeep, ran, state, warnings, write };
  }
  const WHOLE = [
    'select pg_stat_force_next_flush()',
    'vacuum (process_toast false) studio.row_blocks',
    'checkpoint',
  ] as const;

  it('vacuums before it writes a checkpoint, once so much is written, or nothing more is', async () => {
    const { ran, write, upkeep } = await open();
    write(STEP_BYTES);
    await vi.waitFor(() => expect(ran).toEqual(WHOLE));
    write(2 * MIB);
    await vi.waitFor(() => expect(ran).toEqual([...WHOLE, ...WHOLE]));
    write(1000);
    await upkeep.close();
    expect(ran).toEqual([...WHOLE, ...WHOLE]);
  });

  it('does it at the end, if anything is left to be done', async () => {
    const { ran, state, upkeep } = await open();
    state.end += 2 * MIB;
    await upkeep.close();
    expect(ran).toEqual(WHOLE);
  });

  it('neither vacuums nor writes a checkpoint where the disk has no room for it', async () => {
    const { ran, upkeep, state } = await open({ hasRoom: false });
    await upkeep.tidy();
    expect(ran).toEqual(WHOLE.slice(0, 1));
    state.hasRoom = true;
    await upkeep.tidy();
    expect(ran.slice(1)).toEqual(WHOLE);
  });

  it('says once that it fails', async () => {
    const { state, warnings, write, ran } = await open({ fails: true });
    write(STEP_BYTES);
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toContain('It is broken.');
    state.fails = false;
    write(STEP_BYTES);
    await vi.waitFor(() => expect(ran).toEqual(WHOLE));
    expect(warnings).toHaveLength(1);
  });
});
