import { expect, it } from 'vitest';
import { TEST_TREE, toTestNode } from '#features/projects/web/index/tree.fixture.ts';
import { treeIndex } from '#features/projects/web/index/treeIndex.ts';
import { toNodeSummary } from './nodeSummary.ts';

const index = treeIndex(TEST_TREE);

function summarize(id: string): readonly string[] {
  const at = index.placeOf.get(id) ?? 0;
  return toNodeSummary(index.nodes[at]!, index.rollUps[at]!).map(({ label, text }) => `${label}: ${text}`);
}

it('counts the experiments below by status, without deleted ones', () => {
  expect(summarize('j1')).toEqual(['Kind: Fine-tuning job', 'Runs below: 3: 1 succeeded, 1 active, 1 failed']);
  expect(summarize('d3')).toEqual(['Kind: Dataset', 'Runs below: none']);
});

it('says how many rows there are, where the service does', () => {
  const metadata = { training_count: 2200, validation_count: 200, datapoints_count: 'many', reasoning: true };
  const snapshot = toTestNode('snapshot', 's', 'Snapshot 1', { metadata });
  expect(toNodeSummary(snapshot, index.rollUps[index.placeOf.get('d3') ?? 0]!).map(({ text }) => text)).toEqual([
    'Snapshot',
    '2,200',
    '200',
    'trains on reasoning',
    'none',
  ]);
});
