// Stores the records of requests beside the conversations: at growing intervals while an answer streams, shortly after
// it settles, and when the page closes (that write may not finish). Without storage the records stay in memory.
import { writeRecords, type Database } from '#ui/storage/browserDatabase.ts';
import { recordIdOf, type Desk } from '#features/playground/web/desk/desk.ts';
import { readDeskIds, readIds, readRecord, toRecord } from './deskDatabase.ts';
import { session as storedSession } from './deskSaver.ts';
import { readDesk, readSessionId } from '#features/playground/web/desk/deskStore.ts';
import { parseExchange, type Exchange, dropExchange, exchangeIds, exchangeSession, findExchange } from './exchange.ts';

const readDatabase = (): Database | null => storedSession.findPlace()?.database ?? null;

/** Leaves the page time to render the end of an answer first. */
const SETTLED_MS = 250;
/** The first write of a streaming record, after its request was sent. Each later interval is twice as long. */
const FIRST_MS = 500;
/** A longer body is written only at its end: repeated writes would slow the page. */
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

/** False: the records could not be stored. */
async function store(found: readonly Found[]): Promise<boolean> {
  const database = readDatabase();
  if (!database || found.length === 0) return false;
  try {
    await writeRecords(
      database,
      found.map(({ id, exchange, session }) => toRecord([session, 'exchange', id], exchange)),
    );
    return true;
  } catch {
    // deskSaver.ts reports that storage is full or missing; the record stays in memory.
    return false;
  }
}

/** Stores the record of a settled answer and drops it from memory. */
async function move(answerId: string): Promise<void> {
  const found = find([answerId]);
  if (!(await store(found))) return;
  for (const { id, exchange } of found) if (findExchange(id)?.times.length === exchange.times.length) dropExchange(id);
}

/** Deletes records of answers that the session's conversations no longer have. */
async function prune(database: Database, session: string, used: ReadonlySet<string>): Promise<void> {
  const stored = await readIds(database, session, 'exchange');
  const unused = stored.filter((id) => !used.has(id));
  await writeRecords(
    database,
    unused.map((id) => toRecord([session, 'exchange', id], undefined)),
  );
}

const pruned = new Set<string>();

/**
 * Call this before the first request. It deletes the records of deleted answers, once per session and page. It doesn't
 * do so later, because Undo can restore answers for as long as the page lives.
 */
export function openExchangeSaver(): void {
  const database = readDatabase();
  const session = readSessionId();
  if (!database || pruned.has(session)) return;
  // Closing the page interrupts answers on their way; their records so far are stored.
  if (pruned.size === 0) storedSession.watchLeaving(() => void store(find(exchangeIds())));
  pruned.add(session);
  // After a failure the next page prunes.
  prune(database, session, recordIds(readDesk())).catch(() => undefined);
}

/**
 * Stores the record of an answer repeatedly while it streams. Call `settled` when it ends: then all of it is stored.
 */
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
  // A copied session doesn't copy the records: they stay in the original session.
  for (const id of await readDeskIds(database)) {
    const found = id === session ? null : parseExchange(await readRecord(database, [id, 'exchange', recordId]));
    if (found) return found;
  }
  return null;
}

/** The record of an answer's last request, so far; null if there is none. Never throws. */
export async function loadExchange(recordId: string): Promise<Exchange | null> {
  const live = findExchange(recordId);
  const database = readDatabase();
  if (live || !database) return live;
  return readStored(database, recordId).catch(() => null);
}
