import { IDBTransaction } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openDatabase,
  readRecords,
  toPromise,
  writeRecords,
  type Database,
  type DatabaseEvents,
} from './browserDatabase.ts';
import { FakeDatabase, QUOTA } from './fakeDatabase.fixture.ts';

const STORE = 'notes';
const open = (version = 1, events: DatabaseEvents = {}): Promise<Database> =>
  openDatabase(
    {
      name: 'studio.notes',
      version,
      upgrade: (database, from) => void database.createObjectStore(from === 0 ? STORE : `since ${version}`),
    },
    events,
  );
const put = (database: Database, key: string): Promise<void> => writeRecords(database, [[STORE, key, key]]);
const readKeys = (database: Database): Promise<readonly IDBValidKey[]> =>
  toPromise(database.transaction(STORE).objectStore(STORE).getAllKeys());
const openEvents = () => ({ onBlocked: vi.fn(), beforeClose: vi.fn(), onOutdated: vi.fn(), onReopened: vi.fn() });

let fake: FakeDatabase;

beforeEach(() => {
  fake = new FakeDatabase('studio.notes', open);
  fake.stub();
});
afterEach(() => vi.unstubAllGlobals());

describe('opening', () => {
  it('keeps what an older version stored', async () => {
    await put(await open(1), 'a');
    const newer = await open(2);
    expect(await readKeys(newer)).toEqual(['a']);
    expect(newer.transaction('since 2').mode).toBe('readonly');
  });

  it('is refused where a newer version has stored', async () => {
    await open(2);
    await expect(open(1)).rejects.toMatchObject({ kind: 'newer' });
  });

  it('says that another tab is in the way, and goes on once it is gone', async () => {
    await open(1);
    const tab = await toPromise(fake.browser.open('studio.notes'));
    const events = openEvents();
    const opened = open(2, events);
    await vi.waitFor(() => expect(events.onBlocked).toHaveBeenCalledOnce());
    tab.close();
    expect(await readKeys(await opened)).toEqual([]);
  });
});

describe('a newer version in another tab', () => {
  it('waits for a last write, and then nothing can be written', async () => {
    const events = openEvents();
    const database = await open(1, { ...events, beforeClose: () => void put(database, 'last') });
    expect(await readKeys(await open(2))).toEqual(['last']);
    expect(events.onOutdated.mock.calls).toMatchObject([[{ kind: 'outdated' }]]);
    expect(() => database.transaction(STORE)).toThrow('A newer version of the studio is open in another tab.');
  });
});

describe('a connection', () => {
  it('that was deleted takes no last write and is not opened again', async () => {
    const events = openEvents();
    const database = await open(1, events);
    await fake.delete();
    expect(events.onOutdated.mock.calls).toMatchObject([[{ kind: 'deleted' }]]);
    expect([events.beforeClose, events.onReopened].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    await expect(put(database, 'a')).rejects.toMatchObject({ kind: 'deleted' });
  });

  it('that the browser closed is opened again by itself', async () => {
    const events = openEvents();
    const database = await open(1, events);
    await put(database, 'a');
    await fake.close();
    expect(events.onReopened).toHaveBeenCalledOnce();
    expect(await readKeys(database)).toEqual(['a']);
  });

  it('that could not be opened again is, at the next try', async () => {
    const events = openEvents();
    const database = await open(1, events);
    fake.isClosed = true;
    await fake.close();
    expect(() => database.transaction(STORE)).toThrow('The browser has closed the database.');
    await fake.settle();
    fake.isClosed = false;
    expect(() => database.transaction(STORE)).toThrow('The browser has closed the database.');
    await fake.settle();
    expect(events.onReopened).toHaveBeenCalledOnce();
    expect(await readKeys(database)).toEqual([]);
  });

  it('learns where a newer version has come meanwhile', async () => {
    const database = await open(1);
    fake.isClosed = true;
    await fake.close();
    const tab = await toPromise(fake.browser.open('studio.notes', 2));
    tab.close();
    fake.isClosed = false;
    expect(() => database.transaction(STORE)).toThrow('The browser has closed the database.');
    await fake.settle();
    expect(() => database.transaction(STORE)).toThrow('A newer version of the studio has stored in this browser.');
  });
});

describe('writing', () => {
  it('is all or nothing, and rejects with the reason', async () => {
    const database = await open();
    await put(database, 'a');
    fake.problem = QUOTA;
    await expect(put(database, 'b')).rejects.toBe(QUOTA);
    expect(await readKeys(database)).toEqual(['a']);
  });

  it('rejects where the browser undoes it without a reason', async () => {
    const database = await open();
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function abort(this: IDBTransaction) {
      this.abort();
    });
    const undone = put(database, 'a');
    await expect(undone).rejects.toThrow('The database undid the write.');
    expect(await readKeys(database)).toEqual([]);
  });

  it('deletes ranges first, so that a record can move; a value of undefined deletes one record', async () => {
    const database = await open();
    await Promise.all(['a', 'b', 'c'].map((key) => put(database, key)));
    await writeRecords(
      database,
      [
        [STORE, 'b', 'new'],
        [STORE, 'c', undefined],
      ],
      [
        [STORE, 'a'],
        [STORE, 'b'],
      ],
    );
    expect(await readRecords(database, [[STORE, 'b']])).toEqual([[STORE, 'b', 'new']]);
    expect(await readKeys(database)).toEqual(['b']);
  });
});
