// Keeps the grid across reloads: loads it once, then writes what changed: an answer as soon as it is in its cell, the
// rest at most once a second and when the page goes. Problems are told, never thrown.
import type { Database } from '#web/session/browserDatabase.ts';
import { makeId } from '#web/session/makeId.ts';
import { toStorageProblem, toStorageWords } from '#web/session/storageWords.ts';
import { readUrl } from '#web/session/urlState.ts';
import { countAnswers, isSettled, type GridCell } from '#web/grid/cells/gridBook.ts';
import { openGridDatabase, writeGrid } from './gridDatabase.ts';
import { parseCell, parseGridRecord, toCellRecord, toGridRecord, toStored } from '#web/grid/cells/gridRecords.ts';
import { readBook, setBook, subscribeCells, useGrid } from './gridStore.ts';
import { parseEntry, type GridEntry } from './gridEntry.ts';
import { EMPTY_SETUP } from '#web/grid/cells/gridSetup.ts';
import { claims, findGrid, removeEmpty, setAside, type FoundGrid } from './keptGrids.ts';

const SAVE_EVERY_MS = 1000;
const WORDS = toStorageWords(
  'grids',
  'This browser does not let the page store anything: the grid is lost when the page is reloaded. Export what ' +
    'you need.',
  "The browser's storage is full: new answers are lost when the page is reloaded. Export them, then free some space.",
);
/** What is over once something could be stored. */
const WRITING: ReadonlySet<string> = new Set([WORDS.none, WORDS.full, WORDS.closed]);
const UNSAVED = 'The grid on show could not be stored, so it stays. Export it or free some space first.';
const DAMAGED =
  'The stored grid was damaged or comes from another version of the studio, and could not be restored. A new one ' +
  'begins here; the old one is kept in the browser’s database.';
const toUnreadText = (reason: string): string =>
  `The stored grid could not be read or put aside (${reason}). It is left as it is, and nothing is written over ` +
  'it: what is done here is lost when the page is reloaded. Export what you need; a reload tries again.';

let storage: { readonly database: Database; readonly id: string } | null = null;
/**
 * What of one grid is not stored as it is. Another grid gets a record of its own, so nothing of one reaches another.
 */
interface Unsaved {
  /** Places of cells. */
  places: Set<number>;
  isSetup: boolean;
}
let unsaved: Unsaved = { places: new Set(), isSetup: false };
const isUnsaved = (): boolean => unsaved.places.size > 0 || unsaved.isSetup;
/** The earlier prompts by which stored answers name theirs: only ever added to. */
let prompts: string[] = [];
let timer: ReturnType<typeof setTimeout> | null = null;

/** What the list says of the grid on show. A grid belongs to the project in which something was first put into it. */
function toOwnEntry(): GridEntry {
  const { setup, kept } = useGrid.getState();
  const isEmpty = setup.rows.length === 0;
  if (kept.project === null && !isEmpty) useGrid.setState({ kept: { ...kept, project: readUrl().project } });
  const { name, project } = useGrid.getState().kept;
  const columns = setup.columns.map((column) => column.name ?? column.label);
  return {
    name,
    project,
    savedAt: Date.now(),
    rows: setup.rows.length,
    answers: countAnswers(readBook().counts),
    columns,
    isReadable: true,
  };
}

function placeOf(prompt: string): number {
  const place = prompts.indexOf(prompt);
  if (place >= 0) return place;
  unsaved.isSetup = true;
  return prompts.push(prompt) - 1;
}

function toMap(places: ReadonlySet<number>): ReadonlyMap<number, unknown> {
  const { cells } = readBook();
  return new Map([...places].map((at) => [at, toCellRecord(cells[at], placeOf)]));
}

/** Writes on their way, each with whether it was stored. */
const inFlight = new Set<Promise<boolean>>();

/** Whether everything is stored now, also what earlier writes bring. It begins at once: a page may be going. */
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
  if (!isUnsaved()) return true;
  const { database, id } = storage;
  const from = unsaved;
  const { places } = from;
  // First: a prompt that is new to the record is stored along with the first answer that names it.
  const cells = toMap(places);
  const hasSetup = from.isSetup;
  from.places = new Set();
  from.isSetup = false;
  try {
    const { setup, checks, problem } = useGrid.getState();
    await writeGrid(database, id, {
      ...(hasSetup ? { setup: toGridRecord({ setup, checks, prompts, savedAt: Date.now() }) } : {}),
      cells,
      entry: toOwnEntry(),
    });
    if (problem !== null && WRITING.has(problem)) useGrid.setState({ problem: null });
    return true;
  } catch (error) {
    // Nothing of it was stored: it goes along with the next write of the same grid.
    for (const at of places) from.places.add(at);
    from.isSetup ||= hasSetup;
    useGrid.setState({ problem: toStorageProblem(error, WORDS) });
    return false;
  }
}

/** Writes what changed. Resolves when it is stored, or when that failed and was said. */
export async function saveGrid(): Promise<void> {
  await write();
}

function saveSoon(): void {
  timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
}

const isAnswered = (cell: GridCell | undefined): boolean => cell !== undefined && isSettled(cell);
let isAnswerDue = false;

/** Once for all answers that come in one go. A reload may come before the next second, and waits for no write. */
function saveAnswers(): void {
  if (isAnswerDue) return;
  isAnswerDue = true;
  queueMicrotask(() => {
    isAnswerDue = false;
    void write();
  });
}

/** The book was replaced: what differs from the one before is to be written. */
function compareBooks(before: readonly GridCell[]): void {
  const after = readBook().cells;
  for (let at = 0; at < Math.max(before.length, after.length); at += 1)
    if (toStored(before[at]) !== toStored(after[at])) unsaved.places.add(at);
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens the stored grid; false: it can't be read, or not be opened, and all is as it was. */
function restore({ id, from, setup, cells, entry }: FoundGrid): boolean {
  const stored = parseGridRecord(setup);
  if (stored === null && setup !== undefined) return false;
  const known = new Map(
    cells.flatMap(([at, value]) => {
      const cell = parseCell(value, stored?.prompts ?? []);
      return cell ? [[at, cell] as const] : [];
    }),
  );
  const { checks } = useGrid.getState();
  const { name = '', project = null } = parseEntry(entry) ?? {};
  try {
    useGrid.setState({ checks: stored?.checks ?? [] });
    setBook(stored?.setup ?? EMPTY_SETUP, known);
  } catch {
    useGrid.setState({ checks });
    return false;
  }
  useGrid.setState({ kept: { id, name, project } });
  prompts = [...(stored?.prompts ?? [])];
  // In a duplicated tab everything is new to its own grid.
  unsaved = { places: new Set(), isSetup: from !== id && stored !== null };
  if (from !== id) compareBooks([]);
  return true;
}

/** Gives the older of too many grids. Only what was read, or put aside, may be written over: `storage` is set last. */
async function loadFrom(database: Database): Promise<readonly string[]> {
  try {
    const { found, surplus } = await findGrid(database, readUrl().project);
    if (!restore(found)) {
      await setAside(found);
      useGrid.setState({ problem: DAMAGED, kept: { id: found.id, name: '', project: null } });
    }
    storage = { database, id: found.id };
    return surplus;
  } catch (error) {
    useGrid.setState({ problem: toUnreadText(toReason(error)) });
    return [];
  }
}

async function load(): Promise<readonly string[]> {
  try {
    const database = await openGridDatabase({
      onBlocked: () => useGrid.setState({ problem: WORDS.blocked }),
      beforeClose: () => void write(),
      onOutdated: (trouble) => useGrid.setState({ problem: toStorageProblem(trouble, WORDS) }),
      onReopened: () => void write(),
    });
    if (useGrid.getState().problem === WORDS.blocked) useGrid.setState({ problem: null });
    return await loadFrom(database);
  } catch (error) {
    useGrid.setState({ problem: toStorageProblem(error, WORDS) });
    return [];
  } finally {
    useGrid.setState({ isLoaded: true });
  }
}

/** Where grids are stored; null where nothing can be. */
export const findGridStorage = (): { readonly database: Database; readonly id: string } | null => storage;

/** Puts another grid, which this tab holds, in the place of the one on show. The reason why not, or null. */
export async function enterGrid(found: FoundGrid): Promise<string | null> {
  // What changes while the rest is being stored belongs to the grid that is left.
  do if (!(await write()) || !storage) return UNSAVED;
  while (isUnsaved());
  const before = storage;
  // While it is opened, what changes is not the old grid's, and nothing is new to the other one.
  storage = null;
  const isOpen = restore(found);
  storage = isOpen ? { database: before.database, id: found.id } : before;
  return isOpen ? null : 'It is damaged or comes from another version of the studio, and can’t be opened.';
}

/** Calls the grid on show something else; an empty name: it goes by its rows. */
export function nameGrid(name: string): void {
  useGrid.setState(({ kept }) => ({ kept: { ...kept, name } }));
  unsaved.isSetup = true;
  void write();
}

/** Another tab turned out to have this grid, as where a duplicated tab had no answer in time: a copy goes on here. */
async function goOnWithCopy(): Promise<void> {
  if (!storage) return;
  const { database } = storage;
  storage = null;
  const { id } = await claims.claimFresh(makeId);
  storage = { database, id };
  useGrid.setState(({ kept }) => ({ kept: { ...kept, id } }));
  unsaved = { places: new Set(), isSetup: true };
  compareBooks([]);
  await write();
}

function watch(): void {
  claims.onLost = () => void goOnWithCopy();
  let { setup, checks } = useGrid.getState();
  let { cells } = readBook();
  useGrid.subscribe((state) => {
    if (state.setup === setup && state.checks === checks) return;
    if (state.setup !== setup) compareBooks(cells);
    ({ setup, checks } = state);
    ({ cells } = readBook());
    unsaved.isSetup = true;
    saveSoon();
  });
  subscribeCells((places) => {
    const { cells: now } = readBook();
    for (const at of places) unsaved.places.add(at);
    if (places.some((at) => isAnswered(now[at]))) saveAnswers();
    else saveSoon();
  });
  window.addEventListener('pagehide', () => void write());
  document.addEventListener('visibilitychange', () => document.hidden && void write());
  if (isUnsaved()) saveSoon();
}

let start: Promise<void> | null = null;

/** Loads the stored grid, once per page, and keeps it stored from then on. */
export function openGridSaver(): Promise<void> {
  start ??= load().then((surplus) => {
    watch();
    return storage ? removeEmpty(storage.database, surplus) : undefined;
  });
  return start;
}
