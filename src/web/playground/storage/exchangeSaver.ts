// Stores the records of requests beside the conversations: now and then while an answer comes, a moment after it has
// settled, and when the page goes, where the browser may not let it end. Without storage they stay in memory.
import type { Database } from '#web/session/browserDatabase.ts';
import { recordIdOf, type Desk } from '#web/playground/desk/desk.ts';
import { readDeskIds, readIds, readRecord, writeRecords, type RecordKey } from './deskDatabase.ts';
import { findStorage, watchLeaving } from './deskSaver.ts';
import { readDesk, readSessionId } from '#web/playground/desk/deskStore.ts';
import { parseExchange, type Exchange } from './exchange.ts';
import { dropExchange, exchangeIds, exchangeSession, findExchange } from './liveExchanges.ts';

const readDatabase = (): Database | null => findStorage()?.database ?? null;

/** Long enough for what an answer's end has to show. */
const SETTLED_MS = 250;
/** So long after a request was sent what has come is stored for the first time; each later time takes twice as long. */
const FIRST_MS = 500;
/** Of a longer body only the end is waited for: writing it anew each time would be felt. */
const OFTEN_CHARACTERS = 500_000;

function recordIds(desk: Desk): ReadonlySet<string> {
  const turns = [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
  return new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.versions.map(recordIdOf) : [])));
}

interface Found {
  readonly id: string;
  readonly exchange: Exchange;
  readonly session: string;
}

function find(answerIds: readonly string[]): readonly Found[] {
  return answerIds.flatMap((id) => {
    const exchange = findExchange(id);
    return exchange ? [{ id, exchange, session: exchangeSession(id) }] : [];
  });
}

/** False: it could not be stored. */
async function store(found: readonly Found[]): Promise<boolean> {
  const database = readDatabase();
  if (!database || found.length === 0) return false;
  try {
    await writeRecords(database, {
      puts: found.map(({ id, exchange, session }): [RecordKey, Exchange] => [[session, 'exchange', id], exchange]),
      deletes: [],
    });
    return true;
  } catch {
    // The saver of the conversations says that storage is full or gone; the record stays in memory.
    return false;
  }
}

/** Stores the record of an answer that has settled, in the place of the one in memory. */
async function move(answerId: string): Promise<void> {
  const found = find([answerId]);
  if (!(await store(found))) return;
  for (const { id, exchange } of found) if (findExchange(id)?.times.length === exchange.times.length) dropExchange(id);
}

/** Records of answers that the session's conversations don't have any more. */
async function prune(database: Database, session: string, known: ReadonlySet<string>): Promise<void> {
  const stored = await readIds(database, session, 'exchange');
  const deletes = stored.filter((id) => !known.has(id)).map((id): RecordKey => [session, 'exchange', id]);
  if (deletes.length > 0) await writeRecords(database, { puts: [], deletes });
}

const pruned = new Set<string>();

/**
 * Called before anything is sent. Records of answers that were deleted go now, once per session and page: while it
 * lasts, an answer can still be brought back.
 */
export function openExchangeSaver(): void {
  const database = readDatabase();
  const session = readSessionId();
  if (!database || pruned.has(session)) return;
  // Answers on their way are interrupted by this; what came of them is kept.
  if (pruned.size === 0) watchLeaving(() => void store(find(exchangeIds())));
  pruned.add(session);
  // What can't be pruned now is so the next time.
  prune(database, session, recordIds(readDesk())).catch(() => undefined);
}

/** Keeps the record of an answer: what there is of it while the answer comes, all of it once `settled` says so. */
export function storeWhileStreaming(answerId: string): { readonly settled: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (ms: number): void => {
    timer = setTimeout(() => {
      const found = find([answerId]);
      if (found.some(({ exchange }) => exchange.raw.length > OFTEN_CHARACTERS)) return;
      void store(found);
      later(found.length === 0 ? ms : ms * 2);
    }, ms);
  };
  later(FIRST_MS);
  return {
    settled: () => {
      clearTimeout(timer);
      if (readDatabase()) setTimeout(() => void move(answerId), SETTLED_MS);
    },
  };
}

async function readStored(database: Database, recordId: string): Promise<Exchange | null> {
  const session = readSessionId();
  const own = parseExchange(await readRecord(database, [session, 'exchange', recordId]));
  if (own) return own;
  // A copy of a session leaves the records where they were made.
  for (const id of await readDeskIds(database)) {
    const found = id === session ? null : parseExchange(await readRecord(database, [id, 'exchange', recordId]));
    if (found) return found;
  }
  return null;
}

/** The record of an answer's last request, as far as it goes; null if there is none. Never throws. */
export async function loadExchange(recordId: string): Promise<Exchange | null> {
  const live = findExchange(recordId);
  const database = readDatabase();
  if (live || !database) return live;
  return readStored(database, recordId).catch(() => null);
}
