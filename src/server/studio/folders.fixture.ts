// For tests: data folders that already hold an empty database, since making one takes seconds.
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbedded } from './openEmbedded.ts';

const MODULES = new URL('../../../node_modules/', import.meta.url);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A folder with an empty database, kept between test runs for as long as PGlite stays the same. */
async function findTemplate(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8')) as {
    version: string;
  };
  const cache = fileURLToPath(new URL('.cache/model-studio/', MODULES));
  const template = join(cache, `empty-database-${version}`);
  if (await exists(template)) return template;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, 'draft-'));
  await (await openEmbedded(draft)).close();
  try {
    await rename(draft, template);
  } catch {
    // Another test file was quicker.
    await rm(draft, { recursive: true, force: true });
  }
  return template;
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
  const copyOf = async (source: string) => {
    const folder = await empty();
    // A thousand small files: at once they cost a third of the time that a promise for each takes.
    cpSync(source, folder, { recursive: true });
    return folder;
  };
  return {
    empty,
    copyOf,
    withDatabase: async () => copyOf(await findTemplate()),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
