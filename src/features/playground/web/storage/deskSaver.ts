// Keeps the playground's state across reloads. It loads the state once, then writes changes: actions on messages at
// once, typed and streamed text at most once a second, everything when the page closes. Unwritten changes are in the
// tab's session storage (the tail), which the next page reads. Problems are shown, never thrown.
import { isObject, numberOr } from '#core/contract/reading.ts';
import { DatabaseTrouble, type Database } from '#ui/storage/browserDatabase.ts';
import { watchPageLeaving, type Leaving } from '#ui/storage/leaving.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { toStorageProblem } from '#ui/storage/storageWords.ts';
import { TabClaims, type Claim } from '#ui/storage/tabClaims.ts';
import { readTail, TabTail } from '#ui/storage/tabTail.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { EMPTY_DESK, type Desk } from '#features/playground/web/desk/desk.ts';
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
import { isAct, isBlankRecord, parseDesk, toChanges, type RestoredDesk } from './deskRecords.ts';
import { ALMOST_FULL, DAMAGES, UNSAVED, WORDS, WRITING } from './deskStorageWords.ts';
import { readDesk, setStorage, showSession, useDesk } from '#features/playground/web/desk/deskStore.ts';
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
import { isOtherConversation } from '#features/playground/web/desk/panes.ts';
import { toDeskTitle } from '#features/playground/web/desk/sessionTitle.ts';

const SAVE_EVERY_MS = 1000;
/** A message is sent even if storing it takes longer than this. */
const MAX_WAIT_MS = 400;
/** Blank desks to keep, for tabs that a person has opened but not used yet. */
const MAX_BLANK = 12;
/** In characters: a browser gives a tab five million, and other parts of the page need some. */
const MAX_TAIL = 2_000_000;
const TAIL = 'studio.desk.tail';
/** The share of the browser's storage that triggers the warning. */
const NEARLY_FULL = 0.9;

export interface DeskStorage {
  readonly database: Database;
  /** The desk that this tab writes to. */
  readonly id: string;
  /** The desk that the tab loaded; differs from `id` only in a duplicated tab. */
  readonly from: string;
}

/** The desks that this tab has open. */
export const claims = new TabClaims('studio.desk');

let storage: DeskStorage | null = null;
/** The state that the database holds or is about to hold. */
let saved: Desk = EMPTY_DESK;
/** Counts failures that reset `saved`. A write that began before a reset must not change `saved` or `bases`. */
let resets = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

/** States that the database may hold: the last stored one, then those of unfinished writes. */
let bases: readonly Desk[] = [EMPTY_DESK];
const life = makeId();
let count = 0;
/** The mark of the last write before this page read the desk. */
let seen: Mark | null = null;

function nextMark(): Mark {
  count += 1;
  return { life, count };
}

/** A person deleted the conversations, so no copy may stay in this tab either. */
let isDeleted = false;

const tail = new TabTail(TAIL, () => {
  if (isDeleted) return null;
  // Keeps the tail of the previous page for the next one, when the database may open again.
  if (!storage) return undefined;
  const changes = toTail(bases, readDesk());
  return changes && toTailText({ version: 1, desk: storage.id, mark: nextMark(), seen, ...changes }, MAX_TAIL);
});

/** Sets the state that the database holds for the desk of this tab. */
function setStored(desk: Desk, mark: Mark | null): void {
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

function reportTrouble(error: unknown): void {
  const kind = error instanceof DatabaseTrouble ? error.kind : null;
  if (kind === 'deleted' && !isDeleted) {
    isDeleted = true;
    tail.now();
  }
  const isOutdated = kind === 'outdated' || kind === 'deleted';
  setStorage({ problem: toStorageProblem(error, WORDS), isReloadNeeded: isOutdated });
}

/** Unfinished writes. */
const inFlight = new Set<Promise<boolean>>();

/**
 * Writes changes. Resolves to whether this and all earlier writes succeeded. Starts at once: the page may be closing.
 */
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
  const resetsBefore = resets;
  try {
    await writeRecords(storage.database, records);
    if (resetsBefore === resets && bases.includes(after)) bases = bases.slice(bases.indexOf(after));
    tail.now();
    const { problem } = useDesk.getState().storage;
    if (problem !== null && WRITING.has(problem)) setStorage({ problem: null });
    return true;
  } catch (error) {
    // Nothing was stored, so the next write starts again from the state before. Writes end in the order in which they
    // began: if several fail, the state before the first one counts.
    if (resetsBefore === resets && storage.id === id) {
      saved = before;
      resets += 1;
    }
    bases = bases.filter((base) => base !== after);
    reportTrouble(error);
    return false;
  }
}

/** Writes changes now. Resolves when they are stored, or after MAX_WAIT_MS. */
export function saveNow(): Promise<void> {
  return Promise.race([
    write().then(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
  ]);
}

/** The database and desk of this tab; null if nothing can be stored. */
export const findStorage = (): DeskStorage | null => storage;

interface Entering {
  readonly isStored: boolean;
  /** Asked right before the switch: why the current session stays, or null. */
  readonly findObstacle: () => string | null;
  /** Called in the same task as the switch. */
  readonly onShown: () => void;
}

/** Switches to another session that this tab has claimed. Resolves to why the current one stays, or null. */
export async function enterSession(id: string, desk: Desk, entering: Entering): Promise<string | null> {
  const { isStored, findObstacle, onShown } = entering;
  // Text typed during the write belongs to the old session, so the loop writes until nothing is new.
  let mark: Mark | null = null;
  do {
    if (!(await write()) || !storage) return UNSAVED;
    mark = isStored ? await readMark(storage.database, id) : null;
  } while (readDesk() !== saved);
  const obstacle = findObstacle();
  if (obstacle !== null) return obstacle;
  storage = { ...storage, id, from: id };
  setStored(isStored ? desk : EMPTY_DESK, mark);
  showSession(id, desk);
  onShown();
  if (!isStored) await write();
  return null;
}

/** Ids of stored desks, the last written first, and ids of the blank ones among them. */
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
  // `storage` exists only in secure contexts.
  if (!('storage' in navigator)) return;
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  if (quota > 0 && usage / quota > NEARLY_FULL && useDesk.getState().storage.problem === null)
    setStorage({ problem: ALMOST_FULL });
}

let displaced: DisplacedSession | null = null;

/** Returns the session that the address displaced when the page loaded. Only the first call returns it. */
export function takeDisplacedSession(): DisplacedSession | null {
  const taken = displaced;
  displaced = null;
  return taken;
}

/** Starts a new session because the address names other models. The stored conversation stays unchanged. */
async function loadFresh(database: Database, other: DisplacedSession): Promise<void> {
  const { id, from } = await claims.claimFresh(makeId);
  storage = { database, id, from };
  showSession(id, EMPTY_DESK);
  setStorage({ isLoaded: true });
  displaced = other;
  await warnOfFullness();
}

interface CompleteDesk extends RestoredDesk {
  /** The main record of the desk. */
  readonly stored: unknown;
  /** The desk as the database holds it. */
  readonly base: Desk;
  readonly mark: Mark | null;
  /** The applied tail of the previous page; null: there is none. */
  readonly appliedTail: Tail | null;
}

/** Reads a stored desk and applies the tail of the previous page. */
async function readComplete(database: Database, { id: own, from: id }: Claim): Promise<CompleteDesk> {
  const [stored, turns, mark] = await Promise.all([
    readStoredDesk(database, id),
    readStoredTurns(database, id),
    readMark(database, id),
  ]);
  const restored = parseDesk(stored, turns, own !== id);
  const found = parseTail(readTail(TAIL));
  const appliedTail = found?.desk === id && isNewer(found, mark) ? found : null;
  const joined = appliedTail && applyTail(appliedTail, stored, turns);
  const complete = joined && parseDesk(joined.record, joined.turns, own !== id);
  if (!complete || complete.damage === 'newer' || complete.damage === 'all')
    return { ...restored, stored, mark, base: restored.desk, appliedTail: null };
  return {
    ...complete,
    desk: shareTurns(complete.desk, restored.desk, new Set(joined.changed)),
    stored: joined.record,
    mark,
    base: restored.desk,
    appliedTail,
  };
}

/** Stores the tail of the previous page in a desk that this page doesn't show. */
async function storeTail(database: Database, id: string, base: Desk, desk: Desk): Promise<void> {
  const records = toRecords(id, base, desk);
  if (records) await writeRecords(database, records);
}

async function load(): Promise<void> {
  try {
    const database = await openDeskDatabase({
      onBlocked: () => setStorage({ problem: WORDS.blocked }),
      beforeClose: () => void write(),
      onOutdated: reportTrouble,
      onReopened: () => void write(),
    });
    if (useDesk.getState().storage.problem === WORDS.blocked) setStorage({ problem: null });
    const { known, blank } = await readDesks(database);
    const claimed = await claims.claim(known, makeId);
    const { stored, desk, damage, mark, base, appliedTail } = await readComplete(database, claimed);
    if (isOtherConversation(desk, readUrl().models)) {
      // In a duplicated tab the desk belongs to the original tab, which stores it itself.
      if (appliedTail && claimed.id === claimed.from) await storeTail(database, claimed.id, base, desk);
      const elsewhereTitle = await findTitleByModels(database, await claims.readElsewhere(), readUrl().models);
      return await loadFresh(database, { id: claimed.from, title: toDeskTitle(desk), elsewhereTitle });
    }
    // A desk of a newer studio stays untouched.
    const { id, from } = damage === 'newer' ? await claims.claimFresh(makeId) : claimed;
    // Unreadable turns stay in place. The main record is about to be overwritten, so a copy is put aside.
    if (damage === 'some' || damage === 'all')
      await writeRecords(database, { puts: [[[id, 'aside', `${Date.now()}`], stored]], deletes: [] });
    storage = { database, id, from };
    // In a duplicated tab the new desk has nothing stored yet.
    if (from === id) setStored(base, mark);
    showSession(id, desk);
    setStorage({ isLoaded: true, problem: DAMAGES[damage] });
    // Only blank desks are ever deleted automatically.
    const elsewhere = await claims.readElsewhere();
    for (const old of blank.slice(MAX_BLANK)) if (old !== id && !elsewhere.has(old)) await deleteDesk(database, old);
    await warnOfFullness();
  } catch (error) {
    setStorage({ isLoaded: true });
    reportTrouble(error);
  }
}

function saveSoon(): void {
  timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
}

let isSaveDue = false;

/** Writes in a microtask, once for all changes of the same task. A reload may come within the next second. */
function saveAtOnce(): void {
  if (isSaveDue) return;
  isSaveDue = true;
  queueMicrotask(() => {
    isSaveDue = false;
    void write();
  });
}

const beforeLeaving = new Set<() => void>();

/** Calls `finish` before the page is hidden or closes, so that text that was read but not shown is stored too. */
export function watchLeaving(finish: () => void): void {
  beforeLeaving.add(finish);
}

let leaving: Leaving | null = null;

/** The page is closing. The browser aborts requests then, which is no fault of the service. */
export const isLeaving = (): boolean => leaving?.isLeaving() ?? false;

function leave(): void {
  for (const finish of beforeLeaving) finish();
  // The tail comes first: a write that begins now may never finish.
  tail.now();
  void write();
}

/** Another tab has this desk, for example because a duplicated tab got no answer in time. Continues with a copy. */
async function continueWithCopy(): Promise<void> {
  if (!storage) return;
  const { database } = storage;
  storage = null;
  const { id } = await claims.claimFresh(makeId);
  storage = { database, id, from: id };
  setStored(EMPTY_DESK, null);
  showSession(id, readDesk());
  await write();
}

function watch(): void {
  claims.onLost = () => void continueWithCopy();
  useDesk.subscribe(({ desk }, before) => {
    if (desk === before.desk) return;
    saveSoon();
    tail.soon();
    if (isAct(before.desk, desk)) saveAtOnce();
  });
  leaving = watchPageLeaving(window, leave);
  document.addEventListener('visibilitychange', () => document.hidden && leave());
  tail.now();
  // Writes the tail of the previous page, or the copy in a duplicated tab.
  if (storage && readDesk() !== saved) void write();
}

let start: Promise<void> | null = null;

/** Loads the stored state into the store, once per page, then keeps it stored. */
export function openDeskSaver(): Promise<void> {
  start ??= load().then(watch);
  return start;
}
