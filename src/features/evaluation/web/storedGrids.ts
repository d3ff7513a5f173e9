// Chooses which stored grid a tab opens. Sets grids aside that can't be opened, and finds blank ones.
import { writeRecords, type Database } from '#ui/storage/browserDatabase.ts';
import { readEntries, readGrid, toGridRecords, toWholeGrid, type StoredGridData } from './gridDatabase.ts';
import { ASIDE, parseEntry, toEntry, type GridEntry } from './gridEntry.ts';

/** The entries of all grids. Older grids without an entry get one. */
export async function readList(database: Database): Promise<Map<string, GridEntry>> {
  const stored = await readEntries(database);
  const list = new Map<string, GridEntry>();
  const added: string[] = [];
  for (const [key, value] of stored) {
    const known = parseEntry(value);
    if (known === null) added.push(key);
    const { setup, cells } = known ? { cells: [] } : await readGrid(database, key);
    list.set(key, known ?? toEntry(key, setup, cells.length));
  }
  // If the write fails, the next start reads these grids again.
  const records = added.flatMap((key) => toGridRecords(key, { entry: list.get(key) }));
  await writeRecords(database, records).catch(() => undefined);
  return list;
}

/** The stored grids without rows, answers or a name, the newest first. */
export const toBlank = (list: ReadonlyMap<string, GridEntry>): readonly string[] =>
  [...list]
    .filter(([, { isReadable, rows, answers, name }]) => isReadable && rows === 0 && answers === 0 && name === '')
    .toSorted(([, a], [, b]) => b.savedAt - a.savedAt)
    .map(([id]) => id);

export function isBlank({ setup, cells }: Required<StoredGridData>): boolean {
  const { rows, isReadable } = toEntry('', setup, cells.length);
  return cells.length === 0 && isReadable && rows === 0;
}

/** Moves a grid that can't be opened to a key that no tab opens. */
export async function setAside(
  database: Database,
  id: string,
  { setup, cells = [], entry }: StoredGridData,
): Promise<void> {
  const key = `${id}${ASIDE}${Date.now()}`;
  const known = parseEntry(entry) ?? toEntry(key, setup, cells.length);
  const records = toGridRecords(key, { setup, cells, entry: { ...known, isReadable: false } });
  await writeRecords(database, records, toWholeGrid(id));
}
