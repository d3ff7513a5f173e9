import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFolder } from '#service/database/folderLock.ts';
import { checkDatabase, checkDataFolder, describeTables } from './dataChecks.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();

const check = (dataDir: string, databaseUrl: string | null = null) =>
  checkDatabase({ dataDir, databaseUrl }, () => undefined);

describe('the data folder', () => {
  it('is there, or will be made', async () => {
    const folder = await folders.empty();
    expect(await checkDataFolder(folder)).toMatchObject({ state: 'ok', text: `${folder} can be read and written.` });
    expect(await checkDataFolder(join(folder, 'a', 'b'))).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('will be made'),
    });
  });

  it('is a file, or below one', async () => {
    const file = join(await folders.empty(), 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'data')])
      expect(await checkDataFolder(path)).toMatchObject({
        state: 'problem',
        text: expect.stringContaining(`${file} is a file`),
      });
  });

  it('and its database are in use by a studio', async () => {
    const folder = await folders.withDatabase();
    const unlock = await lockFolder(folder);
    const inUse = { state: 'note', text: expect.stringContaining(`process ${process.pid}`) };
    expect(await checkDataFolder(folder)).toMatchObject(inUse);
    expect(await check(folder)).toMatchObject(inUse);
    await unlock();
    expect(await checkDataFolder(folder)).toMatchObject({ state: 'ok' });
  });
});

describe('the embedded database', () => {
  it('is not there yet, or not finished', async () => {
    const folder = await folders.empty();
    expect(await check(folder)).toMatchObject({ state: 'ok', text: expect.stringContaining('none yet') });
    mkdirSync(join(folder, 'database'));
    expect(await check(folder)).toMatchObject({ state: 'problem', text: expect.stringContaining('PG_VERSION') });
    writeFileSync(join(folder, 'database.incomplete'), '');
    expect(await check(folder)).toMatchObject({ state: 'note', text: expect.stringContaining('makes it anew') });
  });

  it('answers, and its folder is free afterwards', async () => {
    const folder = await folders.withDatabase();
    expect(await check(folder)).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(
        /answers \(PostgreSQL 1\d\); the first start makes its tables\. It takes \d+ MiB and its log \d+ MiB/,
      ),
    });
    await (
      await lockFolder(folder)
    )();
  });
});

describe('the tables', () => {
  const tables = (newest: number | null) =>
    describeTables({
      executeSql: async (text) => ({
        rows: [text.includes('server_version') ? { version: 150_004, is_there: newest !== null } : { newest }],
      }),
    });

  it.each([
    [null, 'answers (PostgreSQL 15); the first start makes its tables.'],
    [1, expect.stringMatching(/the next start brings its tables from version 1 to \d+/)],
  ])('at version %j', async (newest, text) => expect(await tables(newest)).toEqual(text));

  it('of a newer version are refused', () =>
    expect(tables(9999)).rejects.toThrow(/newer Model Studio .* version 9999/));
});

it('a PostgreSQL that is not there, without its password', async () => {
  const found = await check(await folders.empty(), 'postgres://ada:secret@127.0.0.1:9/studio');
  expect(found).toMatchObject({
    state: 'problem',
    text: expect.stringMatching(/127\.0\.0\.1:9\/studio.*DATABASE_URL/),
  });
  expect(found.text).not.toContain('secret');
});
