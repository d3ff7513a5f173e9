import { expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openJobQueue, type QueuedJob } from './jobQueue.ts';
import { keepDatabase } from './keepDatabase.fixture.ts';

const unexpected = (text: string): never => {
  throw new Error(text);
};

/** A promise that is kept from outside. */
function openGate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

let database: Database;
keepDatabase((opened) => {
  database = opened;
});

const ID = '33333333-3333-4333-8333-333333333333';
const OTHER = ID.replaceAll('3', '5');

it('retries a failing job, then gives up; the same id is one job', async () => {
  const runs: QueuedJob[] = [];
  const done = openGate();
  const queue = await openJobQueue({
    database,
    name: 'test',
    onWarning: unexpected,
    run: async (job) => {
      runs.push(job);
      if (job.isLastAttempt) done.open();
      throw new Error('no luck');
    },
  });
  await queue.send(ID, { a: 1 });
  await queue.send(ID, { a: 2 });
  expect(await queue.findState(ID)).toBe('waiting');
  queue.start();
  await done.passed;
  await queue.close();
  expect(runs.map((job) => [job.id, job.data, job.attempt, job.isLastAttempt])).toEqual([
    [ID, { a: 1 }, 1, false],
    [ID, { a: 1 }, 2, false],
    [ID, { a: 1 }, 3, true],
  ]);
  const again = await openJobQueue({ database, name: 'test', onWarning: unexpected, run: async () => undefined });
  expect(await again.findState(ID)).toBe('failed');
  expect(await again.findState(ID.replaceAll('3', '4'))).toBe('missing');
  await again.close();
});

it('waits for the running job when it closes, and records it', async () => {
  const begun = openGate();
  const finish = openGate();
  const queue = await openJobQueue({
    database,
    name: 'other',
    onWarning: unexpected,
    run: () => {
      begun.open();
      return finish.passed;
    },
  });
  queue.start();
  await queue.send(OTHER, {});
  await begun.passed;
  expect(await queue.findState(OTHER)).toBe('active');
  const closing = queue.close();
  finish.open();
  await closing;
  expect((await database.executeSql('select state from studio_jobs.job where id = $1', [OTHER])).rows).toEqual([
    { state: 'completed' },
  ]);
});
