// The training examples that a person collects. They are stored in this browser beside the sessions, for all tabs.
import { create } from 'zustand';
import { makeId } from '#ui/storage/makeId.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { showToast } from '#ui/kit/toast.ts';
import { writeRecords, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { EXAMPLES, readKind, toRecord } from '#features/playground/web/storage/deskDatabase.ts';
import { session } from '#features/playground/web/storage/deskSaver.ts';
import {
  findPane,
  hasContent,
  isBusy,
  paneSettings,
  shownAnswer,
  type Answer,
  type Desk,
  type Pane,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { readDesk } from '#features/playground/web/desk/deskStore.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import type { ChatMessage, Tool } from '#core/contract/chatMessage.ts';
import { arrayOr, failRead, isObject, textOr, type Read } from '#core/contract/readJson.ts';
import { findTurnProblem, hasDoubled, toMessages, toSentTurns } from '#features/playground/web/desk/conversation.ts';
import { toParameters } from '#features/playground/web/desk/requestSettings.ts';
import { toTitle } from '#features/playground/web/desk/sessionTitle.ts';
import { fillText } from '#features/playground/web/desk/variables.ts';

// Makes a training example from a conversation: the messages up to an answer, in the chat format of fine-tuning files
// (one JSON object per line), with the tools of the request. Pure.

interface TrainingRow {
  readonly id: string;
  /** Unix milliseconds. */
  readonly addedAt: number;
  /** The line of the file. */
  readonly line: string;
}

const ADVICE = 'Regenerate it, or edit it to what it should have been.';

/** Why an incomplete answer can't be trained on; null if it is complete, or if a person wrote it. */
function findFault({ phase, message, isEdited }: Answer): string | null {
  if (isBusy(phase)) return 'is still on its way.';
  if (isEdited) return null;
  if (phase === 'stopped') return `was stopped before it was complete. ${ADVICE}`;
  if (phase === 'failed') return `failed before it was complete. ${ADVICE}`;
  if (phase !== 'done' || message.state !== 'complete') return `was cut off before it was complete. ${ADVICE}`;
  if (message.finish_reason === 'length')
    return (
      'was cut off at its limit of tokens. Raise Max tokens and regenerate it, or edit it to what it should have ' +
      'been.'
    );
  if (message.finish_reason === 'content_filter') return `was cut off by the service's content filter. ${ADVICE}`;
  return null;
}

/** Checks this answer and all earlier ones: trainers compute the loss on each answer of a row. */
function findAnswerFault(before: readonly Turn[], answer: Answer): string | null {
  const fault = findFault(answer);
  if (fault !== null) return `The answer ${fault}`;
  const earlier = before
    .flatMap((turn) => (turn.role === 'assistant' ? [shownAnswer(turn)] : []))
    .filter(({ message }) => hasContent(message));
  const found = earlier.map(findFault).find((each) => each !== null);
  return found === undefined ? null : `An earlier answer ${found}`;
}

/** The line, or why the answer can't be an example. */
export function toTrainingLine(desk: Desk, pane: Pane, turnId: string): Read<string> {
  const index = pane.turns.findIndex((turn) => turn.id === turnId);
  const turn = pane.turns[index];
  if (turn?.role !== 'assistant') return failRead('An example must end with an answer.');
  const answer = shownAnswer(turn);
  const before = toSentTurns(pane.turns.slice(0, index), desk.isAlone === true);
  const problem = findAnswerFault(before, answer) ?? findTurnProblem(before);
  if (problem !== null) return failRead(problem);
  if (hasDoubled([...before, turn]))
    return failRead(
      'Two messages of a user follow each other, with no answer between them. Delete one, or put both into one.',
    );
  const settings = paneSettings(desk, pane);
  const parameters = toParameters(settings);
  if (!parameters.ok) return failRead(parameters.reason);
  const system = fillText(desk, settings.systemPrompt ?? '');
  const messages = toMessages(system, [...before, turn]);
  if (messages.at(-1)?.role !== 'assistant') return failRead('The answer is empty.');
  if (!messages.some((message) => message.role === 'user'))
    return failRead('There is no user message before the answer.');
  return { ok: true, value: toLine(messages, parameters.value.tools ?? []) };
}

/** Trainers (TRL, Axolotl, LLaMA-Factory) read `tools` beside `messages`. Without tools there is no field. */
const toLine = (messages: readonly ChatMessage[], tools: readonly Tool[]): string =>
  JSON.stringify(tools.length === 0 ? { messages } : { messages, tools })
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

export function toTrainingFile(rows: readonly TrainingRow[]): string {
  return rows.map(({ line }) => `${line}\n`).join('');
}

/** Parses a stored example; null if it is damaged. */
export function parseTrainingRow(value: unknown): TrainingRow | null {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['line'] !== 'string') return null;
  return { id: value['id'], addedAt: typeof value['addedAt'] === 'number' ? value['addedAt'] : 0, line: value['line'] };
}

interface RowOutline {
  readonly count: number;
  readonly asked: string;
  readonly answered: string;
}

/** The last question and the answer of a line, for the list. */
export function toRowOutline(line: string): RowOutline {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(line);
  } catch {
    // A damaged line is shown as text.
    return { count: 0, asked: '', answered: toTitle(line) };
  }
  const messages = arrayOr(isObject(parsed) ? parsed['messages'] : null).filter(isObject);
  const last = messages.at(-1);
  const calls = arrayOr(last?.['tool_calls'])
    .filter(isObject)
    .map((call) => (isObject(call['function']) ? textOr(call['function']['name'], '') : ''));
  const asked = messages.findLast((message) => message['role'] === 'user');
  return {
    count: messages.length,
    asked: toTitle(textOr(asked?.['content'], '')),
    answered: toTitle(textOr(last?.['content'], '')) || calls.map((name) => `calls ${name}`).join(', '),
  };
}

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
    showToast(NOT_STORED, { tone: 'error' });
    return false;
  }
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
    return showToast(NOT_REMOVED, { tone: 'error' });
  }
  for (const id of ids) unstored.delete(id);
  if (text !== null) showToast(text, { action: { label: 'Undo', onSelect: () => void put(removed) } });
}
