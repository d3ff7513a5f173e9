// The training examples that a person collects: kept in this browser beside the sessions, the same in all of its tabs.
// It must not know components, nor how an example is made.
import { create } from 'zustand';
import { makeId } from '../session/makeId';
import { showToast } from '../ui/toast';
import { EXAMPLES, readKind, writeRecords, type RecordKey } from './deskDatabase';
import { findStorage } from './deskSaver';
import { findPane } from './desk';
import { readDesk } from './deskStore';
import { parseTrainingRow, toTrainingLine, type TrainingRow } from './trainingRow';

interface RowsState {
  /** The oldest first; null while they are not read. */
  readonly rows: readonly TrainingRow[] | null;
}

export const useTrainingRows = create<RowsState>(() => ({ rows: null }));

const toKey = (id: string): RecordKey => [EXAMPLES, 'example', id];
const NOT_KEPT = 'The training example could not be stored: it is lost when the page is reloaded. Download the list.';

/** Reads what all tabs have stored. */
export async function loadTrainingRows(): Promise<void> {
  const storage = findStorage();
  if (!storage) return useTrainingRows.setState(({ rows }) => ({ rows: rows ?? [] }));
  const stored = (await readKind(storage.database, EXAMPLES, 'example')).map(parseTrainingRow).filter((row) => row !== null);
  useTrainingRows.setState({ rows: stored.toSorted((a, b) => a.addedAt - b.addedAt) });
}

const change = (step: (rows: readonly TrainingRow[]) => readonly TrainingRow[]): void => useTrainingRows.setState(({ rows }) => ({ rows: step(rows ?? []) }));

async function put(added: readonly TrainingRow[]): Promise<void> {
  change((rows) => [...rows, ...added].toSorted((a, b) => a.addedAt - b.addedAt));
  try {
    const storage = findStorage();
    if (!storage) throw new Error('There is no storage.');
    await writeRecords(storage.database, { puts: added.map((row) => [toKey(row.id), row] as const), deletes: [] });
  } catch {
    showToast(NOT_KEPT, { tone: 'bad' });
  }
}

/** Adds the conversation up to an answer, unless the list has it already. */
export async function addTrainingRow(paneId: string, turnId: string): Promise<void> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return;
  const line = toTrainingLine(desk, pane, turnId);
  if (!line.ok) return showToast(`This is no training example. ${line.reason}`, { tone: 'bad' });
  await loadTrainingRows();
  if (useTrainingRows.getState().rows?.some((row) => row.line === line.value) === true) return showToast('This example is in the list already.');
  const row: TrainingRow = { id: makeId(), addedAt: Date.now(), line: line.value };
  await put([row]);
  showToast('Added as training example.', { action: { label: 'Undo', onSelect: () => void removeTrainingRows([row], null) } });
}

/** Takes examples off the list. Without a text no way back is offered. */
export async function removeTrainingRows(removed: readonly TrainingRow[], text: string | null): Promise<void> {
  const ids: ReadonlySet<string> = new Set(removed.map(({ id }) => id));
  change((rows) => rows.filter(({ id }) => !ids.has(id)));
  const storage = findStorage();
  if (storage) await writeRecords(storage.database, { puts: [], deletes: [...ids].map(toKey) });
  if (text !== null) showToast(text, { action: { label: 'Undo', onSelect: () => void put(removed) } });
}
