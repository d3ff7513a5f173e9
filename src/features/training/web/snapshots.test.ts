import { expect, it } from 'vitest';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { findSnapshotOf, findSnapshots, toTrainingCount } from './snapshots.ts';

const node = (type: string, id: string, children: object[] = [], metadata: object = {}) => ({
  type,
  id,
  name: id,
  children,
  metadata: { id, ...metadata },
});

function tree(datasets: object[]): TreeNode {
  const read = readProject({ project: node('project', 'p', datasets) });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

const TWO = tree([
  node('dataset', 'd1', [
    node('snapshot', 's1', [node('finetuning-job', 'j1', [node('experiment', 'e1')])], { training_count: 12 }),
    node('snapshot', 's2'),
  ]),
  node('dataset', 'd2'),
]);

it.each([
  ['s1', 's1'],
  ['e1', 's1'],
  ['d1', 's2'],
  ['d2', undefined],
  ['p', undefined],
  [null, undefined],
])('with %s selected, the snapshot is %s', (selected, found) => {
  expect(findSnapshotOf(TWO, selected)?.node.id).toBe(found);
});

it('the only one is taken whatever is selected', () => {
  expect(findSnapshotOf(tree([node('dataset', 'd', [node('snapshot', 's')])]), null)?.label).toMatch(/ › /);
});

it('names each with its dataset, and knows how many rows it trains on', () => {
  const found = findSnapshots(TWO);
  expect(found).toHaveLength(2);
  expect(found.map(({ node: snapshot }) => toTrainingCount(snapshot))).toEqual([12, null]);
});
