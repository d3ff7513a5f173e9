import { expect, it } from 'vitest';
import { openTimedWorker, type WorkerReply } from './timedWorker.ts';

/** Workers that answer when the test says so; time passes when the test says so. */
function setUp(maxSlow = Infinity) {
  const opened: {
    readonly sent: (readonly string[])[];
    readonly reply: (reply: WorkerReply<string>) => void;
    readonly fail: (message: string) => void;
    isClosed: boolean;
  }[] = [];
  let timer: { readonly ms: number; readonly callback: () => void } | null = null;
  const worker = openTimedWorker<string, string>({
    openWorker: (reply, fail) => {
      const one = { sent: [] as (readonly string[])[], reply, fail, isClosed: false };
      opened.push(one);
      return { send: (jobs) => void one.sent.push(jobs), close: () => void (one.isClosed = true) };
    },
    later: (ms, callback) => {
      const mine = { ms, callback };
      timer = mine;
      return () => void (timer = timer === mine ? null : timer);
    },
    jobMs: 100,
    maxSlow,
  });
  const last = () => opened.at(-1)!;
  return {
    worker,
    opened,
    last,
    result: (result: string) => last().reply({ kind: 'result', result }),
    due: () => timer?.ms,
    timeOut: () => timer?.callback(),
  };
}

const done = (result: string) => ({ kind: 'done', result });

it('gives an outcome for each job, in order, from one worker that starts with the first', async () => {
  const { worker, opened, last, result, due } = setUp();
  expect(opened).toHaveLength(0);
  const first = worker.run(['a', 'b']);
  expect(due()).toBe(20_000);
  last().reply({ kind: 'ready' });
  expect(due()).toBe(100);
  for (const each of ['A', 'B']) result(each);
  expect([await first, due()]).toEqual([[done('A'), done('B')], undefined]);
  const second = worker.run(['c']);
  expect(due()).toBe(100);
  result('C');
  expect([await second, opened.length, last().sent]).toEqual([[done('C')], 1, [['a', 'b'], ['c']]]);
  expect(await worker.run([])).toEqual([]);
  worker.close();
  expect(last().isClosed).toBe(true);
});

it('ends a job that takes too long, and goes on with the next in a new worker', async () => {
  const { worker, opened, last, result, timeOut } = setUp();
  const heard: unknown[] = [];
  const run = worker.run(['a', 'slow', 'b'], (outcome) => void heard.push(outcome));
  last().reply({ kind: 'ready' });
  result('A');
  expect(heard).toEqual([done('A')]);
  timeOut();
  expect(heard).toEqual([done('A'), { kind: 'slow' }]);
  expect([opened[0]?.isClosed, last().sent]).toEqual([true, [['b']]]);
  opened[0]?.reply({ kind: 'result', result: 'late' });
  last().reply({ kind: 'ready' });
  result('B');
  expect(await run).toEqual([done('A'), { kind: 'slow' }, done('B')]);
  expect(heard).toEqual(await run);
});

it('tries no more after so many that took too long', async () => {
  const { worker, opened, timeOut, last } = setUp(2);
  const run = worker.run(['a', 'b', 'c']);
  for (let at = 0; at < 2; at += 1) {
    last().reply({ kind: 'ready' });
    timeOut();
  }
  expect([await run, opened.length]).toEqual([[{ kind: 'slow' }, { kind: 'slow' }, { kind: 'slow' }], 2]);
});

it('says why there is no worker', async () => {
  const failing = setUp();
  const run = failing.worker.run(['a']);
  failing.last().fail('no code.');
  expect(await run).toEqual([{ kind: 'broken', message: 'no code.' }]);
  expect(await failing.worker.run(['b'])).toEqual([{ kind: 'broken', message: 'no code.' }]);
  const mute = setUp();
  const waiting = mute.worker.run(['a']);
  mute.timeOut();
  expect(await waiting).toEqual([{ kind: 'broken', message: 'the browser did not start the worker.' }]);
});
