import { expect, it } from 'vitest';
import type { ExperimentStatus, JobStatus } from '#shared/contract/statuses.ts';
import { toJobStatus } from './jobStates.ts';

it.each<[JobStatus, ExperimentStatus[]]>([
  ['processing', ['queued']],
  ['processing', ['succeeded', 'failed', 'pending']],
  ['processing', ['deploying']],
  ['completed', ['succeeded', 'failed', 'stopped']],
  ['completed', []],
  ['failed', ['failed', 'stopped']],
  ['stopped', ['stopped', 'deleted']],
])('a job is %s with %j', (status, experiments) => {
  expect(toJobStatus(experiments)).toBe(status);
});
