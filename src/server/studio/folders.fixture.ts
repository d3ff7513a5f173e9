// For tests: data folders that already hold a database, since making one takes seconds.
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rename, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/model-studio/', import.meta.url));

/** Nothing, the tables of this version, or the sample project in them. */
export type Contents = 'nothing' | 'tables' | 'sample';

/** When the sample project of a template came in. */
export const SAMPLE_DATE = new Date('2026-03-04T05:06:07.000Z');

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The code that a template comes from, with the versions of the packages. */
const SOURCES = ['../../../package-lock.json', '.', '../../shared'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const IS_SOURCE = /\.(ts|sql|jsonl?)$/;
const IS_TEST = /\.test\.ts$/;

let code: string | undefined;

/** Changes when a template would: a digest of the files that make one. */
function toCodeDigest(): string {
  const hash = createHash('sha256');
  const add = (path: string): void => void hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  for (const source of SOURCES) {
    if (IS_SOURCE.test(source)) add(source);
    else {
      for (const entry of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted())
        if (IS_SOURCE.test(entry) && !IS_TEST.test(entry)) add(join(source, entry));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Templates of other code, which no run needs any more. */
function removeOld(kept: string): void {
  for (const name of readdirSync(CACHE))
    if (!name.startsWith(kept)) rmSync(join(CACHE, name), { recursive: true, force: true });
}

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
  const { openStudio } = await import('./openStudio.ts');
  const studio = await openStudio({ dataDir: folder, sample: contents === 'sample', now: () => SAMPLE_DATE });
  await studio.close();
}

/** A folder with a database, kept between test runs for as long as the code stays the same. Nobody writes to it. */
async function findTemplate(contents: Contents): Promise<string> {
  const kept = `database-${(code ??= toCodeDigest())}`;
  const template = join(CACHE, `${kept}-${contents}`);
  if (await exists(template)) return template;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, `${kept}-draft-`));
  await makeTemplate(contents, draft);
  try {
    await rename(draft, template);
    removeOld(kept);
  } catch {
    // Another test file was quicker.
    rmSync(draft, { recursive: true, force: true });
  }
  return template;
}

/** Fills a data folder with a database. Hundreds of small files: a promise for each would take thrice the time. */
export async function fillWithDatabase(folder: string, contents: Contents = 'nothing'): Promise<void> {
  cpSync(await findTemplate(contents), folder, { recursive: true });
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
      await fillWithDatabase(folder, contents);
      return folder;
    },
    async remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
