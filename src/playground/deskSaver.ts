// Keeps the playground's state across reloads: loads it once, then writes what changed, at most once a second and
// when the page goes. Problems are told, never thrown. It must not know components.
import { isObject, numberOr } from '../contract/reading';
import { EMPTY_DESK, type Desk } from './desk';
import { claimDesk } from './deskClaim';
import { deleteDesk, openDeskDatabase, readDeskIds, readStoredDesk, readStoredTurns, writeRecords, type RecordChanges } from './deskDatabase';
import { parseDesk, toChanges } from './deskRecords';
import { changeDesk, readDesk, setStorage, useDesk } from './deskStore';
import { makeId } from './makeId';

const SAVE_EVERY_MS = 1000;
/** A message is sent even if storing it takes longer than this. */
const MAX_HOLD_MS = 400;
const MAX_DESKS = 12;

const NO_STORAGE = 'This browser does not let the page store anything: conversations are lost when it is reloaded.';
const DAMAGED = 'Some stored conversations were damaged and could not be restored.';
const FULL = "The browser's storage is full: what is new here is lost when the page is reloaded. Clear conversations or free some space.";

let storage: { readonly database: IDBDatabase; readonly id: string } | null = null;
/** What the database holds, or is being given. */
let saved: Desk = EMPTY_DESK;
/** Failed writes that `saved` was set back for. Writes that began before that end without a say in it. */
let setbacks = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

function toRecords(id: string, before: Desk, after: Desk): RecordChanges | null {
  const changes = toChanges(before, after);
  if (!changes) return null;
  const now = Date.now();
  return {
    puts: [
      ...(changes.desk ? [[[id, 'desk', ''], { ...changes.desk, savedAt: now }] as const] : []),
      ...changes.turns.map((turn) => [[id, 'turn', turn.id], turn] as const),
    ],
    deletes: changes.removed.map((turnId) => [id, 'turn', turnId] as const),
  };
}

async function write(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (!storage) return;
  const before = saved;
  const after = readDesk();
  const records = toRecords(storage.id, before, after);
  if (!records) return;
  const seen = setbacks;
  saved = after;
  try {
    await writeRecords(storage.database, records);
    const { problem } = useDesk.getState().storage;
    if (problem === FULL || problem === NO_STORAGE) setStorage({ problem: null });
  } catch (error) {
    // Nothing of this was stored: the next write starts again from what was there before. Writes end in the order in
    // which they began, so where several fail it is what was there before the first.
    if (seen === setbacks) {
      saved = before;
      setbacks += 1;
    }
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    setStorage({ problem: isFull ? FULL : NO_STORAGE });
  }
}

/** Writes what changed now. Resolves when it is stored, or after a moment if that takes long. */
export function saveNow(): Promise<void> {
  return Promise.race([write(), new Promise<void>((resolve) => setTimeout(resolve, MAX_HOLD_MS))]);
}

/** Stored desks, the one written to last first. */
async function readDesks(database: IDBDatabase): Promise<readonly string[]> {
  const ids = await readDeskIds(database);
  const stored = await Promise.all(ids.map((id) => readStoredDesk(database, id)));
  const savedAt = stored.map((desk) => (isObject(desk) ? numberOr(desk['savedAt'], 0) : 0));
  return ids.map((id, index) => ({ id, at: savedAt[index] ?? 0 })).sort((a, b) => b.at - a.at).map(({ id }) => id);
}

async function load(): Promise<void> {
  try {
    const database = await openDeskDatabase();
    const known = await readDesks(database);
    const { id, from } = await claimDesk(known, makeId);
    const { desk, isDamaged } = parseDesk(await readStoredDesk(database, from), await readStoredTurns(database, from));
    storage = { database, id };
    // In a duplicated tab everything is new to its own desk.
    saved = from === id ? desk : EMPTY_DESK;
    changeDesk(() => desk);
    setStorage({ isLoaded: true, problem: isDamaged ? DAMAGED : null });
    for (const old of known.slice(MAX_DESKS)) if (old !== id) await deleteDesk(database, old);
  } catch {
    setStorage({ isLoaded: true, problem: NO_STORAGE });
  }
}

function saveSoon(): void {
  timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
}

function watch(): void {
  useDesk.subscribe(({ desk }, before) => desk !== before.desk && saveSoon());
  window.addEventListener('pagehide', () => void write());
  document.addEventListener('visibilitychange', () => document.hidden && void write());
}

let start: Promise<void> | null = null;

/** Loads the stored state into the store, once per page, and keeps it stored from then on. */
export function openDeskSaver(): Promise<void> {
  start ??= load().then(watch);
  return start;
}
