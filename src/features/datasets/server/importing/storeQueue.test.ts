import { expect, it, vi } from 'vitest';
import { openStoreQueue } from './storeQueue.ts';

const isolated = { end: async () => undefined };
const turn = (): Promise<void> => new Promise(setImmediate);

it('stores pieces in their order, one at a time, and takes the next only when there is room', async () => {
  const stored: number[] = [];
  let finish: () => void = () => undefined;
  const queue = openStoreQueue<number>(isolated, 2, async (piece) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    stored.push(piece);
  });
  let isTaken = false;
  await queue.add(Promise.resolve(1));
  const second = queue.add(Promise.resolve(2)).then(() => (isTaken = true));
  await turn();
  expect([stored, isTaken]).toEqual([[], false]);
  finish();
  await second;
  expect(stored).toEqual([1]);
  await turn();
  finish();
  await queue.end();
  expect(stored).toEqual([1, 2]);
});

it('stores nothing after a piece that failed, and says why', async () => {
  const store = vi.fn(async () => undefined);
  const queue = openStoreQueue<number>(isolated, 2, store);
  await queue.add(Promise.reject(new Error('damaged')));
  await expect(queue.add(Promise.resolve(2))).rejects.toThrow('damaged');
  await expect(queue.end()).rejects.toThrow('damaged');
  expect(store).not.toHaveBeenCalled();
});

it('stops only when what is being stored is stored, although a later piece has failed', async () => {
  let finish: () => void = () => undefined;
  const queue = openStoreQueue<number>(
    isolated,
    3,
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  await queue.add(Promise.resolve(1));
  await queue.add(Promise.reject(new Error('ended')));
  let isStopped = false;
  const stopped = queue.stop().then(() => (isStopped = true));
  await turn();
  expect(isStopped).toBe(false);
  finish();
  await stopped;
});
