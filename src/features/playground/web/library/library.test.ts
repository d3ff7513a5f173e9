import { expect, it } from 'vitest';
import { READ_ONLY as REASON } from '#ui/client/rights.ts';
import { syncLibrary, type OwnItem } from './library.ts';
import { fail, keepLibrary, NO_LIBRARY, READ_ONLY } from './memoryLibrary.fixture.ts';

const library = keepLibrary();
const own = (...ids: readonly string[]): OwnItem[] => ids.map((id) => ({ id, name: id, content: `{"of":"${id}"}` }));
const sync = async (items: readonly OwnItem[]) => {
  const {
    items: all,
    sent,
    reason,
  } = await syncLibrary(
    'preset',
    items.map(({ id }) => id),
    (id) => items.find((item) => item.id === id),
  );
  return { all: all?.map(({ name }) => name), sent: [...sent.keys()], reason };
};

it('what only this browser has is sent once, in its order, and what others have is read', async () => {
  library.save('x', 'Theirs', '{}');
  expect(await sync(own('a', 'b'))).toEqual({ all: ['Theirs', 'a', 'b'], sent: ['a', 'b'], reason: null });
  expect(library.asked).toEqual(['PUT a', 'PUT b']);
  expect(await sync([])).toMatchObject({ all: ['Theirs', 'a', 'b'] });
});

it('what two browsers have alike is in the library once, and what two tabs send is no second one', async () => {
  library.save('x', 'a', '{"of":"a"}');
  library.save('b', 'Renamed since', '{"of":"b"}');
  expect(await sync(own('a', 'b'))).toEqual({ all: ['a', 'Renamed since'], sent: ['a', 'b'], reason: null });
  expect(library.asked).toEqual(['PUT b']);
});

it('two of one name with different contents are both kept', async () => {
  library.save('x', 'a', '{"of":"another"}');
  expect(await sync(own('a'))).toMatchObject({ all: ['a', 'a'], sent: ['a'] });
});

it('an item that the studio refuses stays in the browser, and the next one is sent', async () => {
  library.refuse = (method, id) =>
    method === 'PUT' && id === 'a' ? Response.json({ error: { message: 'Too long.' } }, { status: 400 }) : null;
  expect(await sync(own('a', 'b'))).toEqual({
    all: ['b'],
    sent: ['b'],
    reason: expect.stringMatching(/^Too long\./) as string,
  });
});

it('a token that may only read sends nothing more after the first refusal', async () => {
  library.refuse = READ_ONLY;
  expect(await sync(own('a', 'b'))).toMatchObject({
    all: [],
    sent: [],
    reason: REASON,
  });
  expect(library.asked).toEqual(['PUT a']);
});

it('a full library is sent nothing more after the first refusal', async () => {
  library.refuse = (method) => (method === 'PUT' ? fail(400, 'library_full') : null);
  expect(await sync(own('a', 'b', 'c'))).toMatchObject({
    sent: [],
    reason: expect.stringMatching(/^Refused/) as string,
  });
  expect(library.asked).toEqual(['PUT a']);
});

it('each item is read once when it is sent, however many there are', async () => {
  const items = own(...Array.from({ length: 50 }, (_, at) => String(at)));
  const read: string[] = [];
  const ids = items.map(({ id }) => id);
  await syncLibrary('preset', ids, (id) => {
    read.push(id);
    return items.find((item) => item.id === id);
  });
  expect(read).toEqual(ids);
});

it('a service without a library is sent nothing', async () => {
  library.refuse = NO_LIBRARY;
  expect(await sync(own('a'))).toEqual({ all: undefined, sent: [], reason: null });
  expect(library.asked).toEqual([]);
});
