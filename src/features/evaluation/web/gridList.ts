// The grids stored in this browser: list, open, create, rename, delete with undo, save to a file. Each tab shows one.
import { makeId } from '#ui/storage/makeId.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { isRunning } from './gridActions.ts';
import { writeRecords, type Database } from '#ui/storage/browserDatabase.ts';
import { openGridDatabase, readGrid, toGridRecords, type StoredGridData } from './gridDatabase.ts';
import { MAX_NAME, parseEntry, toEntry, toGridTitle, type GridEntry } from './gridEntry.ts';
import { enterGrid, grid as stored, nameGrid, openGridSaver, readLoadedFrom, WORDS } from './gridSaver.ts';
import { useGrid } from './gridStore.ts';
import { readList } from './storedGrids.ts';

export const NO_DATABASE = WORDS.alone;
export const RUNNING = 'Pause the run first.';
const OVERTAKEN = 'It was not opened, because another grid or project was opened in the meantime.';
const GONE = 'It was deleted.';
const COPY = ' (copy)';

export interface ListedGrid extends GridEntry {
  readonly id: string;
  readonly isCurrent: boolean;
  /** Another tab has this grid open. */
  readonly isElsewhere: boolean;
}

/** An empty grid without a name is not worth a line. */
const isWorthListing = ({ name, rows, answers, isReadable }: GridEntry): boolean =>
  name !== '' || rows > 0 || answers > 0 || !isReadable;

let reading: Promise<Database> | null = null;

/** The grids with content or a name and the current one, most recently saved first. */
async function toListed(list: ReadonlyMap<string, GridEntry>, current: string | null): Promise<readonly ListedGrid[]> {
  const elsewhere = await stored.claims.readElsewhere();
  return [...list]
    .map(([id, entry]) => Object.assign({}, entry, { id, isCurrent: id === current, isElsewhere: elsewhere.has(id) }))
    .filter((grid) => grid.isCurrent || isWorthListing(grid))
    .toSorted((a, b) => b.savedAt - a.savedAt);
}

/** The stored grids for a list outside the grid. Until the grid is on show, this tab opens and claims none of them. */
export async function listStoredGrids(): Promise<readonly ListedGrid[]> {
  if (stored.findPlace()) return (await listGrids()).filter(isWorthListing);
  reading ??= openGridDatabase();
  return toListed(await readList(await reading), null);
}

export async function listGrids(): Promise<readonly ListedGrid[]> {
  const storage = stored.findPlace();
  if (!storage) return [];
  await stored.write();
  const list = await readList(storage.database);
  const { name, project } = useGrid.getState().storedAs;
  if (!list.has(storage.id))
    list.set(storage.id, { ...toEntry(storage.id, undefined, 0), name, project, isReadable: true });
  return toListed(list, storage.id);
}

/** Counts requests to open a grid: the last one wins. */
let requests = 0;

type Obstacle = () => string | null;

/** Why a grid that is requested now can't be opened any more, once it has been read. */
function watchRequest(): Obstacle {
  requests += 1;
  const own = requests;
  const { project } = readUrl();
  return () => {
    if (own !== requests || readUrl().project !== project) return OVERTAKEN;
    return isRunning() ? RUNNING : null;
  };
}

async function enter(id: string, data: StoredGridData, findObstacle: Obstacle, from = id): Promise<string | null> {
  return findObstacle() ?? enterGrid({ id, from }, data, findObstacle);
}

/** Opens a stored grid in this tab. Resolves to the reason why it can't, or null. */
export async function openGrid(id: string): Promise<string | null> {
  const storage = stored.findPlace();
  if (!storage) return NO_DATABASE;
  if (id === storage.id) return null;
  const findObstacle = watchRequest();
  return stored.withClaim(id, async () => {
    const data = await readGrid(storage.database, id);
    return data.setup === undefined ? GONE : enter(id, data, findObstacle);
  });
}

/** Opens a copy of a grid, also of one that another tab has open. Resolves to the reason why it can't, or null. */
export async function copyGrid(id: string): Promise<string | null> {
  const storage = stored.findPlace();
  if (!storage) return NO_DATABASE;
  const findObstacle = watchRequest();
  await stored.write();
  const { setup, cells, entry } = await readGrid(storage.database, id);
  if (setup === undefined) return GONE;
  const known = parseEntry(entry) ?? toEntry(id, setup, cells.length);
  const name = `${toGridTitle(known).slice(0, MAX_NAME - COPY.length)}${COPY}`;
  const copy = makeId();
  return stored.withClaim(copy, () => enter(copy, { setup, cells, entry: { ...known, name } }, findObstacle, id));
}

const UNKNOWN =
  'The grid of this link is not stored in this browser. A grid stays in the browser that made it: open the link there, ' +
  'or export the grid there and import its rows here.';

/**
 * Opens the grid that the address names. Resolves to why it can't, or null. `isElsewhere`: another tab has it open, so a
 * copy can be opened.
 */
export async function openAddressedGrid(
  id: string,
): Promise<{ readonly problem: string; readonly isElsewhere: boolean } | null> {
  const storage = stored.findPlace();
  // A duplicated tab shows a copy under the address of the original.
  if (storage && (id === storage.id || id === readLoadedFrom())) return null;
  const problem = await openGrid(id);
  if (problem === null) return null;
  return { problem: problem === GONE ? UNKNOWN : problem, isElsewhere: problem === WORDS.elsewhere };
}

/** Opens a grid from outside the grid: a copy if another tab has it open. The caller then shows the grid. */
export async function openListedGrid({ id, isElsewhere }: ListedGrid): Promise<string | null> {
  await openGridSaver();
  return isElsewhere ? copyGrid(id) : openGrid(id);
}

/** Opens an empty grid. The current one stays in the list. */
export async function newGrid(): Promise<string | null> {
  if (!stored.findPlace()) return NO_DATABASE;
  const id = makeId();
  const findObstacle = watchRequest();
  return stored.withClaim(id, () => enter(id, {}, findObstacle));
}

/** Opens the newest grid of a project that no other tab has open, or an empty one. */
export async function openProjectGrid(project: string): Promise<string | null> {
  const { project: before } = readUrl();
  const newest = (await listGrids()).find((grid) => grid.project === project && grid.isReadable && !grid.isElsewhere);
  if (readUrl().project !== before) return OVERTAKEN;
  return newest ? openGrid(newest.id) : newGrid();
}

/** Renames a grid; an empty name: the title counts the rows. Resolves to the reason why it can't, or null. */
export async function renameGrid(id: string, name: string): Promise<string | null> {
  const storage = stored.findPlace();
  if (!storage) return NO_DATABASE;
  if (id === storage.id) {
    nameGrid(name);
    return null;
  }
  return stored.withClaim(id, async () => {
    const { entry } = await readGrid(storage.database, id);
    const known = parseEntry(entry);
    if (known) await writeRecords(storage.database, toGridRecords(id, { entry: { ...known, name } }));
    return null;
  });
}

/** Deletes a grid; the current one is replaced by an empty grid. Resolves to the reason why it can't, or to an undo. */
export const removeGrid = (id: string): ReturnType<typeof stored.remove> => stored.remove(id, newGrid);

/** Everything that is stored of a grid, as JSON, even of a grid that can't be opened. */
export async function readGridFile(id: string): Promise<string> {
  const storage = stored.findPlace();
  if (!storage) return '';
  const { setup, cells } = await readGrid(storage.database, id);
  return JSON.stringify({ format: 'model-studio/stored-grid', setup, cells });
}
