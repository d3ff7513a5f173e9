// For tests: data folders that already hold an empty database, since making one takes seconds.
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = new URL('../../../node_modules/', import.meta.url);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A folder with an empty database, kept between test runs for as long as PGlite stays the same. Nobody writes to it. */
async function findTemplate(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8')) as {
    version: string;
  };
  const cache = fileURLToPath(new URL('.cache/model-studio/', MODULES));
  const template = join(cache, `empty-database-${version}`);
  if (await exists(template)) return template;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  // Loaded where it is needed: most test runs find the folder.
  const { openEmbedded } = await import('./openEmbedded.ts');
  await (await openEmbedded(draft)).close();
  try {
    await rename(draft, template);
  } catch {
    // Another test file was quicker.
    await rm(draft, { recursive: true, force: true });
  }
  return template;
}

/** Fills a data folder with an empty database. A thousand small files: a promise for each would take thrice the time. */
export async function fillWithDatabase(folder: string): Promise<void> {
  cpSync(await findTemplate(), folder, { recursive: true });
}

export interface TestFolders {
  /** A data folder with an empty database. */
  withDatabase(): Promise<string>;
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
    async withDatabase() {
      const folder = await empty();
      await fillWithDatabase(folder);
      return folder;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
