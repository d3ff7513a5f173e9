// The grids that are stored in this browser: listed, opened, begun, renamed, deleted with a way back, written to a
// file. One is on show in this tab.
import { makeId } from '#web/session/makeId.ts';
import { isRunning } from './gridActions.ts';
import { deleteGrid, readGrid, writeGrid, type StoredGridData } from './gridDatabase.ts';
import { parseEntry, toEntry, type GridEntry } from './gridEntry.ts';
import { enterGrid, findGridStorage, nameGrid, saveGrid } from './gridSaver.ts';
import { useGrid } from './gridStore.ts';
import { claims, readList } from './keptGrids.ts';

export const NO_DATABASE = 'This browser does not let the page store anything, so there is no other grid.';
export const RUNNING = 'Pause the run first.';
const ELSEWHERE = 'This grid is open in another tab.';

export interface ListedGrid extends GridEntry {
  readonly id: string;
  readonly isCurrent: boolean;
  /** Another tab has it open. */
  readonly isElsewhere: boolean;
}

/** Those that hold anything or have a name, and the one on show; the one changed last first. */
export async function listGrids(): Promise<readonly ListedGrid[]> {
  const storage = findGridStorage();
  if (!storage) return [];
  await saveGrid();
  const [list, elsewhere] = await Promise.all([readList(storage.database), claims.readElsewhere()]);
  const { name, project } = useGrid.getState().kept;
  if (!list.has(storage.id))
    list.set(storage.id, { ...toEntry(storage.id, undefined, 0), name, project, isReadable: true });
  return [...list]
    .map(([id, entry]) =>
      Object.assign({}, entry, { id, isCurrent: id === storage.id, isElsewhere: elsewhere.has(id) }),
    )
    .filter(
      ({ isCurrent, name: title, rows, answers, isReadable }) =>
        isCurrent || title !== '' || rows > 0 || answers > 0 || !isReadable,
    )
    .toSorted((a, b) => b.savedAt - a.savedAt);
}

/** Does something with a grid that no other tab has, and lets go of it again. */
async function whileHeld<T>(id: string, act: () => Promise<T>): Promise<T | string> {
  if (!(await claims.hold(id))) return ELSEWHERE;
  try {
    return await act();
  } finally {
    claims.release(id);
  }
}

async function enter(id: string, data: StoredGridData): Promise<string | null> {
  const storage = findGridStorage();
  if (!storage) return NO_DATABASE;
  if (isRunning()) return RUNNING;
  const problem = await enterGrid({ database: storage.database, id, from: id, ...data });
  if (problem === null) claims.move(id);
  return problem;
}

/** Opens a stored grid in this tab. Resolves to why it can't be, or null. */
export async function openGrid(id: string): Promise<string | null> {
  const storage = findGridStorage();
  if (!storage) return NO_DATABASE;
  if (id === storage.id) return null;
  return whileHeld(id, async () => {
    const data = await readGrid(storage.database, id);
    return data.setup === undefined ? 'It is not there any more.' : enter(id, data);
  });
}

/** Begins an empty grid. The one on show stays in the list. */
export async function newGrid(): Promise<string | null> {
  const id = makeId();
  return whileHeld(id, () => enter(id, { setup: undefined, cells: [], entry: undefined }));
}

/** Opens the newest grid of a project that no other tab has, or begins one. */
export async function openProjectGrid(project: string): Promise<string | null> {
  const newest = (await listGrids()).find((grid) => grid.project === project && grid.isReadable && !grid.isElsewhere);
  return newest ? openGrid(newest.id) : newGrid();
}

/** Another name; an empty one: it goes by its rows. Resolves to why not, or null. */
export async function renameGrid(id: string, name: string): Promise<string | null> {
  const storage = findGridStorage();
  if (!storage) return NO_DATABASE;
  if (id === storage.id) {
    nameGrid(name);
    return null;
  }
  return whileHeld(id, async () => {
    const { entry } = await readGrid(storage.database, id);
    const known = parseEntry(entry);
    if (known) await writeGrid(storage.database, id, { cells: new Map(), entry: { ...known, name } });
    return null;
  });
}

/** Deletes a grid; where it is on show, an empty one takes its place. The reason why not, or what puts it back. */
export async function removeGrid(
  id: string,
): Promise<{ readonly problem: string } | { readonly restore: () => Promise<void> }> {
  const storage = findGridStorage();
  if (!storage) return { problem: NO_DATABASE };
  const { database } = storage;
  const result = await whileHeld(id, async () => {
    const problem = id === storage.id ? await newGrid() : null;
    if (problem !== null) return problem;
    const { setup, cells, entry } = await readGrid(database, id);
    await deleteGrid(database, id);
    return { restore: () => writeGrid(database, id, { setup, cells: new Map(cells), entry }) };
  });
  return typeof result === 'string' ? { problem: result } : result;
}

/** All that is stored of a grid as JSON, also of one that can't be opened. */
export async function readGridFile(id: string): Promise<string> {
  const storage = findGridStorage();
  if (!storage) return '';
  const { setup, cells } = await readGrid(storage.database, id);
  return JSON.stringify({ format: 'model-studio/stored-grid', setup, cells });
}
