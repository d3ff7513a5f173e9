// Keeps the playground's state across reloads: actions on messages are written at once, typed and streamed text at most
// once a second.
import { isObject, numberOr } from '#core/contract/readJson.ts';
import { readRecords, writeRecords, type Database, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { StoredDocument } from '#ui/storage/storedDocument.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { EMPTY_DESK, type Desk } from '#features/playground/web/desk/desk.ts';
import { readDesk, setStorage, showSession, useDesk } from '#features/playground/web/desk/deskStore.ts';
import { isOtherConversation, toModels } from '#features/playground/web/desk/panes.ts';
import { toDeskTitle } from '#features/playground/web/desk/sessionTitle.ts';
import { openDeskDatabase, readDeskIds, readStoredDesk, toDeskParts, toRecord, toWholeDesk } from './deskDatabase.ts';
import { isAct, isBlankRecord, parseDesk, toChanges, type RestoredDesk } from './deskRecords.ts';
import { toStorageWords } from '#ui/storage/storageWords.ts';

// Messages for a person when conversations can't be stored or read.

const KEPT = "What can't be read is kept in the browser's database.";
/** The message for each kind of damage. */
export const DAMAGES: Readonly<Record<RestoredDesk['damage'], string | null>> = {
  none: null,
  some: `Some stored conversations were damaged and could not be restored. ${KEPT}`,
  all: `The stored conversations were damaged and could not be restored. ${KEPT}`,
  newer:
    `The stored conversations come from a newer version of the studio, so this one starts empty. ${KEPT} Update ` +
    'the studio to see them.',
};
export const WORDS = toStorageWords(
  'conversations',
  'session',
  'This browser does not let the page store anything: conversations are lost when it is reloaded.',
  "The browser's storage is full: new work is lost when the page is reloaded. Export and delete " +
    'sessions, or free some space.',
);
export const ALMOST_FULL =
  "The browser's storage is nearly full. Export and delete sessions that are no longer needed: what does not fit " +
  'is lost when the page is reloaded.';

/** A message is sent even if storing it takes longer than this. */
const MAX_WAIT_MS = 400;
/** The share of the browser's storage that triggers the warning. */
const NEARLY_FULL = 0.9;

/** The state whose records were handed over to be stored. */
let saved: Desk = EMPTY_DESK;

function takeChanges(id: string): readonly StoredRecord[] {
  const after = readDesk();
  const changes = toChanges(saved, after);
  saved = after;
  if (!changes) return [];
  return [
    ...(changes.desk ? [toRecord([id, 'desk', ''], { ...changes.desk, savedAt: Date.now() })] : []),
    ...changes.turns.map((turn) => toRecord([id, 'turn', turn.id], turn)),
    ...changes.removed.map((turnId) => toRecord([id, 'turn', turnId], undefined)),
  ];
}

/** The session of this tab. */
export const session = new StoredDocument({
  key: 'studio.desk',
  words: WORDS,
  open: openDeskDatabase,
  toParts: toDeskParts,
  toWhole: toWholeDesk,
  takeChanges,
  onCopy: (id) => {
    saved = EMPTY_DESK;
    showSession(id, readDesk());
  },
  toMarkRecord: (id, mark) => toRecord([id, 'mark', ''], mark),
  readProblem: () => useDesk.getState().storage.problem,
  showProblem: (problem, isReloadNeeded) => setStorage({ problem, isReloadNeeded }),
});

/** Writes changes now. Resolves when they are stored, or after MAX_WAIT_MS. */
export function saveNow(): Promise<void> {
  return Promise.race([
    session.write().then(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS)),
  ]);
}

interface ReadDesk extends RestoredDesk {
  /** The main record. */
  readonly record: unknown;
}

/** Parses the records of a desk's parts. `isCopy`: another tab has the desk open. */
function parseRecords(records: readonly StoredRecord[], isCopy = false): ReadDesk {
  const ofKind = (kind: string): readonly unknown[] =>
    records.flatMap(([, key, value]) => (key[1] === kind ? [value] : []));
  const [record] = ofKind('desk');
  return { ...parseDesk(record, ofKind('turn'), isCopy), record };
}

/** Reads a stored desk; null if there is none. */
export async function readDeskOf(
  database: Database,
  id: string,
): Promise<(ReadDesk & { readonly stored: readonly StoredRecord[] }) | null> {
  const stored = await readRecords(database, toDeskParts(id));
  const found = parseRecords(stored);
  return found.record === undefined ? null : { ...found, stored };
}

/** Puts a copy of a damaged desk's main record aside. Unreadable turns stay where they are. */
export const keepDamaged = (database: Database, id: string, record: unknown): Promise<void> =>
  writeRecords(database, [toRecord([id, 'aside', `${Date.now()}`], record)]);

interface Entering {
  /** The records of a stored session; none: the session is new. */
  readonly stored: readonly StoredRecord[];
  readonly findObstacle: () => string | null;
  /** Called in the same task as the switch. */
  readonly onShown: () => void;
}

/** Switches to another session that this tab has claimed. Resolves to why the current one stays, or null. */
export async function enterSession(
  id: string,
  desk: Desk,
  { stored, findObstacle, onShown }: Entering,
): Promise<string | null> {
  const show = (): null => {
    saved = stored.length > 0 ? desk : EMPTY_DESK;
    showSession(id, desk);
    onShown();
    return null;
  };
  const problem = await session.enter(id, { findObstacle, show, stored });
  if (problem === null && stored.length === 0) await session.write();
  return problem;
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

/** The page would have continued this session, but the address names other models. */
export interface DisplacedSession {
  readonly id: string;
  readonly title: string;
  /** Title of a session that another tab has open with exactly the models of the address; null: there is none. */
  readonly elsewhereTitle: string | null;
}

let displaced: DisplacedSession | null = null;

/** Returns the session that the address displaced when the page loaded. Only the first call returns it. */
export function takeDisplacedSession(): DisplacedSession | null {
  const taken = displaced;
  displaced = null;
  return taken;
}

/** The title of the first session of other tabs with exactly these models. */
async function findTitleElsewhere(database: Database, models: readonly string[]): Promise<string | null> {
  for (const id of await session.claims.readElsewhere()) {
    const { desk = EMPTY_DESK } = (await readDeskOf(database, id)) ?? {};
    if (toModels(desk).join('\n') === models.join('\n')) return toDeskTitle(desk);
  }
  return null;
}

async function begin(database: Database): Promise<void> {
  const { known, blank } = await readDesks(database);
  const claimed = await session.claims.claim(known, makeId);
  const isCopy = claimed.id !== claimed.from;
  const { desk, damage, record } = parseRecords(await session.readClaimed(database, claimed), isCopy);
  const isDisplaced = isOtherConversation(desk, readUrl().models);
  session.begin({ database, id: claimed.id });
  if (isDisplaced) {
    // The stored conversation stays, with its tail. In a duplicated tab the original tab stores it.
    await session.write();
    displaced = {
      id: claimed.from,
      title: toDeskTitle(desk),
      elsewhereTitle: await findTitleElsewhere(database, readUrl().models),
    };
  }
  // A desk of a newer studio stays untouched.
  const isFresh = isDisplaced || damage === 'newer';
  const id = isFresh ? (await session.claims.claimFresh(makeId)).id : claimed.id;
  session.begin({ database, id }, isFresh);
  if (!isDisplaced && (damage === 'some' || damage === 'all')) await keepDamaged(database, id, record);
  // In a duplicated tab the new desk has nothing stored yet.
  if (!isFresh && !isCopy) saved = desk;
  showSession(id, isDisplaced ? EMPTY_DESK : desk);
  setStorage({ isLoaded: true, problem: isDisplaced ? null : DAMAGES[damage] });
  await session.prune(database, blank, (records) => isBlankRecord(parseRecords(records).record));
  await warnOfFullness();
}

function watch(): void {
  setStorage({ isLoaded: true });
  useDesk.subscribe(({ desk }, before) => {
    if (desk !== before.desk) session.saveSoon(isAct(before.desk, desk));
  });
}

let start: Promise<void> | null = null;

/** Loads the stored state into the store, once per page, then keeps it stored. */
export function openDeskSaver(): Promise<void> {
  start ??= session.load(begin).then(watch);
  return start;
}
