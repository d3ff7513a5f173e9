// The library as the database keeps it.
import { beforeEach, expect, it } from 'vitest';
import { LIBRARY_LIMITS } from '#features/playground/shared/libraryLimits.ts';
import { keepDatabase } from '#service/database/keepDatabase.fixture.ts';
import { deleteItem, listItems, saveItem } from './library.ts';

const NOW = new Date('2026-11-20T00:00:00.000Z');
const BY_ANNA = { now: NOW, who: 'Anna' };
const PRESET = { name: 'Careful', content: '{"about":["seed"],"settings":{"seed":1}}', revision: 0 };

const database = await keepDatabase();
beforeEach(() => database.executeSql('delete from studio.library'));

const names = async (): Promise<unknown[]> => (await listItems(database.orm, 'preset')).map(({ name }) => name);

it('an item has its author and its times, and another kind has none of it', async () => {
  const item = { ...PRESET, id: 'a', revision: 1, updated_by: 'Anna' };
  const times = { created_at: NOW.toISOString(), updated_at: NOW.toISOString() };
  expect(await saveItem(database.orm, 'preset', 'a', PRESET, BY_ANNA)).toEqual({
    kind: 'saved',
    item: { ...item, ...times },
  });
  expect(await listItems(database.orm, 'preset')).toEqual([{ ...item, ...times }]);
  expect(await listItems(database.orm, 'example')).toEqual([]);
});

it('a change by somebody else keeps when the item was made, and says who changed it: null is the owner', async () => {
  const later = new Date(NOW.getTime() + 5000);
  await saveItem(database.orm, 'preset', 'a', PRESET, BY_ANNA);
  await saveItem(database.orm, 'preset', 'a', { ...PRESET, name: 'Cautious', revision: 1 }, { now: later, who: null });
  expect(await listItems(database.orm, 'preset')).toMatchObject([
    {
      name: 'Cautious',
      revision: 2,
      updated_by: null,
      created_at: NOW.toISOString(),
      updated_at: later.toISOString(),
    },
  ]);
});

it('of two who save the same item at once one is told what the other saved', async () => {
  const results = await Promise.all(
    ['Mine', 'Yours'].map((name) => saveItem(database.orm, 'preset', 'a', { ...PRESET, name }, BY_ANNA)),
  );
  const kinds = results.map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['changed', 'saved']);
  const [saved] = await listItems(database.orm, 'preset');
  expect(results[kinds.indexOf('changed')]).toEqual({ kind: 'changed', item: saved });
});

it('what was changed since it was read is not deleted', async () => {
  await saveItem(database.orm, 'preset', 'a', PRESET, BY_ANNA);
  await saveItem(database.orm, 'preset', 'a', { ...PRESET, name: 'Cautious', revision: 1 }, BY_ANNA);
  expect(await deleteItem(database.orm, 'preset', 'a', 1)).toMatchObject({ kind: 'changed', item: { revision: 2 } });
  expect(await names()).toEqual(['Cautious']);
  expect(await deleteItem(database.orm, 'preset', 'a', 2)).toEqual({ kind: 'deleted' });
  expect(await deleteItem(database.orm, 'preset', 'a', 2)).toBeNull();
  expect(await names()).toEqual([]);
});

it('a change of what was deleted is told that nothing is there', async () => {
  expect(await saveItem(database.orm, 'preset', 'a', { ...PRESET, revision: 3 }, BY_ANNA)).toEqual({
    kind: 'changed',
    item: null,
  });
});

it('a full library takes changes of what it has, and nothing new', async () => {
  await database.executeSql(
    `insert into studio.library
     select 'preset', at::text, 'x', '{}', 1, now(), now(), '' from generate_series(1, ${LIBRARY_LIMITS.items}) at`,
  );
  expect(await saveItem(database.orm, 'preset', 'new', PRESET, BY_ANNA)).toEqual({ kind: 'full' });
  expect(await saveItem(database.orm, 'preset', '1', { ...PRESET, revision: 1 }, BY_ANNA)).toMatchObject({
    kind: 'saved',
  });
  expect(await saveItem(database.orm, 'example', 'new', PRESET, BY_ANNA)).toMatchObject({ kind: 'saved' });
});

it('what is bounded are characters, of which some take two bytes', async () => {
  await database.executeSql(
    `insert into studio.library
     select 'preset', at::text, 'x', repeat('é', ${LIBRARY_LIMITS.content}), 1, now(), now(), ''
     from generate_series(1, ${LIBRARY_LIMITS.all / LIBRARY_LIMITS.content - 1}) at`,
  );
  expect(await saveItem(database.orm, 'preset', 'new', PRESET, BY_ANNA)).toMatchObject({ kind: 'saved' });
});

it('the characters of all items of a kind are bounded', async () => {
  await database.executeSql(
    `insert into studio.library
     select 'preset', at::text, 'x', repeat('x', ${LIBRARY_LIMITS.content}), 1, now(), now(), ''
     from generate_series(1, ${LIBRARY_LIMITS.all / LIBRARY_LIMITS.content}) at`,
  );
  expect(await saveItem(database.orm, 'preset', 'new', PRESET, BY_ANNA)).toEqual({ kind: 'full' });
});
