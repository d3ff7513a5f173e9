import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import type { GridCell } from '#features/evaluation/web/grid/gridBook.ts';
import { EMPTY_SETUP } from '#features/evaluation/web/grid/gridSetup.ts';
import { openGridDatabase } from './gridDatabase.ts';
import { FakeDatabase } from '#ui/storage/fakeDatabase.fixture.ts';

const SETUP = {
  ...EMPTY_SETUP,
  rows: parseRows('a\nb\nc', 'lines').rows,
  columns: [{ id: 'c', label: 'm', request: { model: 'm', messages: [] } }],
};
const done = (text: string): GridCell => ({
  state: 'done',
  answer: { text, toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 },
});
const record = (savedAt: number, rows = 1): object => ({
  version: 1,
  savedAt,
  prompt: '{{prompt}}',
  rows: Array.from({ length: rows }, () => ({ messages: null, variables: [['prompt', 'a']], expected: null })),
  columns: SETUP.columns,
  checks: [],
});

let database: FakeDatabase;

/** A tab's page; `project` is the one in its URL. */
async function openPage(project: string | null = 'p1', session = new Map<string, string>(), locks = new MemoryLocks()) {
  vi.resetModules();
  const location = { search: project === null ? '' : `?project=${project}`, pathname: '/', hash: '' };
  const page = Object.assign(new EventTarget(), { hidden: false, location });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => session.get(name) ?? null,
    setItem: (name: string, value: string) => void session.set(name, value),
    removeItem: (name: string) => void session.delete(name),
  });
  const [list, saver, store, actions] = await Promise.all([
    import('./gridList.ts'),
    import('./gridSaver.ts'),
    import('./gridStore.ts'),
    import('./gridActions.ts'),
  ]);
  await saver.openGridSaver();
  return { ...list, ...saver, ...store, ...actions, session };
}
type Page = Awaited<ReturnType<typeof openPage>>;

const titles = async (page: Page): Promise<readonly string[]> =>
  (await page.listGrids()).map(
    ({ id, rows, isCurrent }) =>
      `${id === page.grid.findPlace()?.id ? 'own' : id} ${rows}${isCurrent ? ' on show' : ''}`,
  );

beforeEach(() => {
  database = new FakeDatabase('studio.grids', openGridDatabase);
  database.stub();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('grids from before there was a list', () => {
  it('are taken over: listed with what they hold, and opened by a tab of any project', async () => {
    await database.put('grids', [
      ['old', record(2, 2)],
      ['older', record(1)],
      ['x.aside.5', { version: 9 }],
    ]);
    await database.put('cells', [[['old', 0], done('x')]]);
    const page = await openPage();
    expect(page.grid.findPlace()?.id).toBe('old');
    expect(page.readBook().cells).toEqual([done('x'), { state: 'waiting' }]);
    expect(
      (await page.listGrids()).map(({ id, rows, answers, isReadable, project }) => [
        id,
        rows,
        answers,
        isReadable,
        project,
      ]),
    ).toEqual([
      ['old', 2, 1, true, null],
      ['older', 1, 0, true, null],
      ['x.aside.5', 0, 0, false, null],
    ]);
  });

  it('are read for it once: later starts read no rows but those of the grid on show', async () => {
    await database.put(
      'grids',
      ['a', 'b', 'c'].map((key) => [key, record(1)]),
    );
    await openPage();
    const get = vi.spyOn(IDBObjectStore.prototype, 'getAll');
    const page = await openPage();
    const keys = get.mock.calls.flatMap(([key], at) =>
      (get.mock.contexts[at] as IDBObjectStore).name === 'grids' ? [key] : [],
    );
    expect(new Set(keys)).toEqual(new Set([page.grid.findPlace()?.id]));
  });
});

describe('a grid', () => {
  it('belongs to the project in which something was first put into it, and is left to it by tabs of others', async () => {
    const first = await openPage('p1');
    expect(first.useGrid.getState().storedAs.project).toBeNull();
    first.changeSetup(SETUP);
    await first.grid.write();
    expect(first.useGrid.getState().storedAs.project).toBe('p1');
    expect((await openPage('p2')).useGrid.getState().setup.rows).toEqual([]);
    expect((await openPage('p1')).useGrid.getState().setup.rows).toHaveLength(3);
  });

  it('is named, left for another one, and opened again with all it held', async () => {
    const page = await openPage();
    page.changeSetup(SETUP);
    page.readBook().setCell(1, done('y'));
    const id = page.grid.findPlace()?.id ?? '';
    expect(await page.renameGrid(id, 'Regressions')).toBeNull();
    expect(await page.newGrid()).toBeNull();
    expect([page.useGrid.getState().setup.rows.length, page.useGrid.getState().storedAs.name]).toEqual([0, '']);
    expect(new Set(await titles(page))).toEqual(new Set(['own 0 on show', `${id} 3`]));
    expect(await page.openGrid(id)).toBeNull();
    expect([page.readBook().cells[1], page.useGrid.getState().storedAs.name, page.session.get('studio.grid')]).toEqual([
      done('y'),
      'Regressions',
      id,
    ]);
    // Opening a grid does not write it again.
    const { begun } = database;
    await page.grid.write();
    expect(database.begun).toBe(begun);
  });

  it('that is opened does not get what the one before held', async () => {
    const page = await openPage();
    page.changeSetup(SETUP);
    page.readBook().setCells(
      new Map([
        [0, done('a')],
        [2, done('c')],
      ]),
    );
    await page.newGrid();
    page.changeSetup({ ...SETUP, rows: SETUP.rows.slice(0, 1) });
    await page.grid.write();
    const own = page.grid.findPlace()?.id ?? '';
    const grids = (await database.read<readonly [string, number]>('cells')).map(([[grid]]) => grid);
    expect([grids.length, grids.includes(own)]).toEqual([2, false]);
  });

  it('that is opened shows all its rows, whatever was looked for in the one before', async () => {
    const page = await openPage();
    page.changeSetup(SETUP);
    page.setView({ filter: 'differ', query: 'Bern', referenceId: 'c' });
    await page.newGrid();
    expect(page.useGrid.getState().view).toEqual({ filter: 'all', query: '', referenceId: null });
  });

  it('is renamed while another one is on show', async () => {
    await database.put('grids', [['other', record(1)]]);
    const page = await openPage();
    await page.newGrid();
    await page.renameGrid('other', 'Kept');
    expect((await page.listGrids()).find(({ id }) => id === 'other')).toMatchObject({ name: 'Kept', rows: 1 });
  });

  it('is deleted and brought back; the one on show gives way to an empty one', async () => {
    const page = await openPage();
    page.changeSetup(SETUP);
    page.readBook().setCell(0, done('x'));
    const id = page.grid.findPlace()?.id ?? '';
    const result = await page.removeGrid(id);
    expect([
      page.readBook().cells.length,
      await database.readOne('grids', id),
      await database.readOne('entries', id),
      await database.read('cells'),
    ]).toEqual([0, undefined, undefined, []]);
    if ('problem' in result) throw new Error(result.problem);
    await result.restore();
    await page.openGrid(id);
    expect(page.readBook().cells[0]).toEqual(done('x'));
  });

  it('that another tab has open is neither opened, renamed nor deleted', async () => {
    await database.put('grids', [['theirs', record(1)]]);
    const locks = new MemoryLocks();
    locks.held.add('studio.grid.theirs');
    const page = await openPage('p1', new Map(), locks);
    const reason = 'This grid is open in another tab.';
    expect([
      await page.openGrid('theirs'),
      await page.renameGrid('theirs', 'x'),
      await page.removeGrid('theirs'),
    ]).toEqual([reason, reason, { problem: reason }]);
    expect((await page.listGrids()).find(({ id }) => id === 'theirs')?.isElsewhere).toBe(true);
  });

  it('that can’t be opened says so, and the one on show stays', async () => {
    await database.put('grids', [['broken', { version: 9 }]]);
    const page = await openPage();
    page.changeSetup(SETUP);
    expect(await page.openGrid('broken')).toMatch(/can’t be opened/);
    expect(page.useGrid.getState().setup.rows).toHaveLength(3);
    expect(JSON.parse(await page.readGridFile('broken'))).toMatchObject({ setup: { version: 9 } });
  });

  it('of the project on show is opened, the newest; else one is begun', async () => {
    const page = await openPage('p1');
    page.changeSetup(SETUP);
    const id = page.grid.findPlace()?.id ?? '';
    await page.openProjectGrid('p2');
    expect(page.useGrid.getState().setup.rows).toEqual([]);
    await page.openProjectGrid('p1');
    expect(page.grid.findPlace()?.id).toBe(id);
  });
});

describe('while another grid is being read', () => {
  const meanwhile = 'It was not opened, because another grid or project was opened in the meantime.';
  /** Two stored grids, and a page that shows neither. */
  const openBetween = async () => {
    await database.put('grids', [
      ['a', record(1, 1)],
      ['b', record(1, 2)],
    ]);
    const page = await openPage('p1', new Map([['studio.grid', 'own']]));
    page.changeSetup(SETUP);
    return page;
  };

  it('the one that was asked for last wins', async () => {
    const page = await openBetween();
    expect(await Promise.all([page.openGrid('a'), page.openGrid('b')])).toEqual([meanwhile, null]);
    expect(page.grid.findPlace()?.id).toBe('b');
  });

  it.each([
    ['a run', 'Pause the run first.', (page: Page) => page.setRun({ phase: 'running' })],
    ['another project', meanwhile, () => void (window.location.search = '?project=p2')],
  ])('%s that begins keeps the page as it is', async (_name, reason, act) => {
    const page = await openBetween();
    const opened = page.openGrid('a');
    act(page);
    expect(await opened).toBe(reason);
    expect([page.grid.findPlace()?.id, page.useGrid.getState().setup.rows.length]).toEqual(['own', 3]);
  });

  it('and the project changed, the newest grid of the former project is not opened', async () => {
    const page = await openBetween();
    const opened = page.openProjectGrid('p1');
    window.location.search = '?project=p2';
    expect(await opened).toBe(meanwhile);
    expect(page.grid.findPlace()?.id).toBe('own');
  });
});

describe('by its address', () => {
  it('a stored grid is opened; one that is not stored here says where grids are and what to do', async () => {
    await database.put('grids', [['a', record(1)]]);
    const page = await openPage('p1', new Map([['studio.grid', 'own']]));
    page.changeSetup(SETUP);
    const failed = await page.openAddressedGrid('gone');
    expect(failed?.problem).toMatch(/not stored in this browser.*export the grid there and import its rows here/);
    expect([failed?.isElsewhere, page.grid.findPlace()?.id]).toEqual([false, 'own']);
    expect(await page.openAddressedGrid('a')).toBeNull();
    expect(page.grid.findPlace()?.id).toBe('a');
  });

  it('a grid of another tab is left to it, and a duplicated tab keeps its copy', async () => {
    await database.put('grids', [['theirs', record(1)]]);
    const locks = new MemoryLocks();
    locks.held.add('studio.grid.theirs');
    const page = await openPage('p1', new Map(), locks);
    expect(await page.openAddressedGrid('theirs')).toMatchObject({ isElsewhere: true });
    const copy = await openPage('p1', new Map([['studio.grid', 'theirs']]), locks);
    const own = copy.grid.findPlace()?.id;
    expect(own).not.toBe('theirs');
    expect(await copy.openAddressedGrid('theirs')).toBeNull();
    expect(copy.grid.findPlace()?.id).toBe(own);
  });
});

describe('from outside the grid', () => {
  it('grids are listed without opening one', async () => {
    await database.put('grids', [
      ['a', record(2, 2)],
      ['empty', record(1, 0)],
    ]);
    vi.resetModules();
    const [list, saver] = await Promise.all([import('./gridList.ts'), import('./gridSaver.ts')]);
    vi.stubGlobal('navigator', { locks: new MemoryLocks() });
    const listed = await list.listStoredGrids();
    expect(listed.map(({ id, rows, isCurrent }) => [id, rows, isCurrent])).toEqual([['a', 2, false]]);
    expect(saver.grid.findPlace()).toBeNull();
  });

  it('a grid is opened; one that another tab has open is copied, and that tab keeps its own', async () => {
    await database.put('grids', [
      ['a', record(2, 2)],
      ['b', record(1, 3)],
    ]);
    await database.put('cells', [[['a', 0], done('x')]]);
    const locks = new MemoryLocks();
    locks.held.add('studio.grid.a');
    const page = await openPage('p1', new Map(), locks);
    expect(page.grid.findPlace()?.id).toBe('b');
    const elsewhere = (await page.listStoredGrids()).find(({ id }) => id === 'a');
    expect(elsewhere?.isElsewhere).toBe(true);
    expect(elsewhere && (await page.openListedGrid(elsewhere))).toBeNull();
    await page.grid.write();
    const copy = page.grid.findPlace()?.id ?? '';
    expect([['a', 'b'].includes(copy), page.readBook().cells[0], page.useGrid.getState().storedAs.name]).toEqual([
      false,
      done('x'),
      'm · 2 rows (copy)',
    ]);
    const listed = await page.listStoredGrids();
    expect(listed.map(({ id, rows, answers }) => `${id === copy ? 'copy' : id} ${rows} ${answers}`).sort()).toEqual([
      'a 2 1',
      'b 3 0',
      'copy 2 1',
    ]);
    const own = listed.find(({ id }) => id === 'b');
    expect(own && (await page.openListedGrid(own))).toBeNull();
    expect(page.grid.findPlace()?.id).toBe('b');
  });
});
