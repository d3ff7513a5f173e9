import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { endThread } from './endThread.ts';

const start = async (code: string): Promise<Worker> => {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, { eval: true });
  await once(worker, 'online');
  return worker;
};

it('lets a thread read what was sent before, then asks it to end', async () => {
  const worker = await start(
    "parentPort.on('message', ({ kind }) => kind === 'stop' ? process.exit(7) : parentPort.postMessage(kind))",
  );
  const said: unknown[] = [];
  worker.on('message', (message) => said.push(message));
  const code = once(worker, 'exit');
  worker.postMessage({ kind: 'first' }, []);
  worker.postMessage({ kind: 'second' }, []);
  await endThread(worker, 60_000);
  expect([said, await code]).toEqual([['first', 'second'], [7]]);
});

it('terminates a thread that does not listen', async () => {
  const worker = await start('for (;;);');
  await endThread(worker, 1);
  expect(worker.threadId).toBe(-1);
});

it('waits for none that has ended', async () => {
  const worker = await start('');
  await once(worker, 'exit');
  await expect(endThread(worker, 60_000)).resolves.toBeUndefined();
});
