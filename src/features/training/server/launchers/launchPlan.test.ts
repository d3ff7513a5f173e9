import { expect, it } from 'vitest';
import { LAUNCH_TIMES, toLaunchStep, toWaitReason, type LaunchFacts } from './launchPlan.ts';

const ENDED: LaunchFacts = {
  launcher: 'slurm',
  job: '7',
  run: 'queued',
  canResume: true,
  resumes: 0,
  status: { kind: 'ended', code: 0, cause: null, words: null },
  isPlaced: true,
  sinceMs: 0,
  endingMs: null,
  lastLine: 'x: the lease has ended, and its trainer with it.',
};
const stepOf = (facts: Partial<LaunchFacts>) => toLaunchStep({ ...ENDED, ...facts }, LAUNCH_TIMES);

it('a job that could not begin and left no log says what the launcher says of it', () => {
  const status = {
    kind: 'ended',
    code: 128,
    cause: null,
    words: 'StartError: exec: "model-studio": not found',
  } as const;
  expect(stepOf({ status, lastLine: null, canResume: false })).toEqual({
    kind: 'failed',
    reason:
      'Job 7 at slurm ended with the exit code 128 (StartError: exec: "model-studio": not found). ' +
      'Mend that, and start it again.',
  });
});

it('a job whose machine has no Model Studio says where that is set', () => {
  const status = { kind: 'ended', code: 127, cause: null, words: null } as const;
  expect(stepOf({ status, lastLine: 'sh: 1: model-studio: not found', canResume: false })).toEqual({
    kind: 'failed',
    reason:
      'Job 7 at slurm ended with the exit code 127. Its last line: sh: 1: model-studio: not found. ' +
      'Check worker in launchers.json, which starts Model Studio on its machines, and start it again.',
  });
});

it('a job that can not begin is given up after the time that it has for that', () => {
  const status = { kind: 'waiting', reason: 'ImagePullBackOff', mostMs: 1_000 } as const;
  expect(stepOf({ status, sinceMs: 999 })).toEqual({ kind: 'wait' });
  expect(stepOf({ status, sinceMs: 1_000 })).toEqual({
    kind: 'failed',
    reason: 'Job 7 at slurm can not begin: ImagePullBackOff. Mend that, and start it again.',
  });
  expect(stepOf({ status: { kind: 'waiting', reason: 'Resources' }, sinceMs: 1e9 })).toEqual({ kind: 'wait' });
});

it('a job whose worker does not come has failed in time', () => {
  const status = { kind: 'running' } as const;
  expect(stepOf({ status, sinceMs: LAUNCH_TIMES.startMs })).toEqual({ kind: 'wait' });
  expect(stepOf({ status, sinceMs: LAUNCH_TIMES.startMs + 1, lastLine: 'no route to host' })).toEqual({
    kind: 'failed',
    reason:
      'Job 7 at slurm runs since 15 min, and its worker did not take the run. Its last line: no route to host. ' +
      'Check that its machine reaches the studio, and start it again.',
  });
});

it('what a cluster says in a sentence gets no second full stop', () => {
  const reason = 'Unschedulable: 0/3 nodes are available.';
  const status = { kind: 'waiting', reason, mostMs: 0 } as const;
  expect(stepOf({ status })).toEqual({
    kind: 'failed',
    reason: `Job 7 at slurm can not begin: ${reason} Mend that, and start it again.`,
  });
  const said = { status, since: 0, problem: null, problem_since: null };
  expect(toWaitReason('k8s', 'ms-1', said)).toBe('Waiting at k8s: Unschedulable: 0/3 nodes are available, job ms-1.');
});

it('a run that its worker lost and left with exit code 0 is placed again, and not for ever', () => {
  expect(stepOf({})).toEqual({
    kind: 'again',
    reason: expect.stringMatching(/its last checkpoint\. Placed again 1 of 3 times\.$/) as string,
  });
  expect(stepOf({ resumes: 3 })).toMatchObject({ kind: 'failed' });
  expect(stepOf({ run: 'running' })).toEqual({ kind: 'wait' });
});

it.each([
  ['memory', /ran out of memory\. Ask for more memory .* Its last checkpoint is kept\.$/],
  ['cancelled', /was ended by somebody at the cluster\. Ask there, .* Its last checkpoint is kept\.$/],
] as const)('a run whose job ended for %s has failed for that', (cause, reason) => {
  const step = stepOf({ status: { kind: 'ended', code: 137, cause, words: null } });
  expect(step).toEqual({ kind: 'failed', reason: expect.stringMatching(reason) as string });
});

it('a run whose job the cluster gave up before it began is submitted once more, however often', () => {
  const status = { kind: 'unplaced' } as const;
  expect(stepOf({ status, resumes: 3 })).toEqual({ kind: 'submit' });
  expect(stepOf({ status, run: 'stopped' })).toEqual({ kind: 'over', note: null });
});
