import { expect, it, vi } from 'vitest';
import { openBlockIndexes } from './blockIndexes.ts';

/** Readers whose answers a test gives when it wants to. */
function openReaders() {
  const waiting: PromiseWithResolvers<Buffer>[] = [];
  const readPlaces = vi.fn((_id: string) => Promise.resolve([{ first: 0, count: 1 }]));
  const readGrams = vi.fn((_id: string) => {
    const answer = toPromise<Buffer>();
    waiting.push(answer);
    return answer.promise;
  });
  return { readPlaces, readGrams, waiting };
}

function toPromise<Value>(): PromiseWithResolvers<Value> {
  let [resolve, reject]: [(value: Value | PromiseLike<Value>) => void, (reason?: unknown) => void] = [
    () => {},
    () => {},
  ];
  const promise = new Promise<Value>((...given) => {
    [resolve, reject] = given;
  });
  return { promise, resolve, reject };
}

it('reads the places at once, and the pieces once they are asked for', async () => {
  const readers = openReaders();
  const indexOf = openBlockIndexes(readers);
  const index = await indexOf('a', 1);
  expect(index.places).toEqual([{ first: 0, count: 1 }]);
  expect(readers.readGrams).not.toHaveBeenCalled();
  const both = Promise.all([index.readGrams(), (await indexOf('a', 1)).readGrams()]);
  readers.waiting[0]?.resolve(Buffer.from('pieces'));
  expect((await both).map(String)).toEqual(['pieces', 'pieces']);
  expect(readers.readGrams).toHaveBeenCalledTimes(1);
  await (
    await indexOf('a', 2)
  ).places;
  expect(readers.readPlaces).toHaveBeenCalledTimes(2);
});

it('reads again what could not be read', async () => {
  const readers = openReaders();
  const indexOf = openBlockIndexes(readers);
  const index = await indexOf('a', 1);
  index.warm();
  readers.waiting[0]?.reject(new Error('The database is away.'));
  await expect(index.readGrams()).rejects.toThrow('away');
  const again = index.readGrams();
  readers.waiting[1]?.resolve(Buffer.from('pieces'));
  expect(String(await again)).toBe('pieces');

  readers.readPlaces.mockRejectedValueOnce(new Error('The database is away.'));
  await expect(indexOf('b', 1)).rejects.toThrow('away');
  expect((await indexOf('b', 1)).places).toHaveLength(1);
});

it('reads ahead for one dataset at a time, and for a search at any time', async () => {
  const readers = openReaders();
  const indexOf = openBlockIndexes(readers);
  const [a, b] = await Promise.all([indexOf('a', 1), indexOf('b', 1)]);
  a.warm();
  a.warm();
  b.warm();
  expect(readers.readGrams.mock.calls.map(([id]) => id)).toEqual(['a']);
  const searched = b.readGrams();
  expect(readers.readGrams.mock.calls.map(([id]) => id)).toEqual(['a', 'b']);
  readers.waiting[1]?.resolve(Buffer.from('of b'));
  expect(String(await searched)).toBe('of b');
  readers.waiting[0]?.reject(new Error('The database is away.'));
  await vi.waitFor(() => {
    a.warm();
    expect(readers.readGrams.mock.calls.map(([id]) => id)).toEqual(['a', 'b', 'a']);
  });
});

it('keeps the indexes of two datasets', async () => {
  const readers = openReaders();
  const indexOf = openBlockIndexes(readers);
  for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await indexOf(id, 1);
  expect(readers.readPlaces.mock.calls.map(([id]) => id)).toEqual(['a', 'b', 'c', 'b']);
});
