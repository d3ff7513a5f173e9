// A database for queries: a small one as a copy in memory, a large one page by page.
import type { DatabaseView } from '#features/runs/server/reader.ts';
import { readDatabase } from './databaseImage.ts';
import { Changed, hasPagesAtOnce, withPages } from './databasePages.ts';
import { withDatabase } from './databaseView.ts';
import { toAbsolute, type SafeRoot } from './safeFile.ts';

/** The largest database that is copied as a whole: a copy needs no second look at the file. */
const MAX_COPIED_BYTES = 16 * 2 ** 20;
/** How often a database is read again at once that is written to under the reading. */
const ATTEMPTS = 4;

/** Gives `use` the database, maybe several times: a query throws where the database is written to. Throws Gone and Unreadable. */
export async function openDatabase<Value>(
  root: SafeRoot,
  file: { readonly path: string; readonly bytes: number },
  use: (view: DatabaseView) => Value,
  maximum = MAX_COPIED_BYTES,
): Promise<Value> {
  const { path, bytes } = file;
  if (bytes <= maximum || !hasPagesAtOnce(root, toAbsolute(root, path)))
    return withDatabase(await readDatabase(root, path), path, use);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withPages(root, path, (pages) => withDatabase(pages, path, use));
    } catch (error) {
      if (!(error instanceof Changed) || attempt === ATTEMPTS) throw error;
    }
  }
}
