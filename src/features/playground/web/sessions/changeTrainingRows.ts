// Adds and removes training examples. Apart from the list, whose length the first view shows.
import type { LibraryItem } from '#features/playground/shared/library.ts';
import { findPane } from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { deleteItem, toReason } from '#features/playground/web/library/library.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import { isMissing } from '#ui/client/failure.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { writeRecords } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { toTrainingLine } from './trainingLine.ts';
import {
  byAge,
  changeRows,
  isOwn,
  loadTrainingRows,
  syncRows,
  toStored,
  unstored,
  useTrainingRows,
  type TrainingRow,
} from './trainingRows.ts';

const NOT_REMOVED =
  'The training examples could not be removed from the browser’s storage. They are in the list again.';
const NOT_STORED = 'The training example could not be stored: it is lost when the page is reloaded. Download the list.';

/** Adds examples. False: they are in the list but not stored, and a toast says so. */
async function put(added: readonly TrainingRow[]): Promise<boolean> {
  changeRows((rows) => byAge([...rows, ...added]));
  let isStored = true;
  try {
    const storage = session.findPlace();
    if (!storage) throw new Error('There is no storage.');
    await writeRecords(
      storage.database,
      added.map((row) => toStored(row.id, row)),
    );
    for (const { id } of added) unstored.delete(id);
  } catch {
    for (const row of added) unstored.set(row.id, row);
    isStored = false;
  }
  await syncRows();
  const isKept = isStored || added.every(({ id }) => !unstored.has(id));
  if (!isKept) showToast(NOT_STORED, { tone: 'error' });
  return isKept;
}

/** Removes examples from this browser; if storing that fails, they return and a toast says so. */
async function removeOwn(removed: readonly TrainingRow[]): Promise<boolean> {
  const storage = session.findPlace();
  try {
    if (storage && removed.length > 0)
      await writeRecords(
        storage.database,
        removed.map(({ id }) => toStored(id)),
      );
  } catch {
    changeRows((rows) => byAge([...rows, ...removed]));
    showToast(NOT_REMOVED, { tone: 'error' });
    return false;
  }
  for (const { id } of removed) unstored.delete(id);
  return true;
}

/** Removes examples from the library; where that fails, those that are left return and a toast says why. */
async function removeShared(removed: readonly LibraryItem[]): Promise<boolean> {
  try {
    for (const item of removed)
      await deleteItem('example', item).catch((error: unknown) => {
        // Somebody else removed it.
        if (!isMissing(error)) throw error;
      });
    return true;
  } catch (error) {
    await syncRows();
    showToast(`The training examples were not removed. ${toReason(error)}`, { tone: 'error' });
    return false;
  }
}

/** Removes examples. Without a text it offers no Undo. */
export async function removeTrainingRows(removed: readonly TrainingRow[], text: string | null): Promise<void> {
  const ids: ReadonlySet<string> = new Set(removed.map(({ id }) => id));
  changeRows((rows) => rows.filter(({ id }) => !ids.has(id)));
  const isDone = [
    await removeOwn(removed.filter(isOwn)),
    await removeShared(removed.flatMap(({ item }) => item ?? [])),
  ].every(Boolean);
  const again = removed.map(({ id, addedAt, line }) => ({ id, addedAt, line }));
  if (isDone && text !== null) showToast(text, { action: { label: 'Undo', onSelect: () => void put(again) } });
}

/** Adds the conversation up to an answer, unless the list has it already. */
export async function addTrainingRow(paneId: string, turnId: string): Promise<void> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return;
  const line = toTrainingLine(desk, pane, turnId);
  if (!line.ok) return showToast(`This can’t be a training example. ${line.reason}`, { tone: 'error' });
  // If the stored examples can't be read, the new one is still added.
  await loadTrainingRows().catch(() => undefined);
  if (useTrainingRows.getState().rows?.some((row) => row.line === line.value) === true)
    return showToast('This example is in the list already.');
  const row: TrainingRow = { id: makeId(), addedAt: Date.now(), line: line.value };
  if (!(await put([row]))) return undefined;
  const { rows } = useTrainingRows.getState();
  return showToast(`Expected answer added: ${formatCounted(rows?.length ?? 0, 'training example')} to download.`, {
    opener: { label: 'Open list', onSelect: () => openDialog({ kind: 'examples' }) },
    action: { label: 'Undo', onSelect: () => void removeTrainingRows([toKnown(row)], null) },
    kind: 'training-row',
  });
}

/** The example as it is in the list now. */
const toKnown = (row: TrainingRow): TrainingRow =>
  useTrainingRows.getState().rows?.find(({ id }) => id === row.id) ?? row;
