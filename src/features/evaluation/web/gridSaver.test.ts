import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseRows } from '#features/evaluation/shared/promptRows.ts';
import { MemoryLocks } from '#ui/storage/memoryLocks.fixture.ts';
import type { GridCell } from '#features/evaluation/web/grid/gridBook.ts';
import { EMPTY_SETUP } from '#features/evaluation/web/grid/gridSetup.ts';
import { openGridDatabase } from './gridDatabase.ts';
import { FakeDatabase, QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';

const SETUP = {
  ...EMPTY_SETUP,
  rows: parseRows('a\nb\nc', 'lines').rows,
  columns: [{ id: 'c', label: 'm', request: { model: 'm', messages: [] } }],
};
const keysOf = async (store: string): Promise<readonly unknown[]> => (await database.read(store)).map(([key]) => key);
const valuesOf = async (store: string): Promise<readonly unknown[]> =>
  (await database.read(store)).map(([, value]) => value);
const done = (text: string): GridCell => ({
  state: 'done',
  answer: { text, toolCalls: [], finish_reason: 'stop', completion_tokens: 1, ms: 1 },
});

let database: FakeDatabase;

/** Locks of a browser where another tab has `name`. */
function openLocks(name: string): MemoryLocks {
  const locks = new MemoryLocks();
  locks.held.add(name);
  return locks;
}

/** A page with its own modules; `session` survives its reloads. */
async function openPage(session: Map<string, string>, navigator: { readonly locks?: MemoryLocks } = {}) {
  vi.resetModules();
  const page = Object.assign(new EventTarget(), {
    hidden: false,
    location: { search: '?project=p1', pathname: '/', hash: '' },
  });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => session.get(name) ?? null,
    setItem: (name: string, value: string) => void session.set(name, value),
  });
  const [saver, store, actions] = await Promise.all([
    import('./gridSaver.ts'),
    import('./gridStore.ts'),
    import('./gridActions.ts'),
  ]);
  await saver.openGridSaver();
  return { ...saver, ...store, ...actions, page };
}

beforeEach(() => {
  database = new FakeDatabase('studio.grids', openGridDatabase);
  database.stub();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('keeps rows, columns, checks and answers over a reload; what ran waits again', async () => {
  const session = new Map<string, string>();
  const before = await openPage(session);
  before.changeSetup(SETUP);
  before.readBook().setCell(0, done('x'));
  before.readBook().setCell(1, { state: 'running' });
  before.readBook().setCell(2, { state: 'failed', message: 'no', text: 'half' });
  await before.grid.write();
  const after = await openPage(session);
  expect(after.useGrid.getState()).toMatchObject({ isLoaded: true, problem: null });
  expect(after.useGrid.getState().setup.rows).toEqual(SETUP.rows);
  expect(after.readBook().cells).toEqual([
    done('x'),
    { state: 'waiting' },
    { state: 'failed', message: 'no', text: 'half' },
  ]);
});

it('begins to write an answer as soon as it is in its cell, and answers of one go together', async () => {
  const { changeSetup, readBook, grid } = await openPage(new Map());
  changeSetup(SETUP);
  await grid.write();
  const { begun } = database;
  readBook().setCell(0, { state: 'running' });
  await database.pass(0);
  expect(database.begun).toBe(begun);
  readBook().setCell(0, done('x'));
  readBook().setCell(1, { state: 'failed', message: 'no', text: 'half' });
  // No timer may pass, because a reload may be next.
  await Promise.resolve();
  expect(database.begun).toBe(begun + 1);
  await database.pass(0);
  expect(await valuesOf('cells')).toEqual([done('x'), { state: 'failed', message: 'no', text: 'half' }]);
});

it('an edit moves stored answers along, and takes those away that are worth nothing', async () => {
  const session = new Map<string, string>();
  const { changeSetup, readBook, grid } = await openPage(session);
  changeSetup(SETUP);
  readBook().setCells(
    new Map([
      [0, done('a')],
      [1, done('b')],
      [2, done('c')],
    ]),
  );
  await grid.write();
  changeSetup({ ...SETUP, rows: SETUP.rows.slice(1) });
  await grid.write();
  const after = await openPage(session);
  expect(after.readBook().cells).toEqual([done('b'), done('c')]);
  expect(await keysOf('cells')).toHaveLength(2);
});

it('keeps answers to an earlier prompt over a reload, marked; the prompt is stored once', async () => {
  const session = new Map<string, string>();
  const before = await openPage(session);
  before.changeSetup(SETUP);
  before.readBook().setCells(
    new Map([
      [0, done('a')],
      [1, done('b')],
    ]),
  );
  before.setPrompt('Say {{prompt}}');
  await before.grid.write();
  before.readBook().setCell(1, done('new'));
  await before.grid.write();
  expect(JSON.stringify(await valuesOf('cells'))).not.toContain('{{');
  const after = await openPage(session);
  expect(after.readBook().cells).toEqual([{ ...done('a'), earlier: '{{prompt}}' }, done('new'), { state: 'waiting' }]);
  after.setPrompt('{{prompt}}');
  await after.grid.write();
  const last = await openPage(session);
  expect(last.readBook().cells).toEqual([
    done('a'),
    { ...done('new'), earlier: 'Say {{prompt}}' },
    { state: 'waiting' },
  ]);
});

it('puts a damaged grid aside and begins a new one', async () => {
  const session = new Map<string, string>([['studio.grid', 'g']]);
  await database.put('grids', [['g', { version: 9 }]]);
  await database.put('cells', [[['g', 0], done('old')]]);
  const { changeSetup, grid, useGrid } = await openPage(session);
  expect(useGrid.getState().problem).toMatch(/kept in the browser’s database/);
  changeSetup(SETUP);
  await grid.write();
  const grids = await database.read<string>('grids');
  const [aside, record] = grids.find(([key]) => key.startsWith('g.aside.')) ?? [];
  expect(record).toEqual({ version: 9 });
  expect(await database.read('cells')).toEqual([[[aside, 0], done('old')]]);
});

/** Stores the oldest first. */
async function storeGrids(count: number): Promise<void> {
  const columns = [{ id: 'c', label: 'm', request: { model: 'm', messages: [] } }];
  for (let at = 0; at < count; at += 1)
    await database.put('grids', [[`g${at}`, { version: 1, savedAt: at, prompt: '', rows: [], columns, checks: [] }]]);
}
const withRows = (savedAt: number): object => ({
  version: 1,
  savedAt,
  prompt: '',
  rows: [{ messages: null, variables: [['prompt', 'a']], expected: null }],
  columns: [],
  checks: [],
});

it('of many grids removes old ones that are empty and free, and no others', async () => {
  await storeGrids(17);
  await database.put('grids', [['g1', withRows(1)]]);
  await database.put('cells', [[['g2', 0], done('x')]]);
  await openPage(new Map(), { locks: openLocks('studio.grid.g3') });
  const keys = await keysOf('grids');
  expect(keys).toEqual(expect.arrayContaining(['g1', 'g2', 'g3', 'g5']));
  expect([keys.includes('g0'), keys.includes('g4'), keys.length]).toEqual([false, false, 15]);
  expect(await keysOf('cells')).toHaveLength(1);
});

it('an answer with deeply nested calls comes back over a reload', async () => {
  const session = new Map<string, string>();
  const deep = done('');
  const before = await openPage(session);
  before.changeSetup(SETUP);
  before.readBook().setCell(
    0,
    deep.state === 'done'
      ? {
          ...deep,
          answer: {
            ...deep.answer,
            toolCalls: [{ name: 'f', arguments: `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}` }],
          },
        }
      : deep,
  );
  const [cell] = before.readBook().cells;
  await before.grid.write();
  const after = await openPage(session);
  expect(after.useGrid.getState().problem).toBeNull();
  expect(after.readBook().cells[0]).toEqual(cell);
});

/** A studio that can't tally stored cells, as with deeply nested calls before they were limited. */
function breakTally(): void {
  vi.doMock('./grid/gridTally.ts', async (load) => {
    const whole = await load<typeof import('#features/evaluation/web/grid/gridTally.ts')>();
    return {
      ...whole,
      openGridTally: (book: Parameters<typeof whole.openGridTally>[0]) => {
        if (book.counts.done > 0) throw new RangeError('Maximum call stack size exceeded');
        return whole.openGridTally(book);
      },
    };
  });
}

it('puts a grid aside that can be read but not opened; no tab takes it again', async () => {
  const session = new Map<string, string>([['studio.grid', 'g']]);
  const record = { ...withRows(1), columns: SETUP.columns };
  await database.put('grids', [['g', record]]);
  await database.put('cells', [[['g', 0], done('old')]]);
  breakTally();
  const { changeSetup, grid, useGrid } = await openPage(session);
  vi.doUnmock('./grid/gridTally.ts');
  expect(useGrid.getState()).toMatchObject({
    isLoaded: true,
    setup: { rows: [] },
    problem: expect.stringMatching(/kept in the browser’s database/) as string,
  });
  changeSetup(SETUP);
  await grid.write();
  const aside = (await keysOf('grids')).find((key) => String(key).startsWith('g.aside.')) as string;
  expect([await database.readOne('grids', aside), await database.readOne('cells', [aside, 0])]).toEqual([
    record,
    done('old'),
  ]);
  await database.remove('grids', 'g');
  const other = await openPage(new Map(), { locks: new MemoryLocks() });
  expect(other.readBook().setup.rows).toEqual([]);
});

it.each([
  ['be put aside', { version: 9 }, () => void (database.problem = QUOTA), 'The disk is full.'],
  [
    'be read',
    withRows(1),
    () => void (database.refusal = new DOMException('The value is broken.', 'DataError')),
    'The value is broken.',
  ],
])('writes over nothing where the stored grid can’t %s, and says so', async (_what, record, act, reason) => {
  await database.put('grids', [['g', record]]);
  await database.put('cells', [[['g', 0], done('old')]]);
  act();
  const { changeSetup, grid, useGrid, readBook } = await openPage(new Map([['studio.grid', 'g']]));
  [database.problem, database.refusal] = [null, null];
  const { isLoaded, problem } = useGrid.getState();
  expect([isLoaded, problem]).toEqual([
    true,
    expect.stringContaining(
      `could not be read or put aside (${reason}). It is left as it is, and nothing is written over it`,
    ),
  ]);
  changeSetup(SETUP);
  readBook().setCell(0, done('new'));
  await grid.write();
  expect([await database.read('grids'), await valuesOf('cells')]).toEqual([[['g', record]], [done('old')]]);
});

it('leaves a damaged grid alone that another tab holds', async () => {
  await database.put('grids', [['g', { version: 9 }]]);
  const { useGrid } = await openPage(new Map([['studio.grid', 'g']]), { locks: openLocks('studio.grid.g') });
  expect(useGrid.getState().problem).toMatch(/could not be restored/);
  expect(await database.read('grids')).toEqual([['g', { version: 9 }]]);
});

it('columns and answers are the panes’ own again after a reload', async () => {
  const session = new Map<string, string>();
  const columns = [
    {
      id: 'c',
      label: 'm',
      request: { stream: true, temperature: 0, messages: [{ content: 's', role: 'system' as const }], model: 'm' },
    },
  ];
  const before = await openPage(session);
  before.changeSetup({ ...SETUP, columns });
  before.readBook().setCell(0, done('x'));
  await before.grid.write();
  const after = await openPage(session);
  const { isSameColumns } = await import('#features/evaluation/web/grid/gridSetup.ts');
  expect(isSameColumns(after.readBook().setup.columns, columns)).toBe(true);
  after.setColumns(columns);
  expect(after.readBook().cells[0]).toEqual(done('x'));
});
