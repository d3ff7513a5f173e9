// A document of named lines in a tab's page, over an in-memory database. For tests only.
import { afterEach, beforeEach, vi } from 'vitest';
import { keysFrom, openDatabase, type Database, type DatabaseEvents, type StoredRecord } from './browserDatabase.ts';
import { FakeDatabase } from './fakeDatabase.fixture.ts';
import { MemoryLocks } from './memoryLocks.fixture.ts';
import { toStorageWords } from './storageWords.ts';
import { StoredDocument } from './storedDocument.ts';

export const LINES = 'lines';
export const MARKS = 'marks';
export const WORDS = toStorageWords('pages', 'page', 'Nothing is stored.', 'The storage is full.');
export const open = (events: DatabaseEvents = {}): Promise<Database> =>
  openDatabase(
    {
      name: 'studio.lines',
      version: 1,
      upgrade: (database) => {
        for (const store of [LINES, MARKS]) database.createObjectStore(store);
      },
    },
    events,
  );

export let database: FakeDatabase;
/** The storage of the tab. */
export let session: Map<string, string>;

/** An empty database, and a tab that has stored only this. */
export function openBrowser(tab: readonly (readonly [string, string])[] = []): void {
  database = new FakeDatabase('studio.lines', open);
  database.stub();
  session = new Map(tab);
}

/** Gives every test of a file an empty browser and a fake clock. */
export function keepBrowser(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    openBrowser();
    vi.stubGlobal('BroadcastChannel', undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

type Lines = Readonly<Record<string, string>>;

/** Loads the page of a tab. `known`: the documents that a new tab may take. */
export async function openPage(
  tab = session,
  locks: MemoryLocks | null = new MemoryLocks(),
  known: readonly string[] = [],
) {
  const page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', locks ? { locks } : {});
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  });
  let [lines, taken, problem]: [Lines, Lines, string | null] = [{}, {}, null];
  const takeChanges = (id: string): readonly StoredRecord[] => {
    const before = taken;
    taken = lines;
    const names = Object.keys({ ...before, ...lines }).filter((name) => before[name] !== lines[name]);
    return names.map((name) => [LINES, [id, name], lines[name]]);
  };
  const stored = new StoredDocument({
    key: 'studio.line',
    words: WORDS,
    open,
    toParts: (id) => [
      [LINES, keysFrom(id)],
      [MARKS, id],
    ],
    toWhole: (id) => [
      [LINES, keysFrom(id)],
      [MARKS, id],
    ],
    takeChanges,
    onCopy: () => (taken = {}),
    toMarkRecord: (id, mark) => [MARKS, id, mark],
    readProblem: () => problem,
    showProblem: (shown) => (problem = shown),
  });
  const loading = stored.load(async (opened) => {
    const claim = await stored.claims.claim(known, () => `new${Math.random()}`);
    const records = await stored.readClaimed(opened, claim);
    lines = Object.fromEntries(records.flatMap(([store, key, value]) => (store === LINES ? [[key[1], value]] : [])));
    if (claim.id === claim.from) taken = lines;
    stored.begin({ database: opened, id: claim.id });
  });
  await database.settle();
  await loading;
  const change = (more: Readonly<Record<string, string | undefined>>, isAct = false): void => {
    lines = Object.fromEntries(
      Object.entries({ ...lines, ...more }).flatMap(([name, line]) => (line === undefined ? [] : [[name, line]])),
    );
    stored.saveSoon(isAct);
  };
  const show = (other: Lines) => (): null => {
    [lines, taken] = [other, other];
    return null;
  };
  return {
    stored,
    change,
    show,
    readLines: () => lines,
    readProblem: () => problem,
    findId: () => stored.findPlace()?.id ?? '',
    leave: () => void page.dispatchEvent(new Event('pagehide')),
    hide: () => ((page.hidden = true), void page.dispatchEvent(new Event('visibilitychange'))),
  };
}
export type Page = Awaited<ReturnType<typeof openPage>>;

export const pass = (ms: number): Promise<void> => database.pass(ms);
/** The stored lines of a document. */
export const readStored = async (id: string): Promise<Lines> =>
  Object.fromEntries(
    (await database.read<readonly string[]>(LINES)).flatMap(([[owner, name = ''], line]) =>
      owner === id ? [[name, line as string]] : [],
    ),
  );
