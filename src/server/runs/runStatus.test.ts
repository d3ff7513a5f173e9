import { describe, expect, it } from 'vitest';
import { toEvidence, type RunEvidence, type StatusSign } from './evidence.ts';
import { curve, events, losses, MINUTE, NOW, sign } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { findProcessIn } from './liveness.ts';
import { toDuration, toJobStatus, toRunStatus, type Liveness, type RunStatus } from './runStatus.ts';

function statusOf(more: Partial<RunEvidence>, liveness: Liveness = 'unknown'): RunStatus {
  const [run] = joinRuns([toEvidence({ format: 'hf-trainer', key: 'a', folder: 'a', ...more })], '/r');
  return toRunStatus(run!, { now: NOW, findProcess: () => liveness });
}

const PROCESS = { host: 'gpu1', pid: 4242 };
const ago = (minutes: number): number => NOW - minutes * MINUTE;

describe('what was written down', () => {
  it.each<[StatusSign, string, string]>([
    [sign('finished', 'train/train_runtime was logged'), 'succeeded', 'Finished: train/train_runtime was logged.'],
    [sign('failed', 'exit code 1'), 'failed', 'Failed: exit code 1.'],
    [sign('interrupted', 'KeyboardInterrupt'), 'stopped', 'Stopped: KeyboardInterrupt.'],
  ])('is certain: %j', (given, status, reason) => {
    // A process that is still there says nothing against it.
    expect(statusOf({ signs: [given], process: PROCESS }, 'alive')).toEqual({ status, reason, isCertain: true });
  });

  it('counts by what came last', () => {
    const signs = [sign('finished', 'a', ago(9)), sign('failed', 'b', ago(3)), sign('finished', 'c', ago(6))];
    expect(statusOf({ signs }).status).toBe('failed');
  });

  it('of a resumed run is that of its newest part', () => {
    const crashed = events('a', 'Aug22', curve(losses(10, 100, 10), ago(90)), {
      signs: [sign('failed', 'exit code 1')],
    });
    const resumed = events('a', 'Aug23', curve(losses(60, 100, 10), ago(1)), { lastSignAt: ago(1) });
    const [run] = joinRuns([crashed, resumed], '/r');
    expect(toRunStatus(run!, { now: NOW, findProcess: () => 'unknown' }).status).toBe('running');
  });

  it('with a date in the future is believed, but not its date', () => {
    expect(statusOf({ signs: [sign('finished', 'done', NOW + 120 * MINUTE)] }).reason).toBe(
      'Finished: done; that is dated 2 h in the future, so one of the clocks is wrong.',
    );
  });
});

it('of a run whose files are still being read is known only if its process lives', () => {
  const [run] = joinRuns(
    [events('a', 'Aug22', curve([[1, 2]]), { signs: [sign('open', 'open')], process: PROCESS })],
    '/r',
  );
  const unread = (liveness: Liveness) => toRunStatus(run!, { now: NOW, findProcess: () => liveness, isRead: false });
  expect(unread('gone')).toEqual({ status: 'pending', reason: 'Its files are still being read.', isCertain: false });
  expect(unread('alive').status).toBe('running');
});

describe('a lost loss', () => {
  const end = (values: readonly number[]) => ({
    curves: new Map([['loss', curve(values.map((value, at) => [at * 10, value] as const))]]),
    signs: [sign('finished', 'done')],
  });

  it('is a failure from the step of its last finite value on, though the trainer finished', () => {
    expect(statusOf(end([2, NaN, 1.5, NaN, Infinity, NaN]))).toEqual({
      status: 'failed',
      reason: 'Diverged: loss is not finite from step 30 on; finished: done.',
      isCertain: true,
    });
  });

  it('needs more than one value, and an end', () => {
    expect(statusOf(end([2, 1.5, NaN])).status).toBe('succeeded');
    expect(statusOf(end([NaN, NaN, 2])).status).toBe('succeeded');
  });
});

describe('what follows from files and processes', () => {
  it('a last step or final weights: probably finished', () => {
    const signs = [sign('complete', 'step 100 of 100 was saved')];
    expect(statusOf({ signs, lastSignAt: ago(1) })).toEqual({
      status: 'succeeded',
      reason: 'Probably finished: step 100 of 100 was saved.',
      isCertain: false,
    });
  });

  it('a process of this machine that lives: running, though its files are quiet', () => {
    expect(statusOf({ process: PROCESS, lastSignAt: ago(180) }, 'alive')).toEqual({
      status: 'running',
      reason: 'Process 4242 on gpu1 is running; last sign 3 h ago.',
      isCertain: true,
    });
  });

  it('files that grow: probably running', () => {
    expect(statusOf({ lastSignAt: ago(9) })).toMatchObject({ status: 'running', isCertain: false });
    expect(statusOf({ lastSignAt: ago(11) }).status).toBe('stopped');
  });

  it('slow logging: quiet for three intervals', () => {
    const slow = curve([]);
    for (const at of [0, 1, 2]) slow.push(at, 1, ago(120 - at * 20));
    const curves = new Map([['loss', slow]]);
    expect(statusOf({ curves, lastSignAt: ago(59) }).status).toBe('running');
    expect(statusOf({ curves, lastSignAt: ago(61) }).status).toBe('stopped');
  });

  it('an error at the end of the log: failed, also while the file is fresh', () => {
    const signs = [sign('traceback', 'torch.OutOfMemoryError: CUDA out of memory.')];
    expect(statusOf({ signs, lastSignAt: ago(1) })).toEqual({
      status: 'failed',
      reason: 'The log ends with an error: torch.OutOfMemoryError: CUDA out of memory.',
      isCertain: false,
    });
    expect(statusOf({ signs, lastSignAt: ago(60) }).isCertain).toBe(true);
    expect(statusOf({ signs, process: PROCESS }, 'alive').status).toBe('running');
  });

  it('none of it: stopped without a result, never failed', () => {
    expect(statusOf({ lastSignAt: ago(190) })).toEqual({
      status: 'stopped',
      reason: 'Stopped without a result; last sign 3 h ago.',
      isCertain: false,
    });
    expect(statusOf({ process: PROCESS, lastSignAt: ago(5) }, 'gone')).toEqual({
      status: 'stopped',
      reason: 'Stopped without a result; last sign 5 min ago; process 4242 on gpu1 is gone.',
      isCertain: true,
    });
    expect(statusOf({ signs: [sign('open')], lastSignAt: ago(3000) }).reason).toBe(
      'Stopped without a result; last sign 2 d ago; its tracker still says that it runs, as it does after a crash.',
    );
    expect(statusOf({})).toMatchObject({ status: 'stopped' });
  });

  it('a pid that is not found counts little while files grow: containers have others', () => {
    expect(statusOf({ process: PROCESS, lastSignAt: ago(1) }, 'gone').status).toBe('running');
  });

  it('a clock that is ahead is said, not believed', () => {
    expect(statusOf({ lastSignAt: NOW + 3 * 24 * 60 * MINUTE })).toMatchObject({
      status: 'stopped',
      reason: expect.stringContaining('dated 3 d in the future') as string,
    });
    expect(statusOf({ lastSignAt: NOW + MINUTE }).status).toBe('running');
  });
});

describe('a process', () => {
  const find = findProcessIn({
    host: 'gpu1.example.com',
    isAlive: (pid) => pid === 7 || pid === 8,
    startedAt: (pid) => (pid === 7 ? NOW : null),
  });

  it.each<[string, Parameters<typeof find>[0], Liveness]>([
    ['lives', { host: 'gpu1', pid: 7, startedAt: NOW + MINUTE }, 'alive'],
    ['is another one with the same pid', { host: 'gpu1', pid: 7, startedAt: NOW - 5 * MINUTE }, 'gone'],
    ['has no start time', { host: 'GPU1', pid: 8, startedAt: NOW - 5 * MINUTE }, 'alive'],
    ['is gone', { host: 'gpu1', pid: 9, startedAt: null }, 'gone'],
    ['is on another host', { host: 'gpu2', pid: 7, startedAt: null }, 'unknown'],
    ['has no pid', { host: 'gpu1', pid: null, startedAt: null }, 'unknown'],
    ['has pid 0, which is every process to the system', { host: 'gpu1', pid: 0, startedAt: null }, 'unknown'],
  ])('%s', (_what, process, liveness) => expect(find(process)).toBe(liveness));
});

it.each([
  [['succeeded', 'running'], 'processing'],
  [['succeeded', 'failed'], 'completed'],
  // One of two has a result: the sweep is not complete.
  [['succeeded', 'stopped'], 'stopped'],
  [['failed', 'failed'], 'failed'],
  [['failed', 'stopped'], 'stopped'],
  [[], 'stopped'],
  [['pending', 'succeeded'], 'processing'],
] as const)('a job of %j is %s', (statuses, status) => expect(toJobStatus(statuses)).toBe(status));

it.each([
  [0, 'less than 1 min'],
  [59 * MINUTE, '59 min'],
  [90 * MINUTE, '1 h'],
  [50 * 60 * MINUTE, '2 d'],
])('%i ms are %s', (ms, words) => expect(toDuration(ms)).toBe(words));
