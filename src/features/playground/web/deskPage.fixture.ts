// Pages that open one after another over one database in memory. For tests only.
import { afterEach, beforeEach, vi } from 'vitest';
import type { Desk, Turn } from '#features/playground/web/desk/desk.ts';
import type * as Saver from '#features/playground/web/storage/deskSaver.ts';
import type * as Store from '#features/playground/web/desk/deskStore.ts';
import { openDeskDatabase, type RecordKey } from '#features/playground/web/storage/deskDatabase.ts';
import { FakeDatabase } from '#ui/storage/fakeDatabase.fixture.ts';

/** The storage that outlives a page. */
interface PageStorage {
  database: FakeDatabase;
  /** The storage of the tab. */
  session: Map<string, string>;
}

interface Page {
  readonly window: EventTarget;
  readonly document: EventTarget & { hidden: boolean };
  readonly store: typeof Store;
  readonly saver: typeof Saver;
  readonly readDesk: () => Desk;
  readonly readProblem: () => string | null;
  readonly change: (more: Partial<Desk>) => void;
}

const RECORDS = 'records';
const toDatabase = (): FakeDatabase => new FakeDatabase('studio.playground', openDeskDatabase);
const storage: PageStorage = { database: toDatabase(), session: new Map() };

export const pass = (ms: number): Promise<void> => storage.database.pass(ms);

/** Stores records as an earlier page would have done. */
export const putRecords = (...records: readonly (readonly [RecordKey, unknown])[]): Promise<void> =>
  storage.database.put(RECORDS, records);
/** The stored records, in the order of their keys. */
export const readRecords = (): Promise<readonly (readonly [RecordKey, unknown])[]> => storage.database.read(RECORDS);
export const readStored = (key: RecordKey): Promise<unknown> => storage.database.readOne(RECORDS, key);

function stubSession(session: Map<string, string>): void {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => void session.set(key, value),
    removeItem: (key: string) => void session.delete(key),
  });
}

/** Gives every test of a file an empty database, a new tab of a browser without locks, and a fake clock. */
export function keepStorage(): PageStorage {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 });
    storage.database = toDatabase();
    storage.session = new Map();
    stubSession(storage.session);
    storage.database.stub();
    vi.stubGlobal('navigator', {});
    // Pages that a test leaves behind would hear the next ones.
    vi.stubGlobal('BroadcastChannel', undefined);
    // Not on the fake clock, which is dropped: an answer of the file before may still wait for its frame.
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setImmediate(callback));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return storage;
}

/** Loads a page with its own copy of the code. Only the database and the tab's storage remember earlier pages. */
export async function openPage<Modules extends object>(
  load: () => Promise<Modules>,
  { search = '', session }: { readonly search?: string; readonly session?: Map<string, string> } = {},
): Promise<Page & Modules> {
  vi.resetModules();
  const location = { search, pathname: '/', hash: '' };
  const window = Object.assign(new EventTarget(), {
    location,
    history: { pushState: () => undefined, replaceState: () => undefined },
  });
  const document = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', document);
  if (session) stubSession(session);
  const [store, saver, modules] = [
    await import('#features/playground/web/desk/deskStore.ts'),
    await import('#features/playground/web/storage/deskSaver.ts'),
    await load(),
  ];
  const opened = saver.openDeskSaver();
  await pass(0);
  await opened;
  return {
    ...modules,
    window,
    document,
    store,
    saver,
    readDesk: store.readDesk,
    readProblem: () => store.useDesk.getState().storage.problem,
    change: (more) => store.changeDesk((desk) => ({ ...desk, ...more })),
  };
}

export const toMessage = (id: string, content = `message ${id}`): Turn => ({ id, role: 'user', content });
