// Which of the grids in this browser a tab goes on with, and what becomes of others: one that can't be opened is put
// aside, old ones that hold nothing are removed.
import type { Database } from '#web/session/browserDatabase.ts';
import { makeId } from '#web/session/makeId.ts';
import { TabClaims } from '#web/session/tabClaims.ts';
import { deleteGrid, readEntries, readGrid, writeEntries, writeGrid, type StoredGridData } from './gridDatabase.ts';
import { ASIDE, parseEntry, toCandidates, toEntry, type GridEntry } from './gridEntry.ts';

/** Empty grids are kept as long as there are no more than these. */
const MAX_EMPTY = 12;

/** The grids that this tab has open. */
export const claims = new TabClaims('studio.grid');

export interface FoundGrid extends StoredGridData {
  readonly database: Database;
  /** What this tab writes to. */
  readonly id: string;
  /** What it starts from. */
  readonly from: string;
}

/** The list of all grids. Those that have no entry, of before there were any, get theirs. */
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
  // What can't be stored now is read again the next time.
  if (added.size > 0) await writeEntries(database, added).catch(() => undefined);
  return list;
}

/**
 * The grid that this tab goes on with, and the older of too many empty ones. Rejects where something that is stored
 * can't be read.
 */
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

/** What can't be opened is kept under a key that no tab takes; another tab's stays where it is. */
export async function setAside({ database, id, from, setup, cells, entry }: FoundGrid): Promise<void> {
  if (from !== id) return;
  const key = `${from}${ASIDE}${Date.now()}`;
  const known = parseEntry(entry) ?? toEntry(key, setup, cells.length);
  await writeGrid(database, key, { setup, cells: new Map(cells), entry: { ...known, isReadable: false } });
  await deleteGrid(database, from);
}

/** Removes grids that hold nothing and that no tab has open; whatever has rows or answers stays. */
export async function removeEmpty(database: Database, keys: readonly string[]): Promise<void> {
  const remove = async (key: string): Promise<void> => {
    const { setup, cells } = await readGrid(database, key);
    const { rows, isReadable } = toEntry(key, setup, cells.length);
    if (cells.length === 0 && isReadable && rows === 0) await deleteGrid(database, key);
  };
  try {
    for (const key of keys) await claims.ifUnclaimed(key, () => remove(key));
  } catch {
    // Nothing is lost: the next start tries again.
  }
}
