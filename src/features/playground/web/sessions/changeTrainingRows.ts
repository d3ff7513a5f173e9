// Adds and removes training examples. Apart from the list, whose length the first view shows.
import { findPane } from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { deleteItem, removedHere, toReason } from '#features/playground/web/library/library.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import { isMissing } from '#ui/client/failure.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
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

const NOT_REMOVED = 'Those of this browser could not be removed from its storage. They are in the list again.';
const NOT_STORED = 'The training example could not be stored: it is lost when the page is reloaded. Download the list.';

/** Adds examples. False: they are in the list but not stored, and a toast says so. */
async function put(added: readonly TrainingRow[]): Promise<boolean> {
  for (const { id } of added) removedHere.delete(id);
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

interface Removal {
  readonly gone: readonly TrainingRow[];
  /** Why the others are still there; null: there are none. */
  readonly reason: string | null;
}

/** Removes examples from this browser; if storing that fails, they return to the list. */
async function removeOwn(removed: readonly TrainingRow[]): Promise<Removal> {
  const storage = session.findPlace();
  try {
    if (storage && removed.length > 0)
      await writeRecords(
        storage.database,
        removed.map(({ id }) => toStored(id)),
      );
  } catch {
    for (const { id } of removed) removedHere.delete(id);
    changeRows((rows) => byAge([...rows, ...removed]));
    return { gone: [], reason: NOT_REMOVED };
  }
  for (const { id } of removed) unstored.delete(id);
  return { gone: removed, reason: null };
}

/** Removes examples from the library; where that fails, those that are left return to the list. */
async function removeShared(removed: readonly TrainingRow[]): Promise<Removal> {
  const gone: TrainingRow[] = [];
  try {
    for (const row of removed) {
      if (row.item)
        await deleteItem('example', row.item).catch((error: unknown) => {
          // Somebody else removed it.
          if (!isMissing(error)) throw error;
        });
      gone.push(row);
    }
    return { gone, reason: null };
  } catch (error) {
    await syncRows();
    return { gone, reason: toReason(error) };
  }
}

/** Removes examples, and says it where not all of them went. Without a text it offers no Undo when all went. */
export async function removeTrainingRows(removed: readonly TrainingRow[], text: string | null): Promise<void> {
  const ids: ReadonlySet<string> = new Set(removed.map(({ id }) => id));
  const own = removed.filter(isOwn);
  for (const { id } of own) removedHere.add(id);
  changeRows((rows) => rows.filter(({ id }) => !ids.has(id)));
  const parts = [await removeOwn(own), await removeShared(removed.filter((row) => !isOwn(row)))];
  const again = parts.flatMap(({ gone }) => gone.map(({ id, addedAt, line }) => ({ id, addedAt, line })));
  const reasons = parts.flatMap(({ reason }) => reason ?? []);
  const action = { label: 'Undo', onSelect: () => void put(again) };
  if (reasons.length === 0) return text === null ? undefined : void showToast(text, { action });
  const done =
    again.length === 0
      ? 'The training examples were not removed.'
      : `${formatCount(again.length)} of ${formatCounted(removed.length, 'training example')} were removed.`;
  const words = [done, ...reasons].join(' ');
  return void showToast(words, { tone: 'error', ...(again.length > 0 && { action }) });
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
