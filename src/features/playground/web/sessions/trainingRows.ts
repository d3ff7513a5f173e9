// The training examples that a person collects. They are stored in this browser beside the sessions, for all tabs.
import { create } from 'zustand';
import { makeId } from '#ui/storage/makeId.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { writeRecords, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { EXAMPLES, readKind, toRecord } from '#features/playground/web/storage/deskDatabase.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import { findPane } from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { parseTrainingRow, toTrainingLine, type TrainingRow } from './trainingRow.ts';

interface RowsState {
  /** The oldest first; null until they are loaded. */
  readonly rows: readonly TrainingRow[] | null;
}

export const useTrainingRows = create<RowsState>(() => ({ rows: null }));

/** Examples that could not be stored. They stay in the list until the page closes. */
const unstored = new Map<string, TrainingRow>();

const toStored = (id: string, row?: TrainingRow): StoredRecord => toRecord([EXAMPLES, 'example', id], row);
const byAge = (rows: readonly TrainingRow[]): readonly TrainingRow[] => rows.toSorted((a, b) => a.addedAt - b.addedAt);
const NOT_REMOVED =
  'The training examples could not be removed from the browser’s storage. They are in the list again.';
const NOT_STORED = 'The training example could not be stored: it is lost when the page is reloaded. Download the list.';

/** Counts changes of the list. */
let changes = 0;

/** Loads the examples of all tabs. Rejects if the storage can't be read. */
export async function loadTrainingRows(): Promise<void> {
  const storage = session.findPlace();
  if (!storage) return useTrainingRows.setState(({ rows }) => ({ rows: rows ?? [] }));
  const before = changes;
  const stored = (await readKind(storage.database, EXAMPLES, 'example'))
    .map(parseTrainingRow)
    .filter((row) => row !== null);
  // What was read is from before a change: it would bring back what was removed.
  if (changes !== before) return loadTrainingRows();
  const known: ReadonlySet<string> = new Set(stored.map(({ id }) => id));
  return useTrainingRows.setState({
    rows: byAge([...stored, ...[...unstored.values()].filter(({ id }) => !known.has(id))]),
  });
}

function change(step: (rows: readonly TrainingRow[]) => readonly TrainingRow[]): void {
  changes += 1;
  useTrainingRows.setState(({ rows }) => ({ rows: step(rows ?? []) }));
}

/** Adds examples. False: they are in the list but not stored, and a toast says so. */
async function put(added: readonly TrainingRow[]): Promise<boolean> {
  change((rows) => byAge([...rows, ...added]));
  try {
    const storage = session.findPlace();
    if (!storage) throw new Error('There is no storage.');
    await writeRecords(
      storage.database,
      added.map((row) => toStored(row.id, row)),
    );
    for (const { id } of added) unstored.delete(id);
    return true;
  } catch {
    for (const row of added) unstored.set(row.id, row);
    showToast(NOT_STORED, { tone: 'bad' });
    return false;
  }
}

/** Adds the conversation up to an answer, unless the list has it already. */
export async function addTrainingRow(paneId: string, turnId: string): Promise<void> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return;
  const line = toTrainingLine(desk, pane, turnId);
  if (!line.ok) return showToast(`This can’t be a training example. ${line.reason}`, { tone: 'bad' });
  // If the stored examples can't be read, the new one is still added.
  await loadTrainingRows().catch(() => undefined);
  if (useTrainingRows.getState().rows?.some((row) => row.line === line.value) === true)
    return showToast('This example is in the list already.');
  const row: TrainingRow = { id: makeId(), addedAt: Date.now(), line: line.value };
  if (!(await put([row]))) return undefined;
  const count = useTrainingRows.getState().rows?.length ?? 0;
  return showToast(`Expected answer added: ${formatCounted(count, 'training example')} to download.`, {
    opener: { label: 'Open list', onSelect: () => openDialog({ kind: 'examples' }) },
    action: { label: 'Undo', onSelect: () => void removeTrainingRows([row], null) },
    kind: 'training-row',
  });
}

/** Removes examples; if storing that fails, they return and a toast says so. Without a text it offers no Undo. */
export async function removeTrainingRows(removed: readonly TrainingRow[], text: string | null): Promise<void> {
  const ids: ReadonlySet<string> = new Set(removed.map(({ id }) => id));
  change((rows) => rows.filter(({ id }) => !ids.has(id)));
  const storage = session.findPlace();
  try {
    if (storage)
      await writeRecords(
        storage.database,
        [...ids].map((id) => toStored(id)),
      );
  } catch {
    change((rows) => byAge([...rows, ...removed]));
    return showToast(NOT_REMOVED, { tone: 'bad' });
  }
  for (const id of ids) unstored.delete(id);
  if (text !== null) showToast(text, { action: { label: 'Undo', onSelect: () => void put(removed) } });
}
