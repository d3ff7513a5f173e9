// For tests: data folders and databases for all tests of a file.
import { afterAll } from 'vitest';
import { keep } from '#service/files/keep.fixture.ts';
import type { Database } from './database.ts';
import { openTestFolders, type Contents, type TestFolders } from './folders.fixture.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { openTestDatabase, openTestStudio } from './testDatabase.fixture.ts';

export async function keepFolders(): Promise<TestFolders> {
  const folders = await openTestFolders();
  afterAll(() => folders.remove());
  return folders;
}

/** A database of its own. */
export async function keepDatabase(contents: Contents = 'tables'): Promise<Database> {
  const folders = await keepFolders();
  return keep(openTestDatabase(await folders.withDatabase(contents)));
}

export interface SampleStudio {
  readonly folders: TestFolders;
  readonly dataDir: string;
  readonly studio: OpenedStudio;
}

/** A studio with the sample project. */
export async function keepSample(): Promise<SampleStudio> {
  const folders = await keepFolders();
  const dataDir = await folders.withDatabase('sample');
  return { folders, dataDir, studio: await keep(openTestStudio({ dataDir, sample: true })) };
}
