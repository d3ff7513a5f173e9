// Stores the records of requests beside the conversations, a moment after an answer has settled and when the page goes.
// Without storage they stay in memory. It must not know how they are shown.
import { recordIdOf, type Desk } from './desk';
import { readDeskIds, readIds, readRecord, writeRecords, type RecordKey } from './deskDatabase';
import { findStorage } from './deskSaver';
import { readDesk, readSessionId } from './deskStore';
import { parseExchange, type Exchange } from './exchange';
import { dropExchange, exchangeIds, exchangeSession, findExchange } from './exchangeBook';

const readDatabase = (): IDBDatabase | null => findStorage()?.database ?? null;

/** Long enough for what an answer's end has to show. */
const SETTLED_MS = 250;

function recordIds(desk: Desk): ReadonlySet<string> {
  const turns = [...desk.panes, ...desk.parked].flatMap((pane) => pane.turns);
  return new Set(turns.flatMap((turn) => (turn.role === 'assistant' ? turn.versions.map(recordIdOf) : [])));
}

async function store(answerIds: readonly string[]): Promise<void> {
  const database = readDatabase();
  const found = answerIds.flatMap((id) => {
    const exchange = findExchange(id);
    return exchange ? [{ id, exchange, session: exchangeSession(id) }] : [];
  });
  if (!database || found.length === 0) return;
  try {
    await writeRecords(database, { puts: found.map(({ id, exchange, session }): [RecordKey, Exchange] => [[session, 'exchange', id], exchange]), deletes: [] });
  } catch {
    // The saver of the conversations says that storage is full or gone; the record stays in memory.
    return;
  }
  for (const { id, exchange } of found) if (findExchange(id)?.times.length === exchange.times.length) dropExchange(id);
}

/** Records of answers that the session's conversations don't have any more. */
async function prune(database: IDBDatabase, session: string, known: ReadonlySet<string>): Promise<void> {
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
  if (pruned.size === 0) window.addEventListener('pagehide', () => void store(exchangeIds()));
  pruned.add(session);
  // What can't be pruned now is so the next time.
  prune(database, session, recordIds(readDesk())).catch(() => undefined);
}

/** Stores the record of an answer that has settled. */
export function keepExchange(answerId: string): void {
  if (readDatabase()) setTimeout(() => void store([answerId]), SETTLED_MS);
}

async function readStored(database: IDBDatabase, recordId: string): Promise<Exchange | null> {
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
