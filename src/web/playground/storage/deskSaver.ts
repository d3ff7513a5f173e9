// Keeps the playground's state across reloads: loads it once, then writes what changed: what a person did to messages
// at once, what is typed or streamed at most once a second, all of it when the page goes. What is not stored yet stands
// in the tab's own storage, from where the next page takes it back. Problems are told, never thrown.
import { isObject, numberOr } from '#shared/contract/reading.ts';
import { DatabaseTrouble, type Database } from '#web/session/browserDatabase.ts';
import { watchPageLeaving, type Leaving } from '#web/session/leaving.ts';
import { makeId } from '#web/session/makeId.ts';
import { toStorageProblem } from '#web/session/storageWords.ts';
import { TabClaims, type Claim } from '#web/session/tabClaims.ts';
import { readTail, TabTail } from '#web/session/tabTail.ts';
import { readUrl } from '#web/session/urlState.ts';
import { EMPTY_DESK, type Desk } from '#web/playground/desk/desk.ts';
import {
  deleteDesk,
  openDeskDatabase,
  readDeskIds,
  readRecord,
  readStoredDesk,
  readStoredTurns,
  writeRecords,
  type RecordChanges,
} from './deskDatabase.ts';
import { isPersonsAction, isBlankRecord, parseDesk, toChanges, type RestoredDesk } from './deskRecords.ts';
import { ALMOST_FULL, DAMAGES, WORDS, WRITING } from './deskStorageWords.ts';
import { readDesk, setStorage, showSession, useDesk } from '#web/playground/desk/deskStore.ts';
import {
  isNewer,
  parseMark,
  parseTail,
  shareTurns,
  toTail,
  toTailText,
  applyTail,
  type Mark,
  type Tail,
} from './deskTail.ts';
import { findTitleByModels, type DisplacedSession } from './displacedSession.ts';
import { isOtherConversation } from '#web/playground/desk/panes.ts';
import { toDeskTitle } from '#web/playground/desk/sessionTitle.ts';

const SAVE_EVERY_MS = 1000;
/** A message is sent even if storing it takes longer than this. */
const MAX_HOLD_MS = 400;
/** Desks in which nothing was ever done: as many are kept, for tabs that are about to be used. */
const MAX_BLANK = 12;
/** In characters: a browser gives a tab five million, and other parts of the page need some. */
const MAX_TAIL = 2_000_000;
const TAIL = 'studio.desk.tail';
/** Share of the browser's storage from which on it is said. */
const NEARLY_FULL = 0.9;

export interface DeskStorage {
  readonly database: Database;
  /** The desk that this tab writes to. */
  readonly id: string;
  /** The desk that it began with; another one only in a duplicated tab. */
  readonly from: string;
}

/** The desks that this tab has open. */
export const claims = new TabClaims('studio.desk');

let storage: DeskStorage | null = null;
/** What the database holds, or is being given. */
let saved: Desk = EMPTY_DESK;
/** Failed writes that `saved` was set back for. Writes that began before that end without a say in it. */
let setbacks = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

/** What the database may hold: what was stored last, then what writes on their way bring. */
let bases: readonly Desk[] = [EMPTY_DESK];
const life = makeId();
let count = 0;
/** Who had written last when this page read the desk. */
let seen: Mark | null = null;

function nextMark(): Mark {
  count += 1;
  return { life, count };
}

/** A person had the conversations deleted: no copy of them may stay in this tab either. */
let isDeleted = false;

const tail = new TabTail(TAIL, () => {
  if (isDeleted) return null;
  // What the page before left may be had by the next one, when the database opens again.
  if (!storage) return undefined;
  const changes = toTail(bases, readDesk());
  return changes && toTailText({ version: 1, desk: storage.id, mark: nextMark(), seen, ...changes }, MAX_TAIL);
});

/** From now on the database holds `desk` under the storage's id. */
function beginFrom(desk: Desk, mark: Mark | null): void {
  saved = desk;
  bases = [desk];
  seen = mark;
}

const readMark = async (database: Database, id: string): Promise<Mark | null> =>
  parseMark(await readRecord(database, [id, 'mark', '']));

function toRecords(id: string, before: Desk, after: Desk): RecordChanges | null {
  const changes = toChanges(before, after);
  if (!changes) return null;
  const now = Date.now();
  return {
    puts: [
      [[id, 'mark', ''], nextMark()] as const,
      ...(changes.desk ? [[[id, 'desk', ''], { ...changes.desk, savedAt: now }] as const] : []),
      ...changes.turns.map((turn) => [[id, 'turn', turn.id], turn] as const),
    ],
    deletes: changes.removed.map((turnId) => [id, 'turn', turnId] as const),
  };
}

function tellTrouble(error: unknown): void {
  const kind = error instanceof DatabaseTrouble ? error.kind : null;
  if (kind === 'deleted' && !isDeleted) {
    isDeleted = true;
    tail.now();
  }
  const isOutdated = kind === 'outdated' || kind === 'deleted';
  setStorage({ problem: toStorageProblem(error, WORDS), isReloadNeeded: isOutdated });
}

/** Writes on their way, each with its end. */
const inFlight = new Set<Promise<boolean>>();

/** Whether everything is stored now, also what an earlier write has begun. It begins at once: a page may be going. */
async function write(): Promise<boolean> {
  const begun = writeChanges();
  inFlight.add(begun);
  void begun.finally(() => inFlight.delete(begun));
  const ends = await Promise.all(inFlight);
  return ends.every(Boolean);
}

async function writeChanges(): Promise<boolean> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (!storage) return false;
  const { id } = storage;
  const before = saved;
  const after = readDesk();
  const records = toRecords(id, before, after);
  saved = after;
  if (!records) return true;
  bases = [...bases, after];
  const setbacksBefore = setbacks;
  try {
    await writeRecords(storage.database, records);
    if (setbacksBefore === setbacks && bases.includes(after)) bases = bases.slice(bases.indexOf(after));
    tail.now();
    const { problem } = useDesk.getState().storage;
    if (problem !== null && WRITING.has(problem)) setStorage({ problem: null });
    return true;
  } catch (error) {
    // Nothing of this was stored: the next write starts again from what was there before. Writes end in the order in
    // which they began, so where several fail it is what was there before the first.
    if (setbacksBefore === setbacks && storage.id === id) {
      saved = before;
      setbacks += 1;
    }
    bases = bases.filter((base) => base !== after);
    tellTrouble(error);
    return false;
  }
}

/** Writes what changed now. Resolves when it is stored, or after a moment if that takes long. */
export function saveNow(): Promise<void> {
  return Promise.race([
    write().then(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, MAX_HOLD_MS)),
  ]);
}

/** Where sessions are stored; null where nothing can be. */
export const findStorage = (): DeskStorage | null => storage;

/** Goes on with another session, which this tab holds. False: what is here could not be stored, so nothing was done. */
export async function enterSession(id: string, desk: Desk, isStored: boolean): Promise<boolean> {
  // What is typed while the rest is being stored belongs to the session that is left.
  let mark: Mark | null = null;
  do {
    if (!(await write()) || !storage) return false;
    mark = isStored ? await readMark(storage.database, id) : null;
  } while (readDesk() !== saved);
  storage = { ...storage, id, from: id };
  beginFrom(isStored ? desk : EMPTY_DESK, mark);
  showSession(id, desk);
  if (!isStored) await write();
  return true;
}

/** Stored desks, the one written to last first, and those of them in which nothing was ever done. */
async function readDesks(
  database: Database,
): Promise<{ readonly known: readonly string[]; readonly blank: readonly string[] }> {
  const ids = await readDeskIds(database);
  const stored = await Promise.all(ids.map(async (id) => ({ id, record: await readStoredDesk(database, id) })));
  const at = ({ record }: { readonly record: unknown }): number =>
    isObject(record) ? numberOr(record['savedAt'], 0) : 0;
  const sorted = stored.toSorted((a, b) => at(b) - at(a));
  return {
    known: sorted.map(({ id }) => id),
    blank: sorted.flatMap(({ id, record }) => (isBlankRecord(record) ? [id] : [])),
  };
}

async function warnOfFullness(): Promise<void> {
  // Not in a page that is no secure context.
  if (!('storage' in navigator)) return;
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  if (quota > 0 && usage / quota > NEARLY_FULL && useDesk.getState().storage.problem === null)
    setStorage({ problem: ALMOST_FULL });
}

let left: DisplacedSession | null = null;

/** Gives the session that was left when the page was loaded, once. */
export function takeDisplacedSession(): DisplacedSession | null {
  const taken = left;
  left = null;
  return taken;
}

/** The address asks for other models: the conversation stays as it is, and the models get a session of their own. */
async function loadFresh(database: Database, other: DisplacedSession): Promise<void> {
  const { id, from } = await claims.claimFresh(makeId);
  storage = { database, id, from };
  showSession(id, EMPTY_DESK);
  setStorage({ isLoaded: true });
  left = other;
  await warnOfFullness();
}

interface WholeDesk extends RestoredDesk {
  /** The desk's own record. */
  readonly stored: unknown;
  /** What the database holds of it. */
  readonly base: Desk;
  readonly mark: Mark | null;
  /** What the page before had not stored; null: nothing. */
  readonly left: Tail | null;
}

/** What is stored of a desk, with what the page before had not stored. */
async function readWhole(database: Database, { id: own, from: id }: Claim): Promise<WholeDesk> {
  const [stored, turns, mark] = await Promise.all([
    readStoredDesk(database, id),
    readStoredTurns(database, id),
    readMark(database, id),
  ]);
  const restored = parseDesk(stored, turns, own !== id);
  const found = parseTail(readTail(TAIL));
  const left = found?.desk === id && isNewer(found, mark) ? found : null;
  const joined = left && applyTail(left, stored, turns);
  const whole = joined && parseDesk(joined.record, joined.turns, own !== id);
  if (!whole || whole.damage === 'newer' || whole.damage === 'all')
    return { ...restored, stored, mark, base: restored.desk, left: null };
  return {
    ...whole,
    desk: shareTurns(whole.desk, restored.desk, new Set(joined.changed)),
    stored: joined.record,
    mark,
    base: restored.desk,
    left,
  };
}

/** Leaving a desk at once: what the page before had not stored of it is stored first. */
async function storeLeft(database: Database, id: string, base: Desk, desk: Desk): Promise<void> {
  const records = toRecords(id, base, desk);
  if (records) await writeRecords(database, records);
}

async function load(): Promise<void> {
  try {
    const database = await openDeskDatabase({
      onBlocked: () => setStorage({ problem: WORDS.blocked }),
      beforeClose: () => void write(),
      onOutdated: tellTrouble,
      onReopened: () => void write(),
    });
    if (useDesk.getState().storage.problem === WORDS.blocked) setStorage({ problem: null });
    const { known, blank } = await readDesks(database);
    const claimed = await claims.claim(known, makeId);
    const { stored, desk, damage, mark, base, left: unstored } = await readWhole(database, claimed);
    if (isOtherConversation(desk, readUrl().models)) {
      // In a duplicated tab the desk is another one's, which stores it by itself.
      if (unstored && claimed.id === claimed.from) await storeLeft(database, claimed.id, base, desk);
      const elsewhereTitle = await findTitleByModels(database, await claims.readElsewhere(), readUrl().models);
      return await loadFresh(database, { id: claimed.from, title: toDeskTitle(desk), elsewhereTitle });
    }
    // What a newer studio wrote is left to it, as it is.
    const { id, from } = damage === 'newer' ? await claims.claimFresh(makeId) : claimed;
    // Turns that can't be read stay where they are; the desk's own record is about to be written over.
    if (damage === 'some' || damage === 'all')
      await writeRecords(database, { puts: [[[id, 'aside', `${Date.now()}`], stored]], deletes: [] });
    storage = { database, id, from };
    // In a duplicated tab everything is new to its own desk.
    if (from === id) beginFrom(base, mark);
    showSession(id, desk);
    setStorage({ isLoaded: true, problem: DAMAGES[damage] });
    // Only what is empty is ever removed without being asked for.
    const elsewhere = await claims.readElsewhere();
    for (const old of blank.slice(MAX_BLANK)) if (old !== id && !elsewhere.has(old)) await deleteDesk(database, old);
    await warnOfFullness();
  } catch (error) {
    setStorage({ isLoaded: true });
    tellTrouble(error);
  }
}

function saveSoon(): void {
  timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
}

let isActDue = false;

/**
 * Once for all that is done in one go. A reload may come before the next second, and may not wait for what it starts.
 */
function saveAct(): void {
  if (isActDue) return;
  isActDue = true;
  queueMicrotask(() => {
    isActDue = false;
    void write();
  });
}

const beforeLeaving = new Set<() => void>();

/** Calls `finish` before the page is hidden or goes: what has been read but not shown has to be stored as well. */
export function watchLeaving(finish: () => void): void {
  beforeLeaving.add(finish);
}

let leaving: Leaving | null = null;

/** The page is being left: the browser hangs up on requests before it lets it go, which is no fault of the service. */
export const isLeaving = (): boolean => leaving?.isLeaving() ?? false;

function leave(): void {
  for (const finish of beforeLeaving) finish();
  // First: a write that begins now may never end.
  tail.now();
  void write();
}

/** Another tab turned out to have this desk, as where a duplicated tab had no answer in time: a copy goes on here. */
async function goOnWithCopy(): Promise<void> {
  if (!storage) return;
  const { database } = storage;
  storage = null;
  const { id } = await claims.claimFresh(makeId);
  storage = { database, id, from: id };
  beginFrom(EMPTY_DESK, null);
  showSession(id, readDesk());
  await write();
}

function watch(): void {
  claims.onLost = () => void goOnWithCopy();
  useDesk.subscribe(({ desk }, before) => {
    if (desk === before.desk) return;
    saveSoon();
    tail.soon();
    if (isPersonsAction(before.desk, desk)) saveAct();
  });
  leaving = watchPageLeaving(window, leave);
  document.addEventListener('visibilitychange', () => document.hidden && leave());
  tail.now();
  // What the page before had not stored, or the copy in a duplicated tab.
  if (storage && readDesk() !== saved) void write();
}

let start: Promise<void> | null = null;

/** Loads the stored state into the store, once per page, and keeps it stored from then on. */
export function openDeskSaver(): Promise<void> {
  start ??= load().then(watch);
  return start;
}
