// Chooses which stored grid a tab opens. Sets grids aside that can't be opened, and removes surplus empty ones.
import type { Database } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { TabClaims } from '#ui/storage/tabClaims.ts';
import { deleteGrid, readEntries, readGrid, writeEntries, writeGrid, type StoredGridData } from './gridDatabase.ts';
import { ASIDE, parseEntry, toCandidates, toEntry, type GridEntry } from './gridEntry.ts';

/** At most this many empty grids are stored. */
const MAX_EMPTY = 12;

/** The grids that this tab has open. */
export const claims = new TabClaims('studio.grid');

export interface FoundGrid extends StoredGridData {
  readonly database: Database;
  /** The key that this tab writes to. */
  readonly id: string;
  /** The key that this tab reads from. */
  readonly from: string;
}

/** The entries of all grids. Older grids without an entry get one. */
export async function readList(database: Database): Promise<Map<string, GridEntry>> {
  const stored = await readEntries(database);
  const list = new Map<string, GridEntry>();
  const added = new Map<string, GridEntry>();
  for (const [key, value] of stored) {
    const known = parseEntry(value);
    if (known) {
      list.set(key, known);
      continue;
    }
    const { setup, cells } = await readGrid(database, key);
    const entry = toEntry(key, setup, cells.length);
    list.set(key, entry);
    added.set(key, entry);
  }
  // If the write fails, the next start reads these grids again.
  if (added.size > 0) await writeEntries(database, added).catch(() => undefined);
  return list;
}

/** The grid that this tab opens, and the oldest of too many empty ones. Rejects if stored data can't be read. */
export async function findGrid(
  database: Database,
  project: string | null,
): Promise<{ readonly found: FoundGrid; readonly surplus: readonly string[] }> {
  const list = await readList(database);
  const { id, from } = await claims.claim(toCandidates(list, project), makeId);
  const isEmpty = ({ rows, answers, name, isReadable }: GridEntry): boolean =>
    isReadable && rows === 0 && answers === 0 && name === '';
  const empty = [...list]
    .filter(([key, entry]) => isEmpty(entry) && key !== id && key !== from)
    .toSorted(([, a], [, b]) => b.savedAt - a.savedAt);
  return {
    found: { database, id, from, ...(await readGrid(database, from)) },
    surplus: empty.slice(MAX_EMPTY - 1).map(([key]) => key),
  };
}

/** Moves a grid that can't be opened to a key that no tab opens. Another tab's grid stays unchanged. */
export async function setAside({ database, id, from, setup, cells, entry }: FoundGrid): Promise<void> {
  if (from !== id) return;
  const key = `${from}${ASIDE}${Date.now()}`;
  const known = parseEntry(entry) ?? toEntry(key, setup, cells.length);
  await writeGrid(database, key, { setup, cells: new Map(cells), entry: { ...known, isReadable: false } });
  await deleteGrid(database, from);
}

/** Removes empty grids that no tab has open. Grids with rows or answers stay. */
export async function removeEmpty(database: Database, keys: readonly string[]): Promise<void> {
  const remove = async (key: string): Promise<void> => {
    const { setup, cells } = await readGrid(database, key);
    const { rows, isReadable } = toEntry(key, setup, cells.length);
    if (cells.length === 0 && isReadable && rows === 0) await deleteGrid(database, key);
  };
  try {
    for (const key of keys) await claims.ifUnclaimed(key, () => remove(key));
  } catch {
    // The next start tries again.
  }
}
