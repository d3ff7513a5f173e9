import { expect, it } from 'vitest';
import {
  DATASET_STATUSES,
  EXPERIMENT_STATUSES,
  isActiveStatus,
  isKnownStatus,
  JOB_STATUSES,
  KNOWN_STATUSES,
  RECOMMENDATION_STATUSES,
} from './statuses.ts';

it('has the states of SPEC 3', () => {
  expect(DATASET_STATUSES).toEqual(['processing', 'completed', 'failed']);
  expect(JOB_STATUSES).toEqual(['processing', 'completed', 'failed']);
  expect(RECOMMENDATION_STATUSES).toEqual(['processing', 'completed', 'failed']);
  expect(EXPERIMENT_STATUSES).toEqual(['pending', 'queued', 'running', 'deploying', 'succeeded', 'failed', 'deleted']);
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
