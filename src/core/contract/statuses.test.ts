import { expect, it } from 'vitest';
import {
  DATASET_STATUSES,
  EXPERIMENT_STATUSES,
  isActiveStatus,
  isKnownStatus,
  isSettledRecommendation,
  isSucceeded,
  JOB_STATUSES,
  KNOWN_STATUSES,
  RECOMMENDATION_STATUSES,
  STATUS_CAUSES,
  toJobStatus,
  toStateMeaning,
  toStateWord,
  toStatusCause,
  toStatusMeaning,
  type ExperimentStatus,
  type JobStatus,
} from './statuses.ts';

it('has the states of SPEC 3, and one for runs that ended nobody knows how', () => {
  expect(DATASET_STATUSES).toEqual(['processing', 'completed', 'failed']);
  expect(JOB_STATUSES).toEqual(['processing', 'completed', 'failed', 'stopped']);
  expect(RECOMMENDATION_STATUSES).toEqual(['processing', 'completed', 'failed']);
  expect(EXPERIMENT_STATUSES).toEqual([
    'pending',
    'queued',
    'running',
    'deploying',
    'succeeded',
    'failed',
    'stopped',
    'deleted',
  ]);
});

it('lists every state in the order of its life', () => {
  expect(KNOWN_STATUSES).toEqual([
    'pending',
    'queued',
    'running',
    'deploying',
    'processing',
    'succeeded',
    'completed',
    'failed',
    'stopped',
    'deleted',
  ]);
});

it('lists every state once', () => {
  const all = new Set<string>([
    ...DATASET_STATUSES,
    ...JOB_STATUSES,
    ...EXPERIMENT_STATUSES,
    ...RECOMMENDATION_STATUSES,
  ]);
  expect([...KNOWN_STATUSES].sort()).toEqual([...all].sort());
});

it.each([
  ['pending', true],
  ['queued', true],
  ['running', true],
  ['deploying', true],
  ['processing', true],
  ['succeeded', false],
  ['completed', false],
  ['failed', false],
  ['stopped', false],
  ['deleted', false],
  ['archived', false],
  ['constructor', false],
  ['', false],
  [undefined, false],
])('%j is active: %s', (status, expected) => expect(isActiveStatus(status)).toBe(expected));

it('knows its own states only', () => {
  for (const status of KNOWN_STATUSES) expect(isKnownStatus(status)).toBe(true);
  for (const status of ['archived', '', 'Running', 'toString', '__proto__']) expect(isKnownStatus(status)).toBe(false);
});

it.each(KNOWN_STATUSES)('%s means one thing', (status) => {
  const meaning = toStatusMeaning(status);
  expect(['waiting', 'working', 'good', 'bad', 'ended', 'gone']).toContain(meaning);
  expect(isActiveStatus(status)).toBe(meaning === 'waiting' || meaning === 'working');
  expect(isSucceeded(status)).toBe(meaning === 'good' && (EXPERIMENT_STATUSES as readonly string[]).includes(status));
  expect(isSettledRecommendation(status)).toBe(
    !isActiveStatus(status) && (RECOMMENDATION_STATUSES as readonly string[]).includes(status),
  );
});

it('knows how each ended: SPEC names one good end for experiments, two ends for recommendations', () => {
  expect(KNOWN_STATUSES.filter(isSucceeded)).toEqual(['succeeded']);
  expect(KNOWN_STATUSES.filter(isSettledRecommendation)).toEqual(['completed', 'failed']);
  expect(KNOWN_STATUSES.filter((status) => toStatusMeaning(status) === 'waiting')).toEqual(['pending', 'queued']);
  expect(KNOWN_STATUSES.filter((status) => toStatusMeaning(status) === 'bad')).toEqual(['failed']);
  expect(KNOWN_STATUSES.filter((status) => toStatusMeaning(status) === 'ended')).toEqual(['stopped']);
  expect(KNOWN_STATUSES.filter((status) => toStatusMeaning(status) === 'gone')).toEqual(['deleted']);
});

it.each(['archived', 'constructor', '', null, undefined])('%j means nothing', (status) => {
  expect(toStatusMeaning(status)).toBeNull();
  expect([isSucceeded(status), isSettledRecommendation(status)]).toEqual([false, false]);
});

it.each<[JobStatus, ExperimentStatus[]]>([
  ['processing', ['queued']],
  ['processing', ['succeeded', 'failed', 'pending']],
  ['processing', ['deploying']],
  ['completed', ['succeeded', 'failed', 'stopped']],
  ['completed', []],
  ['failed', ['failed', 'stopped']],
  ['stopped', ['stopped', 'deleted']],
  // One of twenty runs that was killed says nothing of the others.
  ['completed', [...Array.from({ length: 19 }, () => 'succeeded' as const), 'stopped']],
])('a job is %s with %j', (status, experiments) => {
  expect(toJobStatus(experiments)).toBe(status);
});

it('statuses that mean the same to people share a word', () => {
  expect(
    KNOWN_STATUSES.filter((status) => toStateWord(status) !== status).map((status) => [status, toStateWord(status)]),
  ).toEqual([
    ['pending', 'queued'],
    ['processing', 'running'],
    ['succeeded', 'done'],
    ['completed', 'done'],
  ]);
});

it('says why a run has its status in place of the status, and only beside a status that it fits', () => {
  expect(toStateWord('failed', 'diverged')).toBe('diverged');
  expect(toStateWord('running', 'diverged')).toBe('diverged');
  expect(toStateWord('succeeded', 'diverged')).toBe('done');
  expect(toStateWord('stopped', 'killed')).toBe('killed');
  expect([toStateWord('failed'), toStateWord('failed', null), toStateWord('archived', 'lost')]).toEqual([
    'failed',
    'failed',
    'archived',
  ]);
  expect(toStateMeaning('stopped', 'ended_early')).toBe(
    'It was closed before its last step, by an error or by a person.',
  );
  expect([toStateMeaning('failed', 'error'), toStateMeaning('running'), toStateMeaning('running', 'lost')]).toEqual([
    null,
    null,
    null,
  ]);
});

it('knows its own causes only', () => {
  for (const cause of STATUS_CAUSES) expect(toStatusCause(cause)).toBe(cause);
  for (const value of ['toString', '', null, 3]) expect(toStatusCause(value)).toBeNull();
});
