// Keeps the grid across reloads: loads it once, then writes what changed, at most once a second and when the page goes.
// Problems are told, never thrown. It must not know components.
import type { GridCell } from './gridBook';
import { openGridDatabase, writeGrid } from './gridDatabase';
import { parseCell, parseGridRecord, toCellRecord, toGridRecord, toStored } from './gridRecords';
import { readBook, setBook, subscribeCells, useGrid } from './gridStore';
import { findGrid, removeEmpty, setAside, type FoundGrid } from './keptGrids';

const SAVE_EVERY_MS = 1000;
const NO_STORAGE = 'This browser does not let the page store anything: the grid is lost when the page is reloaded. Export what you need.';
const FULL = "The browser's storage is full: new answers are lost when the page is reloaded. Export them, then free some space.";
const DAMAGED = 'The stored grid was damaged or comes from another version of the studio, and could not be restored. A new one begins here; the old one is kept in the browser’s database.';
const toUnreadText = (reason: string): string =>
  `The stored grid could not be read or put aside (${reason}). It is left as it is, and nothing is written over it: what is done here is lost when the page is reloaded. Export what you need; a reload tries again.`;

let storage: { readonly database: IDBDatabase; readonly id: string } | null = null;
/** Places whose cells are not stored as they are. */
let dirty = new Set<number>();
let isSetupDirty = false;
/** The earlier prompts by which stored answers name theirs: only ever added to. */
let prompts: string[] = [];
let timer: ReturnType<typeof setTimeout> | null = null;

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';

function placeOf(prompt: string): number {
  const place = prompts.indexOf(prompt);
  if (place >= 0) return place;
  isSetupDirty = true;
  return prompts.push(prompt) - 1;
}

function toMap(places: ReadonlySet<number>): ReadonlyMap<number, unknown> {
  const { cells } = readBook();
  return new Map([...places].map((at) => [at, toCellRecord(cells[at], placeOf)]));
}

/** Writes what changed. Resolves when it is stored, or when that failed and was said. */
export async function saveGrid(): Promise<void> {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (!storage || (dirty.size === 0 && !isSetupDirty)) return;
  const { database, id } = storage;
  const places = dirty;
  // First: a prompt that is new to the record is stored along with the first answer that names it.
  const cells = toMap(places);
  const hasSetup = isSetupDirty;
  dirty = new Set();
  isSetupDirty = false;
  try {
    const { setup, checks, problem } = useGrid.getState();
    await writeGrid(database, id, { ...(hasSetup ? { setup: toGridRecord({ setup, checks, prompts, savedAt: Date.now() }) } : {}), cells });
    if (problem === FULL || problem === NO_STORAGE) useGrid.setState({ problem: null });
  } catch (error) {
    // Nothing of it was stored: it goes along with the next write.
    dirty = new Set([...places, ...dirty]);
    isSetupDirty ||= hasSetup;
    useGrid.setState({ problem: isFull(error) ? FULL : NO_STORAGE });
  }
}

function saveSoon(): void {
  timer ??= setTimeout(() => void saveGrid(), SAVE_EVERY_MS);
}

/** The book was replaced: what differs from the one before is to be written. */
function compareBooks(before: readonly GridCell[]): void {
  const after = readBook().cells;
  for (let at = 0; at < Math.max(before.length, after.length); at += 1) if (toStored(before[at]) !== toStored(after[at])) dirty.add(at);
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens the stored grid; false: it can't be read, or not be opened, and all is as it was. */
function restore({ id, from, record, cells }: FoundGrid): boolean {
  const stored = parseGridRecord(record);
  if (stored === null) return record === undefined;
  const known = new Map(cells.flatMap(([at, value]) => {
    const cell = parseCell(value, stored.prompts);
    return cell ? [[at, cell] as const] : [];
  }));
  const { checks } = useGrid.getState();
  try {
    useGrid.setState({ checks: stored.checks });
    setBook(stored.setup, known);
  } catch {
    useGrid.setState({ checks });
    return false;
  }
  prompts = [...stored.prompts];
  // In a duplicated tab everything is new to its own grid.
  if (from !== id) compareBooks([]);
  isSetupDirty = from !== id;
  return true;
}

/** Gives the older of too many grids. Only what was read, or put aside, may be written over: `storage` is set last. */
async function loadFrom(database: IDBDatabase): Promise<readonly string[]> {
  try {
    const found = await findGrid(database);
    if (!restore(found)) {
      await setAside(found);
      useGrid.setState({ problem: DAMAGED });
    }
    storage = { database, id: found.id };
    return found.surplus;
  } catch (error) {
    useGrid.setState({ problem: toUnreadText(toReason(error)) });
    return [];
  }
}

async function load(): Promise<readonly string[]> {
  const database = await openGridDatabase().catch(() => null);
  const surplus = database === null ? [] : await loadFrom(database);
  useGrid.setState({ isLoaded: true, ...(database === null && { problem: NO_STORAGE }) });
  return surplus;
}

function watch(): void {
  let { setup, checks } = useGrid.getState();
  let { cells } = readBook();
  useGrid.subscribe((state) => {
    if (state.setup === setup && state.checks === checks) return;
    if (state.setup !== setup) compareBooks(cells);
    ({ setup, checks } = state);
    ({ cells } = readBook());
    isSetupDirty = true;
    saveSoon();
  });
  subscribeCells((places) => {
    for (const at of places) dirty.add(at);
    saveSoon();
  });
  window.addEventListener('pagehide', () => void saveGrid());
  document.addEventListener('visibilitychange', () => document.hidden && void saveGrid());
  if (dirty.size > 0 || isSetupDirty) saveSoon();
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
