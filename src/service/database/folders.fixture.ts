// For tests: data folders that already hold a database, since making one takes seconds. In the test project "postgres" it
// is a database of a real PostgreSQL instead.
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findMade } from './made.fixture.ts';

/** Nothing, the tables of this version, or the sample project in them. */
export type Contents = 'nothing' | 'tables' | 'sample';

/** When the sample project of a template came in. */
export const SAMPLE_DATE = new Date('2026-03-04T05:06:07.000Z');

/**
 * An empty database that is quick to copy and to open: a third of the files (no databases to make others from), short
 * logs, and 4 MB of shared memory instead of 128, which a start fills with zeros.
 */
async function makeEmpty(folder: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  await mkdir(join(folder, 'database'), { mode: 0o700 });
  const client = await PGlite.create({
    dataDir: join(folder, 'database'),
    initDbStartParams: ['--wal-segsize=1'],
    postgresqlconf: ['shared_buffers = 4MB', 'wal_buffers = 64kB', 'max_connections = 4'],
  });
  await client.exec('update pg_database set datistemplate = false');
  await client.exec('drop database template1');
  await client.exec('drop database template0');
  await client.close();
}

async function makeTemplate(contents: Contents, folder: string): Promise<void> {
  if (contents === 'nothing') return makeEmpty(folder);
  await fillWithDatabase(folder, contents === 'sample' ? 'tables' : 'nothing');
  const { openStudio } = await import('#app/server/openStudio.ts');
  const studio = await openStudio({ dataDir: folder, sample: contents === 'sample', now: () => SAMPLE_DATE });
  await studio.close();
}

const findTemplate = (contents: Contents): Promise<string> =>
  findMade(`database-${contents}`, ['src/service/database', 'src/core'], (folder) => makeTemplate(contents, folder));

/** Fills a data folder with a database. Hundreds of small files: a promise for each would take thrice the time. */
export async function fillWithDatabase(folder: string, contents: Contents = 'nothing'): Promise<void> {
  cpSync(await findTemplate(contents), folder, { recursive: true });
}

export const toTemplateName = (contents: Contents): string => `template_${contents}`;

/** Addresses of databases that stand for those in data folders. */
const urls = new Map<string, string>();

/** null: the database is in the folder itself. */
export const toTestUrl = (dataDir: string): string | null => urls.get(dataDir) ?? null;

async function makeDatabase(server: string, contents: Contents): Promise<string> {
  const { Client } = await import('pg');
  const url = new URL(server);
  url.pathname = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${url.pathname.slice(1)} template ${toTemplateName(contents)}`);
  } finally {
    await client.end();
  }
  return url.href;
}

export interface TestFolders {
  /** A data folder with a database. */
  withDatabase(contents?: Contents): Promise<string>;
  /** A copy of a data folder. */
  copyOf(folder: string): Promise<string>;
  empty(): Promise<string>;
  remove(): Promise<void>;
}

/** Folders of one test file, all removed at its end. */
export async function openTestFolders(): Promise<TestFolders> {
  const root = await mkdtemp(join(tmpdir(), 'model-studio-test-'));
  const empty = () => mkdtemp(join(root, 'data-'));
  return {
    empty,
    async copyOf(source) {
      const folder = await empty();
      cpSync(source, folder, { recursive: true });
      return folder;
    },
    async withDatabase(contents) {
      const folder = await empty();
      const server = process.env['TEST_POSTGRES_URL'];
      if (server === undefined) await fillWithDatabase(folder, contents);
      else urls.set(folder, await makeDatabase(server, contents ?? 'nothing'));
      return folder;
    },
    async remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
