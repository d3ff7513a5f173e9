// For tests: opens what `openTestFolders` made, an embedded database or one of the real PostgreSQL of a test run.
import type { Database } from './database.ts';
import { toTestUrl } from './folders.fixture.ts';
import { openEmbedded } from './openEmbedded.ts';
import { openPostgres } from './openPostgres.ts';
import { openStudio, type OpenedStudio, type StudioOptions } from '#app/server/openStudio.ts';

export async function openTestDatabase(dataDir: string): Promise<Database> {
  const url = toTestUrl(dataDir);
  return url === null ? openEmbedded(dataDir) : openPostgres(url, () => undefined);
}

export const openTestStudio = (options: Omit<StudioOptions, 'databaseUrl'>): Promise<OpenedStudio> =>
  openStudio({ ...options, databaseUrl: toTestUrl(options.dataDir) });
