// Keeps the grid across reloads: answers are written at once, the rest at most once a second.
import { readRecords, type Database, type StoredRecord } from '#ui/storage/browserDatabase.ts';
import { makeId } from '#ui/storage/makeId.ts';
import { toStorageWords } from '#ui/storage/storageWords.ts';
import { StoredDocument } from '#ui/storage/storedDocument.ts';
import type { Claim } from '#ui/storage/tabClaims.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { countAnswers, isSettled, type GridCell } from '#features/evaluation/web/grid/gridBook.ts';
import { openGridDatabase, toGridData, toGridRecords, toWholeGrid, type StoredGridData } from './gridDatabase.ts';
import {
  parseCell,
  parseGridRecord,
  toCellRecord,
  toGridRecord,
  toStored,
} from '#features/evaluation/web/grid/gridRecords.ts';
import { toSamplingText } from '#features/evaluation/web/grid/sampling.ts';
import { readBook, readTally, setBook, setView, subscribeCells, useGrid, WHOLE_VIEW } from './gridStore.ts';
import { parseEntry, toCandidates, type EntryRate, type GridEntry } from './gridEntry.ts';
import { EMPTY_SETUP } from '#features/evaluation/web/grid/gridSetup.ts';
import { isBlank, readList, setAside, toBlank } from './storedGrids.ts';

export const WORDS = toStorageWords(
  'grids',
  'grid',
  'This browser does not let the page store anything: the grid is lost when the page is reloaded. Export what ' +
    'you need.',
  "The browser's storage is full: new answers are lost when the page is reloaded. Export them, then free some space.",
);
const DAMAGED =
  'The stored grid was damaged or comes from another version of the studio, and could not be restored. A new one ' +
  'begins here; the old one is kept in the browser’s database.';
const toUnreadText = (error: unknown): string =>
  `The stored grid could not be read or put aside (${error instanceof Error ? error.message : String(error)}). It is ` +
  'left as it is, and nothing is written over it: new work is lost when the page is reloaded. Export what you need; ' +
  'a reload tries again.';

/** Places of cells that changed since the last write began. */
let places = new Set<number>();
let isSetupChanged = false;
/** Pass rates, which only the list of grids shows. */
let isEntryChanged = false;
/** The pass rates in the stored entry, as JSON. */
let storedRates = '[]';
/** Earlier prompts, which stored answers name by index. The list only grows. */
let prompts: string[] = [];

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
  isEntryChanged = true;
  grid.saveSoon();
}

function placeOf(prompt: string): number {
  const place = prompts.indexOf(prompt);
  if (place >= 0) return place;
  isSetupChanged = true;
  return prompts.push(prompt) - 1;
}

function takeChanges(id: string): readonly StoredRecord[] {
  if (places.size === 0 && !isSetupChanged && !isEntryChanged) return [];
  const { setup, checks } = useGrid.getState();
  const { cells } = readBook();
  // Must come first: it may add a prompt, which is then stored together with the first answer that names it.
  const changed = [...places].map((at) => [at, toCellRecord(cells[at], placeOf) ?? undefined] as const);
  const record = isSetupChanged ? toGridRecord({ setup, checks, prompts, savedAt: Date.now() }) : undefined;
  const records = toGridRecords(id, { setup: record, cells: changed, entry: toOwnEntry() });
  setUnchanged();
  return records;
}

function setUnchanged(): void {
  places = new Set();
  isSetupChanged = false;
  isEntryChanged = false;
}

/** The grid of this tab. */
export const grid = new StoredDocument({
  key: 'studio.grid',
  words: WORDS,
  open: openGridDatabase,
  toParts: toWholeGrid,
  toWhole: toWholeGrid,
  takeChanges,
  onCopy: (id) => {
    useGrid.setState(({ storedAs }) => ({ storedAs: { ...storedAs, id } }));
    isSetupChanged = true;
    compareBooks([]);
  },
  readProblem: () => useGrid.getState().problem,
  showProblem: (problem) => useGrid.setState({ problem }),
});

const isAnswered = (cell: GridCell | undefined): boolean => cell !== undefined && isSettled(cell);

/** After a new book: marks the cells that differ from the previous book. */
function compareBooks(before: readonly GridCell[]): void {
  const after = readBook().cells;
  for (let at = 0; at < Math.max(before.length, after.length); at += 1)
    if (toStored(before[at]) !== toStored(after[at])) places.add(at);
}

/** Shows a stored grid. Returns false if it can't be read or shown; then nothing has changed. */
function restore({ id, from }: Claim, { setup, cells = [], entry }: StoredGridData): boolean {
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
  setUnchanged();
  storedRates = JSON.stringify(rates);
  if (from === id) return true;
  // A copy is entirely unsaved.
  isSetupChanged = stored !== null;
  compareBooks([]);
  return true;
}

/** The stored grid that this tab began with; another than its own in a duplicated tab. Empty: nothing was loaded. */
let loadedFrom = '';
export const readLoadedFrom = (): string => loadedFrom;

/** `grid.begin` comes last, so that nothing overwrites a grid that was neither read nor set aside. */
async function begin(database: Database): Promise<void> {
  try {
    const { project } = readUrl();
    const list = await readList(database);
    const claim = await grid.claims.claim(toCandidates(list, project), makeId);
    const { id, from } = claim;
    const data = toGridData(await readRecords(database, toWholeGrid(from)));
    if (!restore(claim, data)) {
      // Another tab's grid stays unchanged.
      if (from === id) await setAside(database, id, data);
      useGrid.setState({ problem: DAMAGED, storedAs: { id, name: '', project: null } });
    }
    grid.begin({ database, id });
    loadedFrom = from;
    // After a failure the next start tries again.
    await grid.prune(database, toBlank(list), (records) => isBlank(toGridData(records))).catch(() => undefined);
  } catch (error) {
    useGrid.setState({ problem: toUnreadText(error) });
  }
}

/**
 * Replaces the current grid with another one that this tab has claimed; if `from` is another, with a copy of that.
 * Resolves to the reason why not, or null. `findObstacle` is asked right before, because storing the current grid takes
 * a while.
 */
export function enterGrid(
  claim: Claim,
  data: StoredGridData,
  findObstacle: () => string | null,
): Promise<string | null> {
  const show = (): string | null => {
    if (!restore(claim, data)) return 'It is damaged or comes from another version of the studio, and can’t be opened.';
    // A filter of the grid before could leave no row of this one.
    setView(WHOLE_VIEW);
    return null;
  };
  return grid.enter(claim.id, { findObstacle, show, stored: [] });
}

/** Renames the current grid; an empty name: the title counts the rows instead. */
export function nameGrid(name: string): void {
  useGrid.setState(({ storedAs }) => ({ storedAs: { ...storedAs, name } }));
  isSetupChanged = true;
  void grid.write();
}

function watch(): void {
  useGrid.setState({ isLoaded: true });
  let { setup, checks } = useGrid.getState();
  let { cells } = readBook();
  useGrid.subscribe((state) => {
    if (state.run.phase === 'idle') saveRates();
    if (state.setup === setup && state.checks === checks) return;
    if (state.setup !== setup) compareBooks(cells);
    ({ setup, checks } = state);
    ({ cells } = readBook());
    isSetupChanged = true;
    grid.saveSoon();
  });
  subscribeCells((changed) => {
    const { cells: now } = readBook();
    for (const at of changed) places.add(at);
    grid.saveSoon(changed.some((at) => isAnswered(now[at])));
  });
}

let loading: Promise<void> | null = null;

/** Loads the stored grid, once per page, and stores changes from then on. */
export function openGridSaver(): Promise<void> {
  loading ??= grid.load(begin).then(watch);
  return loading;
}
