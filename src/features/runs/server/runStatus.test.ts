import { describe, expect, it } from 'vitest';
import { toEvidence, type RunEvidence, type StatusSign } from './evidence.ts';
import { curve, events, losses, MINUTE, NOW, parameters, sign } from './evidence.fixture.ts';
import { joinRuns } from './joinRuns.ts';
import { findProcessIn } from './liveness.ts';
import { toDuration, toRunStatus, type Liveness, type RunStatus } from './runStatus.ts';

function statusOf(more: Partial<RunEvidence>, liveness: Liveness = 'unknown'): RunStatus {
  const [run] = joinRuns([toEvidence({ format: 'hf-trainer', key: 'a', folder: 'a', ...more })], '/r');
  return toRunStatus(run!, { now: NOW, findProcess: () => liveness });
}

const PROCESS = { host: 'gpu1', pid: 4242 };
const ago = (minutes: number): number => NOW - minutes * MINUTE;

describe('what was written down', () => {
  it.each<[StatusSign, string, string | null, string]>([
    [
      sign('finished', 'train/train_runtime was logged'),
      'succeeded',
      null,
      'Finished: train/train_runtime was logged.',
    ],
    [sign('failed', 'exit code 1'), 'failed', 'error', 'Failed: exit code 1.'],
    [sign('interrupted', 'KeyboardInterrupt'), 'stopped', 'interrupted', 'Stopped: KeyboardInterrupt.'],
  ])('is certain: %j', (given, status, cause, reason) => {
    // A process that is still there says nothing against it.
    expect(statusOf({ signs: [given], process: PROCESS }, 'alive')).toEqual({ status, cause, reason, isCertain: true });
  });

  it('is a failure if any source of the session says so, whatever another wrote later', () => {
    const signs = [sign('failed', 'exit code 1', ago(9)), sign('finished', 'train_runtime was logged', ago(3))];
    expect(statusOf({ signs: [...signs, sign('closed', 'MLflow status FINISHED', ago(1))] })).toEqual({
      status: 'failed',
      cause: 'error',
      reason: 'Failed: exit code 1; its training had come to an end: train_runtime was logged.',
      isCertain: true,
    });
  });

  it('is what came last, if nothing failed', () => {
    const signs = [sign('finished', 'a', ago(9)), sign('interrupted', 'b', ago(3)), sign('finished', 'c', ago(6))];
    expect(statusOf({ signs }).status).toBe('stopped');
  });

  it('of a tracker that was closed is believed as far as the steps go', () => {
    const closed = sign('closed', 'MLflow status FINISHED', ago(1));
    const at = (step: number | null, totalSteps: number | null, more: readonly StatusSign[] = []) =>
      statusOf({ signs: [closed, ...more], progress: { step, totalSteps, epoch: null, totalEpochs: null } });
    expect(at(12, 20)).toEqual({
      status: 'stopped',
      cause: 'ended_early',
      reason: 'Ended early: MLflow status FINISHED at step 12 of 20, and no end of the training was logged.',
      isCertain: false,
    });
    expect(at(20, 20)).toMatchObject({ status: 'succeeded', cause: null, isCertain: true });
    expect(at(12, null)).toMatchObject({ status: 'succeeded', cause: 'likely_finished', isCertain: false });
    // Early stopping logs its runtime, or stops the trainer.
    expect(at(12, 20, [sign('finished', 'train_runtime was logged')])).toMatchObject({
      status: 'succeeded',
      cause: null,
    });
    expect(at(12, 20, [sign('complete', 'the trainer stopped it')]).status).toBe('succeeded');
    expect(at(20, 20, [sign('traceback', 'OutOfMemoryError')])).toMatchObject({ status: 'failed', cause: 'error' });
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
  expect(unread('gone')).toEqual({
    status: 'pending',
    cause: 'reading',
    reason: 'Its files are still being read.',
    isCertain: false,
  });
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
      cause: 'diverged',
      reason: 'Diverged: loss is not finite from step 30 on; finished: done.',
      isCertain: true,
    });
  });

  it('needs more than one value, and an end', () => {
    expect(statusOf(end([2, 1.5, NaN])).status).toBe('succeeded');
    expect(statusOf(end([NaN, NaN, 2])).status).toBe('succeeded');
  });

  const run = (
    curves: Readonly<Record<string, readonly (readonly [number, number])[]>>,
    signs = [sign('finished', 'done')],
  ) =>
    statusOf({
      curves: new Map(Object.entries(curves).map(([name, points]) => [name, curve(points)])),
      signs,
      lastSignAt: ago(60),
    });
  const LOSS = [
    [10, 2],
    [20, 1.5],
    [30, 1],
  ] as const;
  const GONE = [
    [10, 2],
    [20, 0],
    [30, 0],
  ] as const;

  it.each<[string, Parameters<typeof run>[0], string]>([
    [
      'its last gradient norms',
      {
        loss: LOSS,
        grad_norm: [
          [10, 1],
          [20, NaN],
          [30, NaN],
        ],
      },
      'grad_norm is not finite from step 20',
    ],
    [
      'a loss of 0 after a gradient norm',
      {
        loss: GONE,
        grad_norm: [
          [10, 1],
          [30, NaN],
        ],
      },
      'grad_norm is not finite from step 30',
    ],
    [
      'its last evaluation',
      {
        loss: LOSS,
        'eval/loss': [
          [15, 2],
          [30, NaN],
        ],
      },
      'eval/loss is not finite from step 30',
    ],
    [
      'the last evaluation of one of its sets',
      { loss: LOSS, 'eval/orders_loss': [[30, Infinity]] },
      'eval/orders_loss is not',
    ],
    [
      'its entropy',
      {
        loss: GONE,
        entropy: [
          [10, 1],
          [20, NaN],
          [30, NaN],
        ],
      },
      'entropy is not finite from step 20',
    ],
  ])('shows in %s', (_what, curves, reason) => {
    expect(run(curves)).toMatchObject({
      status: 'failed',
      cause: 'diverged',
      reason: expect.stringContaining(reason) as string,
    });
  });

  it.each<[string, Parameters<typeof run>[0]]>([
    [
      'one infinite gradient norm, of the scaling of fp16',
      {
        loss: LOSS,
        grad_norm: [
          [10, 1],
          [20, 1],
          [30, Infinity],
        ],
      },
    ],
    [
      'infinite gradient norms at the start',
      {
        loss: LOSS,
        grad_norm: [
          [1, Infinity],
          [2, Infinity],
          [30, 1],
        ],
      },
    ],
    [
      'evaluations of rows without answers',
      {
        loss: LOSS,
        grad_norm: [
          [10, 1],
          [30, 1],
        ],
        'eval/loss': [
          [15, NaN],
          [25, NaN],
        ],
      },
    ],
    [
      'a loss of 0 with finite gradient norms',
      {
        loss: GONE,
        grad_norm: [
          [10, 1],
          [30, 0],
        ],
      },
    ],
  ])('is not %s', (_what, curves) => expect(run(curves).status).toBe('succeeded'));

  it('says more than what ended the run, and is said while it goes on', () => {
    const curves = {
      loss: GONE,
      grad_norm: [
        [20, NaN],
        [30, NaN],
      ] as const,
    };
    const diverged = { status: 'failed', cause: 'diverged' };
    for (const signs of [[], [sign('failed', 'exit code 1')], [sign('interrupted')], [sign('traceback')]])
      expect(run(curves, signs)).toMatchObject(diverged);
    const live = statusOf({
      curves: new Map(Object.entries(curves).map(([name, points]) => [name, curve(points)])),
      lastSignAt: ago(1),
    });
    expect(live).toMatchObject({
      status: 'running',
      cause: 'diverged',
      reason: 'It diverged: grad_norm is not finite from step 20 on; its files change; last sign 1 min ago.',
    });
  });
});

describe('what follows from files and processes', () => {
  it('a last step or final weights: probably finished', () => {
    const signs = [sign('complete', 'step 100 of 100 was saved')];
    expect(statusOf({ signs, lastSignAt: ago(1) })).toEqual({
      status: 'succeeded',
      cause: 'likely_finished',
      reason: 'Probably finished: step 100 of 100 was saved.',
      isCertain: false,
    });
  });

  it('a process of this machine that lives: running, though its files are quiet', () => {
    expect(statusOf({ process: PROCESS, lastSignAt: ago(180) }, 'alive')).toEqual({
      status: 'running',
      cause: null,
      reason: 'Process 4242 on gpu1 is running; last sign 3 h ago.',
      isCertain: false,
    });
    expect(statusOf({ process: PROCESS, lastSignAt: ago(3) }, 'alive').isCertain).toBe(true);
  });

  it('a process with its pid after a silent day is another one', () => {
    expect(statusOf({ process: PROCESS, lastSignAt: ago(25 * 60) }, 'alive')).toMatchObject({
      status: 'stopped',
      cause: 'lost',
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
      cause: 'error',
      reason: 'The log ends with an error: torch.OutOfMemoryError: CUDA out of memory.',
      isCertain: false,
    });
    expect(statusOf({ signs, lastSignAt: ago(60) }).isCertain).toBe(true);
    // A notebook goes on when its trainer has failed; a training goes on after an error that was caught.
    expect(statusOf({ signs, process: PROCESS, lastSignAt: ago(1) }, 'alive').status).toBe('running');
    expect(statusOf({ signs, process: PROCESS, lastSignAt: ago(30) }, 'alive').status).toBe('failed');
  });

  it('none of it: stopped without a result, never failed', () => {
    expect(statusOf({ lastSignAt: ago(190) })).toEqual({
      status: 'stopped',
      cause: 'lost',
      reason: 'Stopped without a result; last sign 3 h ago.',
      isCertain: false,
    });
    expect(statusOf({ process: PROCESS, lastSignAt: ago(5) }, 'gone')).toEqual({
      status: 'stopped',
      cause: 'killed',
      reason:
        'Stopped without a result; last sign 5 min ago; no process 4242 runs here, if this is the gpu1 that trained it.',
      isCertain: false,
    });
    expect(statusOf({ signs: [sign('open')], lastSignAt: ago(3000) }).reason).toBe(
      'Stopped without a result; last sign 2 d ago; its tracker still says that it runs, as it does after a crash.',
    );
    expect(statusOf({})).toMatchObject({ status: 'stopped' });
  });

  it('is not lost where its tracker never writes an end', () => {
    const ended = { status: 'stopped', cause: 'unsaid', isCertain: false };
    expect(statusOf({ format: 'trackio', lastSignAt: ago(190) })).toEqual({
      ...ended,
      reason: 'Stopped; trackio never writes how a run ends; last sign 3 h ago.',
    });
    expect(statusOf({ format: 'tensorboard', lastSignAt: ago(190) })).toMatchObject(ended);
    // HF's Trainer logs its runtime there.
    const settings = { parameters: parameters({ logging_steps: 10 }) };
    expect(statusOf({ format: 'tensorboard', lastSignAt: ago(190), ...settings }).cause).toBe('lost');
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
  [0, 'less than 1 min'],
  [59 * MINUTE, '59 min'],
  [90 * MINUTE, '1 h'],
  [50 * 60 * MINUTE, '2 d'],
])('%i ms are %s', (ms, words) => expect(toDuration(ms)).toBe(words));
