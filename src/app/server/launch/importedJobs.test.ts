import { expect, it } from 'vitest';
import type { Job } from '#core/contract/job.ts';
import type { ProjectNode } from '#core/contract/tree.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import { listImportedJobs } from './importedJobs.ts';

const toJobNode = (id: string) => ({ id, type: 'finetuning-job', label: id, status: 'completed', children: [] });
const PROJECT = {
  id: 'p',
  children: [
    { id: 'd1', children: [{ id: 's1', children: [toJobNode('a'), toJobNode('b')] }] },
    { id: 'd2', children: [{ id: 's2', children: [toJobNode('gone')] }] },
  ],
} as unknown as ProjectNode;

const toRuns = (change: Partial<Runs> = {}): Runs =>
  ({
    listProjects: async () => [{ id: 'p' }, { id: 'removed' }],
    findProject: async (id: string) => (id === 'p' ? PROJECT : null),
    findJob: async (id: string) => (id === 'gone' ? null : ({ id } as Job)),
    ...change,
  }) as unknown as Runs;

it('lists the jobs of all folders, without those that are gone', async () => {
  expect((await listImportedJobs(toRuns())).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('is empty before the folders are open, and where they can not be read', async () => {
  expect(await listImportedJobs(null)).toEqual([]);
  const findJob = async () => Promise.reject(new Error('away'));
  expect(await listImportedJobs(toRuns({ findJob }))).toEqual([]);
});
