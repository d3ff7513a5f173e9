// The sessions stored in this browser: lists, opens, creates, renames, deletes, exports and imports them. One of them
// is on show in this tab.
import { isObject } from '#core/contract/readJson.ts';
import { writeRecords, type Database, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { readUrl, updateUrl } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  BUSY_REASON,
  EMPTY_DESK,
  findPane,
  interruptAnswers,
  isBusy,
  panePhase,
  recordIdOf,
  toPane,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import {
  readDeskIds,
  readKind,
  readRecord,
  readStoredDesk,
  toRecord,
} from '#features/playground/web/storage/deskDatabase.ts';
import { isBlankRecord, toStoredDesk } from '#features/playground/web/storage/deskRecords.ts';
import {
  enterSession,
  keepDamaged,
  readDeskOf,
  saveNow,
  session,
  WORDS,
} from '#features/playground/web/storage/deskSaver.ts';
import { changeDesk, readDesk, readSessionId } from '#features/playground/web/desk/deskStore.ts';
import { toModels } from '#features/playground/web/desk/panes.ts';
import { stopAnswers } from '#features/playground/web/desk/runningAnswers.ts';
import type { FileSession } from './sessionFile.ts';
import { toSearchText, toStoredHead, toSummary, type SessionSummary } from './sessionSummary.ts';
import { toDeskTitle, toForkTitle } from '#features/playground/web/desk/sessionTitle.ts';
import { copyTurns } from '#features/playground/web/desk/turns.ts';

export const NO_DATABASE = WORDS.alone;
const OVERTAKEN = 'It was not opened, because other models were opened in the meantime.';
/** The first user message is searched in this many turns. */
const FIRST_TURNS = 8;

export interface ListedSession extends SessionSummary {
  readonly isCurrent: boolean;
  /** Another tab has it open. */
  readonly isElsewhere: boolean;
}

/** Why no other session can be opened now; null when one can. */
export function findSessionBlocker(desk: Desk): string | null {
  return [...desk.panes, ...desk.parked].some((pane) => isBusy(panePhase(pane))) ? BUSY_REASON : null;
}

async function readFirstMessage(database: Database, id: string, record: unknown): Promise<string | null> {
  for (const turnId of toStoredHead(record).turnIds.slice(0, FIRST_TURNS)) {
    const turn = (await readRecord(database, [id, 'turn', turnId])) as
      | { readonly role?: unknown; readonly content?: unknown }
      | undefined;
    if (turn?.role === 'user' && typeof turn.content === 'string' && turn.content.trim() !== '') return turn.content;
  }
  return null;
}

/** All sessions that aren't blank, and the one on show; the last changed first. */
export async function listSessions(): Promise<readonly ListedSession[]> {
  const storage = session.findPlace();
  if (!storage) return [];
  const { database } = storage;
  await saveNow();
  const [ids, elsewhere] = await Promise.all([readDeskIds(database), session.claims.readElsewhere()]);
  const listed = await Promise.all(
    ids.map(async (id): Promise<ListedSession | null> => {
      const record = await readStoredDesk(database, id);
      const isCurrent = id === readSessionId();
      if (record === undefined || (!isCurrent && isBlankRecord(record))) return null;
      const summary = toSummary(id, record, await readFirstMessage(database, id, record));
      return Object.assign(summary, { isCurrent, isElsewhere: elsewhere.has(id) });
    }),
  );
  return listed.filter((session) => session !== null).toSorted((a, b) => b.savedAt - a.savedAt);
}

/** The searchable text of a session. */
export async function readSessionText(id: string): Promise<string> {
  const storage = session.findPlace();
  return storage ? toSearchText(await readKind(storage.database, id, 'turn')) : '';
}

async function readSession(id: string): Promise<Desk | null> {
  if (id === readSessionId()) return readDesk();
  const storage = session.findPlace();
  return (storage && (await readDeskOf(storage.database, id))?.desk) ?? null;
}

const toAskedModels = (): string => readUrl().models.join('\n');

/** Whether the address still names the models that it names now. Whoever changes it meanwhile is not pulled back. */
function sameAddress(): () => boolean {
  const asked = toAskedModels();
  return () => toAskedModels() === asked;
}

/**
 * Shows a session that this tab has claimed, and puts its models into the address. `stored`: its records. Resolves to why
 * it can't, or null.
 */
async function enter(
  id: string,
  desk: Desk,
  stored: readonly StoredRecord[],
  isWanted: () => boolean,
): Promise<string | null> {
  if (id === readSessionId()) return null;
  return enterSession(id, desk, {
    stored,
    // A message may have been sent, or other models opened, while the sessions were read and stored.
    findObstacle: () => findSessionBlocker(readDesk()) ?? (isWanted() ? null : OVERTAKEN),
    onShown: () => updateUrl({ models: toModels(desk) }, { replace: true }),
  });
}

/** Opens a stored session in this tab. Resolves to why it can't, or null. */
export async function openSession(id: string): Promise<string | null> {
  const storage = session.findPlace();
  if (!storage) return NO_DATABASE;
  if (id === readSessionId()) return null;
  const blocker = findSessionBlocker(readDesk());
  if (blocker !== null) return blocker;
  const isWanted = sameAddress();
  return session.withClaim(id, () => openClaimed(id, storage.database, isWanted));
}

async function openClaimed(id: string, database: Database, isWanted: () => boolean): Promise<string | null> {
  const found = await readDeskOf(database, id);
  if (found?.damage === 'newer') return 'It comes from a newer version of the studio. Update the studio to open it.';
  if (!found || found.damage === 'all') return 'It was deleted, or can’t be read.';
  if (found.damage === 'some') {
    await keepDamaged(database, id, found.record);
    showToast(
      'Some of this session was damaged and could not be restored. What can’t be read is kept in the browser’s ' +
        'database.',
      { tone: 'error' },
    );
  }
  const { desk, stored } = found;
  return enter(
    id,
    desk.panes.length === 0 ? { ...desk, panes: toFreshDesk(readDesk()).panes } : desk,
    stored,
    isWanted,
  );
}

/** A desk with the same models and settings, without messages. */
function toFreshDesk({ panes, shared, isAlone, values }: Desk): Desk {
  return {
    ...EMPTY_DESK,
    panes: panes.map((pane) => ({ ...pane, id: makeId(), turns: [] })),
    shared,
    ...(isAlone && { isAlone }),
    ...(values && { values }),
  };
}

/**
 * Begins a session. Default: the models and settings of the current one. The ids in `desk` must be new. Resolves to why
 * it can't, or null. `isWanted` is asked again right before the session is shown.
 */
export async function newSession(
  desk: Desk = toFreshDesk(readDesk()),
  isWanted: () => boolean = sameAddress(),
): Promise<string | null> {
  if (!session.findPlace()) return NO_DATABASE;
  const blocker = findSessionBlocker(readDesk());
  if (blocker !== null) return blocker;
  const id = makeId();
  return session.withClaim(id, () => enter(id, desk, [], isWanted));
}

/** Leaves a session that can't be rendered for a new one with the same models. The old one is stored as it is. */
export async function leaveSession(): Promise<string | null> {
  stopAnswers(null);
  changeDesk(interruptAnswers);
  return newSession({ ...EMPTY_DESK, panes: toModels(readDesk()).map((model) => toPane(makeId(), model)) });
}

/** Begins a session with a copy of one pane and its conversation up to and including a turn (null: all of it). */
export async function forkToSession(paneId: string, turnId: string | null): Promise<string | null> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return null;
  const fork = { ...pane, id: makeId(), turns: copyTurns(pane.turns, turnId, makeId) };
  const from = readSessionId();
  // Only the titles are needed, so the fork goes on if the list fails.
  const taken = (await listSessions().catch(() => [])).map((session) => session.title);
  if (readSessionId() !== from) return null;
  const title = toForkTitle(toDeskTitle(desk), taken);
  const problem = await newSession({
    ...EMPTY_DESK,
    title,
    panes: [fork],
    shared: desk.shared,
    ...(desk.isAlone && { isAlone: true }),
    ...(desk.values && { values: desk.values }),
  });
  // The fork stays even if this fails; then the inspector says that there is no record.
  if (problem === null) await copyExchanges(from, fork.turns).catch(() => undefined);
  return problem;
}

/** Copies the records of these answers into the current session. */
async function copyExchanges(from: string, turns: readonly Turn[]): Promise<void> {
  const storage = session.findPlace();
  if (!storage) return;
  const ids = new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.versions.map(recordIdOf) : [])));
  const copy = async (id: string): Promise<StoredRecord> =>
    toRecord([storage.id, 'exchange', id], await readRecord(storage.database, [from, 'exchange', id]));
  await writeRecords(storage.database, await Promise.all([...ids].map(copy)));
}

/** Renames a session; an empty title means the first message. Resolves to why it can't, or null. */
export async function renameSession(id: string, title: string): Promise<string | null> {
  if (id === readSessionId()) {
    changeDesk(({ title: _before, ...desk }) => (title === '' ? desk : { ...desk, title }));
    return null;
  }
  const storage = session.findPlace();
  if (!storage) return NO_DATABASE;
  return session.withClaim(id, async () => {
    const record = await readStoredDesk(storage.database, id);
    const named = isObject(record) && { ...record, title: title === '' ? undefined : title };
    if (named) await writeRecords(storage.database, [toRecord([id, 'desk', ''], named)]);
    return null;
  });
}

/** Deletes a session; if it is on show, a new one replaces it. Resolves to why it can't, or to the undo. */
export const deleteSession = (id: string): ReturnType<typeof session.remove> => session.remove(id, newSession);

/** Reads sessions for a file; leaves out unreadable ones. */
export async function readSessions(listed: readonly SessionSummary[]): Promise<readonly FileSession[]> {
  const found = await Promise.all(listed.map(async ({ id, savedAt }) => ({ savedAt, read: await readSession(id) })));
  return found.flatMap(({ savedAt, read }) =>
    read && read.panes.length > 0 ? [{ desk: read, savedAt: savedAt || Date.now() }] : [],
  );
}

/** Adds sessions, all or none. Rejects if there is no room. */
export async function storeSessions(sessions: readonly FileSession[]): Promise<void> {
  const storage = session.findPlace();
  if (!storage) throw new Error(NO_DATABASE);
  const records = sessions.flatMap(({ desk, savedAt }) => {
    const id = makeId();
    const turns = [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
    return [
      toRecord([id, 'desk', ''], { ...toStoredDesk(desk), savedAt }),
      ...turns.map((turn) => toRecord([id, 'turn', turn.id], turn)),
    ];
  });
  await writeRecords(storage.database, records);
}
