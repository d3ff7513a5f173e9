// A database that is made anew, also after a first start that was cut off: e2e/process.test.ts.
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openEmbedded } from './openEmbedded.ts';
import { readCopy, toCopyParts, toCopyTuple } from '#features/datasets/server/rows/binaryCopy.ts';
import { StartError } from './startError.ts';
import { DatabaseUnavailable } from './unavailable.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();
const kept = await folders.withDatabase();
const database = await openEmbedded(kept);
await database.applyScript('create table kept (x integer); insert into kept values (7)');
await database.close();

/** All but PostgreSQL's own caches, which it makes anew at every start. */
const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => !name.endsWith('pg_internal.init'));

describe('a damaged database', () => {
  const forEachFile = async (folder: string, change: (path: string) => Promise<void>) => {
    for (const name of await readdir(folder)) await change(join(folder, name));
  };
  const damages: readonly (readonly [string, (database: string) => Promise<void>])[] = [
    ['another version', (database) => writeFile(join(database, 'PG_VERSION'), '14\n')],
    ['no PG_VERSION', (database) => rm(join(database, 'PG_VERSION'))],
    ['no control file', (database) => rm(join(database, 'global', 'pg_control'))],
    ['a cut control file', (database) => truncate(join(database, 'global', 'pg_control'), 100)],
    [
      'a cut log',
      (database) =>
        forEachFile(join(database, 'pg_wal'), async (path) =>
          (await stat(path)).isFile() ? truncate(path, 1000) : undefined,
        ),
    ],
    [
      'cut tables',
      (database) =>
        forEachFile(join(database, 'base', '5'), async (path) =>
          truncate(path, Math.floor((await stat(path)).size / 2)),
        ),
    ],
    ['a broken configuration', (database) => writeFile(join(database, 'postgresql.conf'), 'a b = = c\n')],
  ];

  it('on a full disk is not called damaged, and nobody is told to move it away', async () => {
    const folder = await folders.copyOf(kept);
    const database = join(folder, 'database');
    await rm(join(database, 'global', 'pg_control'));
    const before = await listFiles(database);
    const opening = openEmbedded(folder, { readFree: () => 1000 });
    const error: unknown = await opening.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message).toMatch(/is full \(0 MiB are free\).*Free at least 96 MiB there and start again/);
    expect(message).not.toMatch(/backup|move it away/);
    expect(await listFiles(database)).toEqual(expect.arrayContaining(before));
  });

  it.each(damages)('with %s is refused in one line that says what to do, and nothing is deleted', async (_, damage) => {
    const folder = await folders.copyOf(kept);
    const database = join(folder, 'database');
    await damage(database);
    const before = await listFiles(database);
    const error: unknown = await openEmbedded(folder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StartError);
    const { message } = error as StartError;
    expect(message).toContain(database);
    expect(message).toMatch(/Restore it from a backup, or move it away/);
    expect(message).toContain('Nothing was deleted');
    expect(message).not.toContain('\n');
    expect(await listFiles(database)).toEqual(expect.arrayContaining(before));
    await rm(folder, { recursive: true });
  });
});

describe('a sound database', () => {
  let folder = '';
  let database: Database;
  beforeAll(async () => {
    folder = await folders.copyOf(kept);
    database = await openEmbedded(folder);
  });
  afterAll(() => database.close());

  it('keeps what it holds, where nobody else can read it', async () => {
    expect((await database.executeSql('select x from kept where x = $1', [7])).rows).toEqual([{ x: 7 }]);
    expect((await database.executeSql('select 1 as a; select 2 as b')).rows).toEqual([{ b: 2 }]);
    expect((await stat(join(folder, 'database'))).mode & 0o077).toBe(0);
  });

  it('that fails for good takes no statement any more, and says that the process is to end', async () => {
    const own = await folders.copyOf(kept);
    const ends: string[] = [];
    const failing = await openEmbedded(own, { onEnd: (reason) => ends.push(reason) });
    await failing.executeSql('insert into kept values (8)');
    // A checkpoint writes a file of this name: as on a full disk, it can't be made.
    const obstacle = join(own, 'database', 'pg_logical', 'replorigin_checkpoint.tmp');
    await mkdir(obstacle);
    await expect(failing.executeSql('checkpoint')).rejects.toThrow('replorigin_checkpoint.tmp');
    expect(ends).toEqual([expect.stringMatching(/^The embedded database has ended .* Start the studio again\.$/)]);
    await expect(failing.executeSql('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
    await failing.close();
    await rm(obstacle, { recursive: true });
    const again = await openEmbedded(own);
    expect((await again.executeSql('select x from kept order by x')).rows).toEqual([{ x: 7 }, { x: 8 }]);
    await again.close();
  });

  it('returns bytes by COPY as they were, from parts of any length, with two copies at once and after one that failed', async () => {
    await database.executeSql('drop table if exists copied; create table copied (x integer, body bytea not null)');
    const copy = database.copy!;
    const bodies = [0, 1, 70_000, 300_000].map((length) => Buffer.alloc(length, `${length}`));
    const tuples = bodies.map((body, at) => toCopyTuple([at, body]));
    const everyByte = (parts: readonly Uint8Array[]): Uint8Array[] =>
      [...Buffer.concat(parts).subarray(0, 200)].map((byte) => Uint8Array.of(byte));
    const whole = Buffer.concat(toCopyParts(tuples));
    const inPieces = [...everyByte([whole]), new Uint8Array(0), whole.subarray(200)];
    await expect(copy.in('copied (x, body)', [whole.subarray(0, 1000)])).rejects.toThrow();
    await Promise.all([copy.in('copied (x, body)', inPieces), copy.in('copied (x, body)', toCopyParts(tuples))]);
    const found = readCopy(await copy.out('select x, body from copied order by x'));
    expect(found.map(([x, body]) => [x?.readInt32BE(), body?.length])).toEqual(
      bodies.flatMap(({ length }, at) => [
        [at, length],
        [at, length],
      ]),
    );
    expect(found.every(([, body], at) => body?.equals(bodies[at >> 1] ?? Buffer.alloc(1)))).toBe(true);
  });

  it('lets everything else have its turn while queries of many follow each other', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const readPages = async (): Promise<void> => {
      for (let page = 0; page < 20; page += 1)
        await database.executeSql('select sum(x) from generate_series(1, 30000) as x where x > $1', [page]);
    };
    await Promise.all([readPages(), readPages(), readPages()]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});
