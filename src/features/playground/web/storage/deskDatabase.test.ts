import { IDBCursor } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  deleteDesk,
  openDeskDatabase,
  readDeskIds,
  readStoredDesk,
  readStoredTurns,
  writeRecords,
  type RecordKey,
} from './deskDatabase.ts';
import { FakeDatabase, QUOTA } from '#ui/storage/fakeDatabase.fixture.ts';

let database: FakeDatabase;

beforeEach(() => {
  database = new FakeDatabase('studio.playground', openDeskDatabase);
  database.stub();
});

afterEach(() => vi.unstubAllGlobals());

it('keeps the records of desks apart, also where one name begins with another', async () => {
  const opened = await openDeskDatabase();
  await writeRecords(opened, {
    puts: ['a', 'ab', 'a,turn', 'b'].flatMap((desk) => [
      [[desk, 'desk', ''], `desk ${desk}`] as const,
      [[desk, 'turn', '1'], `turn of ${desk}`] as const,
    ]),
    deletes: [],
  });
  expect(await readStoredTurns(opened, 'a')).toEqual(['turn of a']);
  expect([await readStoredDesk(opened, 'a'), await readStoredDesk(opened, 'none')]).toEqual(['desk a', undefined]);
  await deleteDesk(opened, 'a');
  expect((await readDeskIds(opened)).toSorted()).toEqual(['a,turn', 'ab', 'b']);
  expect(await readStoredTurns(opened, 'ab')).toEqual(['turn of ab']);
});

it('finds the desks without walking over the keys of their turns', async () => {
  const opened = await openDeskDatabase();
  const kinds = (desk: string): readonly (readonly [RecordKey, unknown])[] => [
    [[desk, 'aside', '1'], 1],
    [[desk, 'desk', ''], 1],
    [[desk, 'exchange', '1'], 1],
    ...Array.from({ length: 500 }, (_, at) => [[desk, 'turn', `${at}`], 1] as const),
  ];
  const orphan = [['examples', 'example', '1'], 1] as const;
  await writeRecords(opened, { puts: [...kinds('a'), ...kinds('b'), orphan], deletes: [] });
  const goOn = vi.spyOn(IDBCursor.prototype, 'continue');
  expect(await readDeskIds(opened)).toEqual(['a', 'b']);
  expect(goOn.mock.calls.length).toBeLessThan(12);
});

it('rejects with the reason, with nothing written', async () => {
  const opened = await openDeskDatabase();
  database.problem = QUOTA;
  await expect(writeRecords(opened, { puts: [[['a', 'desk', ''], 1]], deletes: [] })).rejects.toBe(QUOTA);
  expect(await database.read('records')).toEqual([]);
});

it('rejects where the browser allows none', async () => {
  database.isClosed = true;
  await expect(openDeskDatabase()).rejects.toMatchObject({ name: 'SecurityError' });
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  await expect(openDeskDatabase()).rejects.toMatchObject({ name: 'SecurityError' });
});
