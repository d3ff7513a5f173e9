import { expect, it } from 'vitest';
import { readDatabaseSizes } from './databaseSizes.ts';
import { MIB } from './freeDisk.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';

const database = await keepDatabase();

it('tells what the database takes, and what of it removed rows have left', async () => {
  const before = await readDatabaseSizes(database);
  expect(before.bytes).toBeGreaterThan(4 * MIB);
  if (database.isShared) expect(before.logBytes).toBeNull();
  else expect(before.logBytes).toBeGreaterThanOrEqual(MIB);
  const insert = (count: number): string =>
    `insert into studio.row_blocks select gen_random_uuid(), 0, ${count},
      decode(repeat(md5('x'), 65536), 'hex'), '\\x' from generate_series(1, ${count})`;
  await database.executeSql(insert(1));
  await database.executeSql(insert(12));
  await database.executeSql(insert(2));
  await database.executeSql('vacuum studio.row_blocks');
  const full = await readDatabaseSizes(database);
  expect(full.bytes - before.bytes).toBeGreaterThan(14 * MIB);
  expect(full.unusedBytes - before.unusedBytes).toBeLessThan(MIB);
  // Before the last rows: the file can't be cut.
  await database.executeSql('delete from studio.row_blocks where row_count = 12');
  await database.executeSql('vacuum studio.row_blocks');
  const left = await readDatabaseSizes(database);
  expect(left.unusedBytes - before.unusedBytes).toBeGreaterThan(11 * MIB);
  expect(left.unusedBytes - before.unusedBytes).toBeLessThan(14 * MIB);
});
