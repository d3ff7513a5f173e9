// The training examples that people collect: those of the studio's library, and those that only this browser has, stored
// beside the sessions for all tabs.
import { create } from 'zustand';
import type { LibraryItem } from '#features/playground/shared/library.ts';
import { syncLibrary, toQueue, toReason, type OwnItem } from '#features/playground/web/library/library.ts';
import { writeRecords, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { EXAMPLES, readKind, toRecord } from '#features/playground/web/storage/deskDatabase.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import { isObject } from '#core/contract/readJson.ts';

export interface TrainingRow {
  readonly id: string;
  /** Unix milliseconds. */
  readonly addedAt: number;
  /** The line of the file. */
  readonly line: string;
  /** In the library; missing: only this browser has it. */
  readonly item?: LibraryItem;
}

/** Parses a stored example; null if it is damaged. */
export function parseTrainingRow(value: unknown): TrainingRow | null {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['line'] !== 'string') return null;
  return { id: value['id'], addedAt: typeof value['addedAt'] === 'number' ? value['addedAt'] : 0, line: value['line'] };
}

interface RowsState {
  /** The oldest first; null until they are loaded. */
  readonly rows: readonly TrainingRow[] | null;
  /** null: not known yet. */
  readonly hasLibrary: boolean | null;
  /** Why some are only in this browser, or why the library can't be read. */
  readonly problem: string | null;
}

export const useTrainingRows = create<RowsState>(() => ({ rows: null, hasLibrary: null, problem: null }));

/** Examples that could not be stored. They stay in the list until the page closes. */
export const unstored = new Map<string, TrainingRow>();

export const toStored = (id: string, row?: TrainingRow): StoredRecord => toRecord([EXAMPLES, 'example', id], row);
export const byAge = (rows: readonly TrainingRow[]): readonly TrainingRow[] =>
  rows.toSorted((a, b) => a.addedAt - b.addedAt);

/** Counts changes of the list. */
let changes = 0;

export const isOwn = ({ item }: TrainingRow): boolean => item === undefined;

/** Puts these in the place of the own examples, or of those of the library. An own one that the library has is one. */
function show(isShown: (row: TrainingRow) => boolean, rows: readonly TrainingRow[]): void {
  useTrainingRows.setState((state) => {
    const all = [...(state.rows ?? []).filter((row) => !isShown(row)), ...rows];
    const shared = new Set(all.filter((row) => !isOwn(row)).map(({ id }) => id));
    return { rows: byAge(all.filter((row) => !isOwn(row) || !shared.has(row.id))) };
  });
}

/** Loads the examples that the tabs of this browser have. Rejects if the storage can't be read. */
async function loadOwn(): Promise<void> {
  const storage = session.findPlace();
  if (!storage) return show(() => false, []);
  const before = changes;
  const stored = (await readKind(storage.database, EXAMPLES, 'example'))
    .map(parseTrainingRow)
    .filter((row) => row !== null);
  // What was read is from before a change: it would bring back what was removed.
  if (changes !== before) return loadOwn();
  const known: ReadonlySet<string> = new Set(stored.map(({ id }) => id));
  return show(isOwn, [...stored, ...[...unstored.values()].filter(({ id }) => !known.has(id))]);
}

const toShared = (item: LibraryItem): TrainingRow => ({
  id: item.id,
  addedAt: Date.parse(item.created_at),
  line: item.content,
  item,
});

async function sync(): Promise<void> {
  // A service without a library gets none while the page is open.
  if (useTrainingRows.getState().hasLibrary === false) return;
  const before = changes;
  const readOwn = () => (useTrainingRows.getState().rows ?? []).filter(isOwn);
  const findOwn = (id: string): OwnItem | undefined => {
    const row = readOwn().find((each) => each.id === id);
    return row && { id, name: null, content: row.line };
  };
  try {
    const { items, sent, reason } = await syncLibrary(
      'example',
      readOwn().map(({ id }) => id),
      findOwn,
    );
    useTrainingRows.setState({ hasLibrary: items !== null, problem: reason });
    await forgetOwn(sent);
    // What was removed meanwhile would come back.
    if (changes !== before) return await sync();
    show((row) => !isOwn(row) || sent.has(row.id), (items ?? []).map(toShared));
  } catch (error) {
    useTrainingRows.setState({ problem: toReason(error) });
  }
}

/** Reads the studio's examples, and sends those that only this browser has. */
export const syncRows = toQueue(sync);

/** Of examples that the library has: another time they are sent again, which makes no second ones. */
async function forgetOwn(sent: ReadonlyMap<string, OwnItem>): Promise<void> {
  const records = [...sent.keys()].map((id) => toStored(id));
  for (const id of sent.keys()) unstored.delete(id);
  const storage = session.findPlace();
  if (storage && records.length > 0) await writeRecords(storage.database, records).catch(() => undefined);
}

/** Loads the examples of this browser and those of the studio. Rejects if the storage can't be read. */
export async function loadTrainingRows(): Promise<void> {
  const [own] = await Promise.allSettled([loadOwn()]);
  await syncRows();
  if (own.status === 'rejected') throw own.reason;
}

/** Changes the list at once; what is being read has no say any more. */
export function changeRows(step: (rows: readonly TrainingRow[]) => readonly TrainingRow[]): void {
  changes += 1;
  useTrainingRows.setState(({ rows }) => ({ rows: step(rows ?? []) }));
}
