import { expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toShownStatus } from './shownStatus.ts';
import { toTestNode } from './tree.fixture.ts';

const toDataset = (status: string, ...jobs: readonly (readonly string[])[]): TreeNode =>
  toTestNode('dataset', 'd', 'Data', {
    status,
    children: jobs.map((runs, at) =>
      toTestNode('snapshot', `s${at}`, 'Snapshot', {
        children: [
          toTestNode('finetuning-job', `j${at}`, 'Job', {
            children: runs.map((run) => toTestNode('experiment', run, run, { status: run })),
          }),
        ],
      }),
    ),
  });

it.each([
  ['completed', [['succeeded', 'failed']], undefined],
  ['completed', [['succeeded'], ['failed', 'deleted'], []], undefined],
  ['completed', [['failed'], ['succeeded']], 'completed'],
  ['completed', [['failed', 'running']], 'completed'],
  ['completed', [], 'completed'],
  ['processing', [['failed']], 'processing'],
] as const)('a dataset that is %s, with the runs %j, is shown as %s', (status, jobs, shown) => {
  expect(toShownStatus(toDataset(status, ...jobs))).toBe(shown);
});

it('other nodes are shown with their own status', () => {
  const run = toTestNode('experiment', 'e', 'Run', { status: 'failed' });
  expect([run, toTestNode('snapshot', 's', 'Snapshot')].map(toShownStatus)).toEqual(['failed', undefined]);
});
