import { IDBCursor } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRecords, writeRecords } from '#ui/storage/browserDatabase.ts';
import {
  openDeskDatabase,
  readDeskIds,
  readKind,
  readStoredDesk,
  toDeskParts,
  toRecord,
  toWholeDesk,
} from './deskDatabase.ts';
import { FakeDatabase } from '#ui/storage/fakeDatabase.fixture.ts';

let database: FakeDatabase;

beforeEach(() => {
  database = new FakeDatabase('studio.playground', openDeskDatabase);
  database.stub();
});

afterEach(() => vi.unstubAllGlobals());

it('keeps the records of desks isolated, also where one name begins with another', async () => {
  const opened = await openDeskDatabase();
  await writeRecords(
    opened,
    ['a', 'ab', 'a,turn', 'b'].flatMap((desk) => [
      toRecord([desk, 'desk', ''], `desk ${desk}`),
      toRecord([desk, 'exchange', '1'], 'a long body'),
      toRecord([desk, 'turn', '1'], `turn of ${desk}`),
    ]),
  );
  expect((await readRecords(opened, toDeskParts('a'))).map(([, , value]) => value)).toEqual(['desk a', 'turn of a']);
  expect([await readStoredDesk(opened, 'a'), await readStoredDesk(opened, 'none')]).toEqual(['desk a', undefined]);
  await writeRecords(opened, [], toWholeDesk('a'));
  expect((await readDeskIds(opened)).toSorted()).toEqual(['a,turn', 'ab', 'b']);
  expect(await readKind(opened, 'ab', 'turn')).toEqual(['turn of ab']);
});

it('finds the desks without walking over the keys of their turns', async () => {
  const opened = await openDeskDatabase();
  const kinds = (desk: string) => [
    toRecord([desk, 'aside', '1'], 1),
    toRecord([desk, 'desk', ''], 1),
    toRecord([desk, 'exchange', '1'], 1),
    ...Array.from({ length: 500 }, (_, at) => toRecord([desk, 'turn', `${at}`], 1)),
  ];
  await writeRecords(opened, [...kinds('a'), ...kinds('b'), toRecord(['examples', 'example', '1'], 1)]);
  const goOn = vi.spyOn(IDBCursor.prototype, 'continue');
  expect(await readDeskIds(opened)).toEqual(['a', 'b']);
  expect(goOn.mock.calls.length).toBeLessThan(12);
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
