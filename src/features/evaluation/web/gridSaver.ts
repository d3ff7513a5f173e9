// Stores the grid across reloads: loads it once, then writes changes: answers at once, the rest at most once a second
// and when the page unloads. Sets `problem` instead of throwing.
import type { Database } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { toStorageProblem, toStorageWords } from '#ui/storage/storageWords.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { countAnswers, isSettled, type GridCell } from '#features/evaluation/web/cells/gridBook.ts';
import { openGridDatabase, writeGrid } from './gridDatabase.ts';
import {
  parseCell,
  parseGridRecord,
  toCellRecord,
  toGridRecord,
  toStored,
} from '#features/evaluation/web/cells/gridRecords.ts';
import { toSamplingText } from '#features/evaluation/web/cells/sampling.ts';
import { readBook, readTally, setBook, setView, subscribeCells, useGrid, WHOLE_VIEW } from './gridStore.ts';
import { parseEntry, type EntryRate, type GridEntry } from './gridEntry.ts';
import { EMPTY_SETUP } from '#features/evaluation/web/cells/gridSetup.ts';
import { claims, findGrid, removeEmpty, setAside, type FoundGrid } from './storedGrids.ts';

const SAVE_EVERY_MS = 1000;
const WORDS = toStorageWords(
  'grids',
  'This browser does not let the page store anything: the grid is lost when the page is reloaded. Export what ' +
    'you need.',
  "The browser's storage is full: new answers are lost when the page is reloaded. Export them, then free some space.",
);
/** Problems that are over after a successful write. */
const WRITE_PROBLEMS: ReadonlySet<string> = new Set([WORDS.none, WORDS.full, WORDS.closed]);
const UNSAVED = 'The current grid could not be stored, so it stays open. Export it or free some space first.';
const DAMAGED =
  'The stored grid was damaged or comes from another version of the studio, and could not be restored. A new one ' +
  'begins here; the old one is kept in the browser’s database.';
const toUnreadText = (reason: string): string =>
  `The stored grid could not be read or put aside (${reason}). It is left as it is, and nothing is written over ` +
  'it: new work is lost when the page is reloaded. Export what you need; a reload tries again.';

let storage: { readonly database: Database; readonly id: string } | null = null;
/** The unsaved changes of one grid. Another grid gets another object, so that changes never mix. */
interface Unsaved {
  /** Places of changed cells. */
  places: Set<number>;
  isSetup: boolean;
  /** Pass rates, which only the list of grids shows. */
  isEntry: boolean;
}
const toUnsaved = (isSetup: boolean): Unsaved => ({ places: new Set(), isSetup, isEntry: false });
let unsaved = toUnsaved(false);
const isUnsaved = (): boolean => unsaved.places.size > 0 || unsaved.isSetup || unsaved.isEntry;
/** The pass rates in the stored entry, as JSON. */
let storedRates = '[]';
/** Earlier prompts, which stored answers name by index. The list only grows. */
let prompts: string[] = [];
let timer: ReturnType<typeof setTimeout> | null = null;

/** The list entry of the current grid. A grid joins the project that is open when it gets its first rows. */
function toOwnEntry(): GridEntry {
  const { setup, storedAs } = useGrid.getState();
  const isEmpty = setup.rows.length === 0;
  if (storedAs.project === null && !isEmpty)
    useGrid.setState({ storedAs: { ...storedAs, project: readUrl().project } });
  const { name, project } = useGrid.getState().storedAs;
  const columns = setup.columns.map((column) => column.name ?? column.label);
  return {
    name,
    project,
    savedAt: Date.now(),
    rows: setup.rows.length,
    answers: countAnswers(readBook().counts),
    columns,
    source: setup.source ?? '',
    rates: toEntryRates(),
    isReadable: true,
  };
}

/** Without checks there are no rates. */
function toEntryRates(): readonly EntryRate[] {
  const { setup, checks } = useGrid.getState();
  if (checks.length === 0) return [];
  return setup.columns.map(({ request }, at) => {
    const { passed, total } = readTally().columnResult(at).rate;
    return { passed, total, sampling: toSamplingText(request) };
  });
}

/** Verdicts come later than their answers: the entry is stored again once every answer has one. */
function saveRates(): void {
  const { setup, checks } = useGrid.getState();
  const isPending = setup.columns.some((_, at) => {
    const { done, unchecked, rate } = readTally().columnResult(at);
    return checks.length > 0 && unchecked + rate.total < done;
  });
  const rates = isPending ? storedRates : JSON.stringify(toEntryRates());
  if (rates === storedRates) return;
  storedRates = rates;
  unsaved.isEntry = true;
  saveSoon();
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

/** Pending writes, each resolving to whether it succeeded. */
const inFlight = new Set<Promise<boolean>>();

/**
 * Resolves to whether everything is stored, including earlier pending writes. Starts at once, because the page may
 * unload.
 */
async function write(): Promise<boolean> {
  const writing = writeChanges();
  inFlight.add(writing);
  void writing.finally(() => inFlight.delete(writing));
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
  // Must come first: it may add a prompt, which is then stored together with the first answer that names it.
  const cells = toMap(places);
  const { isSetup: hasSetup, isEntry: hasEntry } = from;
  Object.assign(from, toUnsaved(false));
  try {
    const { setup, checks, problem } = useGrid.getState();
    await writeGrid(database, id, {
      ...(hasSetup ? { setup: toGridRecord({ setup, checks, prompts, savedAt: Date.now() }) } : {}),
      cells,
      entry: toOwnEntry(),
    });
    if (problem !== null && WRITE_PROBLEMS.has(problem)) useGrid.setState({ problem: null });
    return true;
  } catch (error) {
    // Nothing was stored: the next write of the same grid includes it.
    for (const at of places) from.places.add(at);
    from.isSetup ||= hasSetup;
    from.isEntry ||= hasEntry;
    useGrid.setState({ problem: toStorageProblem(error, WORDS) });
    return false;
  }
}

/** Writes all changes. Resolves when they are stored, or when `problem` says why not. */
export async function saveGrid(): Promise<void> {
  await write();
}

function saveSoon(): void {
  timer ??= setTimeout(() => void write(), SAVE_EVERY_MS);
}

const isAnswered = (cell: GridCell | undefined): boolean => cell !== undefined && isSettled(cell);
let isAnswerSaveQueued = false;

/** One write for all answers of the same task. It starts at once, because a reload waits for nothing. */
function saveAnswers(): void {
  if (isAnswerSaveQueued) return;
  isAnswerSaveQueued = true;
  queueMicrotask(() => {
    isAnswerSaveQueued = false;
    void write();
  });
}

/** After a new book: marks the cells that differ from the previous book. */
function compareBooks(before: readonly GridCell[]): void {
  const after = readBook().cells;
  for (let at = 0; at < Math.max(before.length, after.length); at += 1)
    if (toStored(before[at]) !== toStored(after[at])) unsaved.places.add(at);
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens a stored grid. Returns false if it can't be read or opened; then nothing has changed. */
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
  const { name = '', project = null, rates = [] } = parseEntry(entry) ?? {};
  try {
    useGrid.setState({ checks: stored?.checks ?? [] });
    setBook(stored?.setup ?? EMPTY_SETUP, known);
  } catch {
    useGrid.setState({ checks });
    return false;
  }
  useGrid.setState({ storedAs: { id, name, project } });
  prompts = [...(stored?.prompts ?? [])];
  // In a duplicated tab the copied grid is entirely unsaved.
  unsaved = toUnsaved(from !== id && stored !== null);
  storedRates = JSON.stringify(rates);
  if (from !== id) compareBooks([]);
  return true;
}

/**
 * Loads a grid and resolves to the surplus empty ones. `storage` is set last, so that nothing overwrites a grid that
 * was neither read nor set aside.
 */
async function loadFrom(database: Database): Promise<readonly string[]> {
  try {
    const { found, surplus } = await findGrid(database, readUrl().project);
    if (!restore(found)) {
      await setAside(found);
      useGrid.setState({ problem: DAMAGED, storedAs: { id: found.id, name: '', project: null } });
    }
    storage = { database, id: found.id };
    loadedFrom = found.from;
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

/** The stored grid that this tab began with; another than its own in a duplicated tab. Empty: nothing was loaded. */
let loadedFrom = '';
export const readLoadedFrom = (): string => loadedFrom;

/** Where the grid is stored; null: nowhere. */
export const findGridStorage = (): { readonly database: Database; readonly id: string } | null => storage;

/**
 * Replaces the current grid with another one that this tab has claimed. Resolves to the reason why not, or null.
 * `findObstacle` is asked right before, because storing the current grid takes a while.
 */
export async function enterGrid(found: FoundGrid, findObstacle: () => string | null): Promise<string | null> {
  // Changes made while a write is pending still belong to the old grid.
  do if (!(await write()) || !storage) return UNSAVED;
  while (isUnsaved());
  const obstacle = findObstacle();
  if (obstacle !== null) return obstacle;
  const before = storage;
  // While the other grid opens, changes belong to neither grid.
  storage = null;
  const isOpen = restore(found);
  storage = isOpen ? { database: before.database, id: found.id } : before;
  if (isOpen) {
    claims.move(found.id);
    // A filter of the grid before could leave no row of this one.
    setView(WHOLE_VIEW);
  }
  return isOpen ? null : 'It is damaged or comes from another version of the studio, and can’t be opened.';
}

/** Renames the current grid; an empty name: the title counts the rows instead. */
export function nameGrid(name: string): void {
  useGrid.setState(({ storedAs }) => ({ storedAs: { ...storedAs, name } }));
  unsaved.isSetup = true;
  void write();
}

/** Another tab owns this grid (it answered a duplicated tab too late): this tab continues with a copy. */
async function switchToCopy(): Promise<void> {
  if (!storage) return;
  const { database } = storage;
  storage = null;
  const { id } = await claims.claimFresh(makeId);
  storage = { database, id };
  useGrid.setState(({ storedAs }) => ({ storedAs: { ...storedAs, id } }));
  unsaved = toUnsaved(true);
  compareBooks([]);
  await write();
}

function watch(): void {
  claims.onLost = () => void switchToCopy();
  let { setup, checks } = useGrid.getState();
  let { cells } = readBook();
  useGrid.subscribe((state) => {
    if (state.run.phase === 'idle') saveRates();
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

let loading: Promise<void> | null = null;

/** Loads the stored grid, once per page, and stores changes from then on. */
export function openGridSaver(): Promise<void> {
  loading ??= load().then((surplus) => {
    watch();
    return storage ? removeEmpty(storage.database, surplus) : undefined;
  });
  return loading;
}
