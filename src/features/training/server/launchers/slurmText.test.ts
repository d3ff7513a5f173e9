import { describe, expect, it } from 'vitest';
import { parseFields, toBatchScript, toRefusal, toSbatchWords, toSlurmStatus } from './slurmText.ts';

// As Slurm 22.05.8 wrote it.
const LINE =
  'JobId=12 JobName=ms-6f0c2a1e-1 UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901748 Nice=0 Account=(null) ' +
  'QOS=normal JobState=PENDING Reason=Resources Dependency=(null) Requeue=0 ExitCode=0:0 RunTime=00:00:00 Partition=debug ' +
  'Command=(null) WorkDir=/tmp/a dir Comment=why not StdOut=/tmp/log Power= ';
const facts = (state: string, more: object = {}) => ({
  fields: parseFields(LINE.replace('PENDING', state).replace('Reason=Resources', 'Reason=None')),
  exitCode: null,
  place: null,
  ...more,
});

it('a line of scontrol is fields, whose values may have spaces', () => {
  const fields = parseFields(LINE);
  expect([fields.get('JobName'), fields.get('WorkDir'), fields.get('Comment'), fields.get('Power')]).toEqual([
    'ms-6f0c2a1e-1',
    '/tmp/a dir',
    'why not',
    '',
  ]);
});

it.each([
  ['invalid partition specified: moon\nsbatch: error: Batch job submission failed: Invalid partition name', 'refused'],
  ['QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates accounting', 'delayed'],
  ['Batch job submission failed: Unable to contact slurm controller (connect failure)', 'away'],
  ['Batch job submission failed: Resource temporarily unavailable', 'away'],
])('an error of sbatch like %j is %s', (text, refusal) => expect(toRefusal(`sbatch: error: ${text}\n`)).toBe(refusal));

describe('a state', () => {
  it.each([
    ['PENDING', { kind: 'waiting', reason: 'pending' }],
    ['CONFIGURING', { kind: 'waiting' }],
    ['RUNNING', { kind: 'running' }],
    ['COMPLETING', { kind: 'running' }],
    ['FAILED', { kind: 'ended', cause: null, code: 0 }],
    ['TIMEOUT', { kind: 'ended', cause: 'time' }],
    ['OUT_OF_MEMORY', { kind: 'ended', cause: 'memory' }],
    ['PREEMPTED', { kind: 'ended', cause: 'preempted' }],
    ['NODE_FAIL', { kind: 'ended', cause: 'node' }],
    ['CANCELLED', { kind: 'ended', cause: 'cancelled', words: 'CANCELLED' }],
  ])('%s', (state, expected) => expect(toSlurmStatus(facts(state))).toMatchObject(expected));

  it('that waits has its reason and its place', () => {
    const fields = parseFields(LINE);
    expect(toSlurmStatus({ fields, exitCode: null, place: 3 })).toEqual({
      kind: 'waiting',
      reason: 'Resources, 3rd in the partition',
    });
    expect(toSlurmStatus({ fields, exitCode: null, place: 12 })).toMatchObject({
      reason: 'Resources, 12th in the partition',
    });
  });

  it('that has ended has the code that the job wrote itself', () => {
    expect(toSlurmStatus(facts('CANCELLED', { exitCode: 75 }))).toMatchObject({ code: 75 });
  });
});

it('a job asks for what is configured, and its token is in no word of it', () => {
  const none = { partition: null, account: null, qos: null, gpus: 0, gpuType: null, cpus: null, memoryGb: null };
  const asked = { ...none, partition: 'a100', gpus: 2, gpuType: 'h100', minutes: 60, options: ['--exclusive'] };
  expect(toSbatchWords(asked, { id: 'ms-1', folder: '/f/ms-1' })).toEqual([
    'sbatch',
    '--parsable',
    '--job-name=ms-1',
    '--output=/f/ms-1/log',
    '--chdir=/f/ms-1',
    '--no-requeue',
    '--signal=B:TERM@120',
    '--partition=a100',
    '--gres=gpu:h100:2',
    '--time=60',
    '--exclusive',
  ]);
  expect(toBatchScript(['node', "it's here.mjs"], '/f/ms-1')).toContain(`node 'it'\\''s here.mjs' &`);
});
