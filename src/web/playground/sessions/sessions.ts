// The sessions that are stored in this browser: listed, opened, begun, renamed, deleted, written to files and taken
// from them. One is on show in this tab.
import type { Database } from '#web/session/browserDatabase.ts';
import { makeId } from '#web/session/makeId.ts';
import { updateUrl } from '#web/session/urlState.ts';
import { showToast } from '#web/ui/toast.ts';
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
} from '#web/playground/desk/desk.ts';
import {
  deleteDesk,
  readDeskIds,
  readDeskRecords,
  readRecord,
  readStoredDesk,
  readStoredTurns,
  writeRecords,
  type RecordKey,
} from '#web/playground/storage/deskDatabase.ts';
import { isBlankRecord, parseDesk, toStoredDesk } from '#web/playground/storage/deskRecords.ts';
import { claims, enterSession, findStorage, saveNow, type DeskStorage } from '#web/playground/storage/deskSaver.ts';
import { changeDesk, readDesk, readSessionId } from '#web/playground/desk/deskStore.ts';
import { toModels } from '#web/playground/desk/panes.ts';
import { stopAnswers } from '#web/playground/desk/runningAnswers.ts';
import type { FileSession } from './sessionFile.ts';
import { toSearchText, toStoredHead, toSummary, type SessionSummary } from './sessionSummary.ts';
import { toDeskTitle, toForkTitle } from '#web/playground/desk/sessionTitle.ts';
import { copyTurns } from '#web/playground/desk/turns.ts';

export const NO_DATABASE = 'This browser does not let the page store anything, so there is no other session.';
const ELSEWHERE = 'This session is open in another tab.';
const UNSAVED = 'What is on show could not be stored, so it stays. Export it or free some space first.';
/** A user's message is looked for in as many turns from the start. */
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

/** Those that hold anything, and the one on show; the one changed last first. */
export async function listSessions(): Promise<readonly ListedSession[]> {
  const storage = findStorage();
  if (!storage) return [];
  const { database } = storage;
  await saveNow();
  const [ids, elsewhere] = await Promise.all([readDeskIds(database), claims.readElsewhere()]);
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

/** What is searched of a session besides its title. */
export async function readSessionText(id: string): Promise<string> {
  const storage = findStorage();
  return storage ? toSearchText(await readStoredTurns(storage.database, id)) : '';
}

async function readSession(
  id: string,
): Promise<{ readonly desk: Desk; readonly damage: string; readonly record: unknown } | null> {
  if (id === readSessionId()) return { desk: readDesk(), damage: 'none', record: null };
  const storage = findStorage();
  const record = storage && (await readStoredDesk(storage.database, id));
  if (!storage || record === undefined) return null;
  return { ...parseDesk(record, await readStoredTurns(storage.database, id)), record };
}

/** Puts a session that this tab holds on show. Resolves to why not, or null. */
async function enter(id: string, desk: Desk, isStored: boolean): Promise<string | null> {
  // Something may have been sent while the other one was read.
  const reason = findSessionBlocker(readDesk()) ?? ((await enterSession(id, desk, isStored)) ? null : UNSAVED);
  if (reason !== null) return reason;
  claims.move(id);
  updateUrl({ models: toModels(desk) }, { replace: true });
  return null;
}

/** Opens a stored session in this tab. Resolves to why it can't be, or null. */
export async function openSession(id: string): Promise<string | null> {
  const storage = findStorage();
  if (!storage) return NO_DATABASE;
  if (id === readSessionId()) return null;
  const hold = findSessionBlocker(readDesk());
  if (hold !== null) return hold;
  if (!(await claims.hold(id))) return ELSEWHERE;
  try {
    return await openClaimed(id, storage);
  } finally {
    claims.release(id);
  }
}

async function openClaimed(id: string, storage: DeskStorage): Promise<string | null> {
  const found = await readSession(id);
  if (found?.damage === 'newer') return 'It comes from a newer version of the studio. Update the studio to open it.';
  if (!found || found.damage === 'all') return 'It is not there any more, or can’t be read.';
  if (found.damage === 'some') {
    await writeRecords(storage.database, { puts: [[[id, 'aside', `${Date.now()}`], found.record]], deletes: [] });
    showToast(
      'Some of this session was damaged and could not be restored. What can’t be read is kept in the browser’s ' +
        'database.',
      { tone: 'bad' },
    );
  }
  return enter(
    id,
    found.desk.panes.length === 0 ? { ...found.desk, panes: toFreshDesk(readDesk()).panes } : found.desk,
    true,
  );
}

/** The same models and settings, and nothing said. */
function toFreshDesk({ panes, shared, values }: Desk): Desk {
  return {
    ...EMPTY_DESK,
    panes: panes.map((pane) => ({ ...pane, id: makeId(), turns: [] })),
    shared,
    ...(values && { values }),
  };
}

/** Begins a session, with a desk that has ids of its own or with the models and settings of the one on show. */
export async function newSession(desk: Desk = toFreshDesk(readDesk())): Promise<string | null> {
  if (!findStorage()) return NO_DATABASE;
  const hold = findSessionBlocker(readDesk());
  if (hold !== null) return hold;
  const id = makeId();
  await claims.hold(id);
  try {
    return await enter(id, desk, false);
  } finally {
    claims.release(id);
  }
}

/** Leaves a session that can't be shown for one that takes over the models alone. It is stored, with what had come. */
export async function leaveSession(): Promise<string | null> {
  stopAnswers(null);
  changeDesk(interruptAnswers);
  return newSession({ ...EMPTY_DESK, panes: toModels(readDesk()).map((model) => toPane(makeId(), model)) });
}

/** A session with one pane: its conversation up to and with a turn (null: all of it), its model and its settings. */
export async function forkToSession(paneId: string, turnId: string | null): Promise<string | null> {
  const desk = readDesk();
  const pane = findPane(desk, paneId);
  if (!pane) return null;
  const fork = { ...pane, id: makeId(), turns: copyTurns(pane.turns, turnId, makeId) };
  const from = readSessionId();
  // Titles alone are asked for: a fork is made without them, too.
  const taken = (await listSessions().catch(() => [])).map((session) => session.title);
  if (readSessionId() !== from) return null;
  const title = toForkTitle(toDeskTitle(desk), taken);
  const problem = await newSession({
    ...EMPTY_DESK,
    title,
    panes: [fork],
    shared: desk.shared,
    ...(desk.values && { values: desk.values }),
  });
  // The fork stands; without the records the inspector says that it has none.
  if (problem === null) await copyExchanges(from, fork.turns).catch(() => undefined);
  return problem;
}

/** What was sent and received for these answers goes along. */
async function copyExchanges(from: string, turns: readonly Turn[]): Promise<void> {
  const storage = findStorage();
  if (!storage) return;
  const ids = new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.versions.map(recordIdOf) : [])));
  const found = await Promise.all(
    [...ids].map(
      async (id) => [[storage.id, 'exchange', id], await readRecord(storage.database, [from, 'exchange', id])] as const,
    ),
  );
  await writeRecords(storage.database, { puts: found.filter(([, record]) => record !== undefined), deletes: [] });
}

/** Another title; an empty one takes the first message's. False: another tab has the session open. */
export async function renameSession(id: string, title: string): Promise<boolean> {
  if (id === readSessionId()) {
    changeDesk(({ title: _before, ...desk }) => (title === '' ? desk : { ...desk, title }));
    return true;
  }
  const storage = findStorage();
  if (!storage || !(await claims.hold(id))) return false;
  try {
    const record = await readStoredDesk(storage.database, id);
    if (typeof record === 'object' && record !== null)
      await writeRecords(storage.database, {
        puts: [[[id, 'desk', ''], { ...record, title: title === '' ? undefined : title }]],
        deletes: [],
      });
    return true;
  } finally {
    claims.release(id);
  }
}

/** What was stored of a deleted session. */
export type DeletedSession = readonly (readonly [RecordKey, unknown])[];

/** Deletes a session; where it is on show, a new one takes its place. The reason why not, or what puts it back. */
export async function deleteSession(
  id: string,
): Promise<{ readonly problem: string } | { readonly records: DeletedSession }> {
  const storage = findStorage();
  if (!storage) return { problem: NO_DATABASE };
  if (!(await claims.hold(id))) return { problem: ELSEWHERE };
  try {
    const problem = id === readSessionId() ? await newSession() : null;
    if (problem !== null) return { problem };
    const records = await readDeskRecords(storage.database, id);
    await deleteDesk(storage.database, id);
    return { records };
  } finally {
    claims.release(id);
  }
}

export async function restoreSession(records: DeletedSession): Promise<void> {
  const storage = findStorage();
  if (storage) await writeRecords(storage.database, { puts: records, deletes: [] });
}

/** Sessions as they are stored, for a file; those that can't be read are left out. */
export async function readSessions(listed: readonly SessionSummary[]): Promise<readonly FileSession[]> {
  const found = await Promise.all(listed.map(async ({ id, savedAt }) => ({ savedAt, read: await readSession(id) })));
  return found.flatMap(({ savedAt, read }) =>
    read && read.desk.panes.length > 0 ? [{ desk: read.desk, savedAt: savedAt || Date.now() }] : [],
  );
}

/** Stores sessions beside those that are there, all or none. Rejects when there is no room. */
export async function storeSessions(sessions: readonly FileSession[]): Promise<void> {
  const storage = findStorage();
  if (!storage) throw new Error(NO_DATABASE);
  const puts = sessions.flatMap(({ desk, savedAt }) => {
    const id = makeId();
    const turns = [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
    return [
      [[id, 'desk', ''], { ...toStoredDesk(desk), savedAt }] as const,
      ...turns.map((turn) => [[id, 'turn', turn.id], turn] as const),
    ];
  });
  await writeRecords(storage.database, { puts, deletes: [] });
}
