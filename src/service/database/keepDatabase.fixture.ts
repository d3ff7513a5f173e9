// For tests: one database with empty tables for all tests of a file.
import { afterAll, beforeAll } from 'vitest';
import type { Database } from './database.ts';
import { openTestFolders, type TestFolders } from './folders.fixture.ts';
import { openTestDatabase } from './testDatabase.fixture.ts';

/** Opens it before the tests, and closes and removes it after them. */
export function keepDatabase(onOpen: (database: Database) => void): void {
  let folders: TestFolders;
  let database: Database;
  beforeAll(async () => {
    folders = await openTestFolders();
    database = await openTestDatabase(await folders.withDatabase('tables'));
    onOpen(database);
  });
  afterAll(async () => {
    await database.close();
    await folders.remove();
  });
}
