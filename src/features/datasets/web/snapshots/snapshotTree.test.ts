import { expect, it } from 'vitest';
import { readProject } from '#core/contract/projectReader.ts';
import { findDataset, findOther, findSnapshot, toDatasets } from './snapshotTree.ts';

const node = (id: string, type: string, children: readonly object[] = []) => ({
  id,
  type,
  label: id,
  metadata: {},
  children,
});
const snapshots = [
  node('s1', 'snapshot', [node('j1', 'finetuning-job')]),
  node('s2', 'snapshot'),
  node('s3', 'snapshot'),
];

function open(children: readonly object[]) {
  const read = readProject({ project: node('p', 'project', children) });
  if (!read.ok) throw new Error(read.reason);
  return toDatasets(read.value);
}

it('a node belongs to the dataset and snapshot that it is below', () => {
  const datasets = open([node('d1', 'dataset', snapshots), node('d2', 'dataset')]);
  const own = findDataset(datasets, 'j1');
  expect(own?.dataset.id).toBe('d1');
  expect(own && findSnapshot(own, 'j1')?.id).toBe('s1');
  expect(own && findSnapshot(own, 'd1')?.id).toBe('s3');
  expect(findDataset(datasets, 'd2')?.snapshots).toEqual([]);
  expect(findDataset(datasets, 'p')).toBeNull();
});

it('the only dataset is meant where none is selected', () => {
  const datasets = open([node('d1', 'dataset', snapshots)]);
  expect(findDataset(datasets, null)?.dataset.id).toBe('d1');
  expect(findDataset(open([]), null)).toBeNull();
});

it('a snapshot is compared with the one before it', () => {
  const [dataset] = open([node('d1', 'dataset', snapshots)]);
  expect(dataset && findOther(dataset, 's3')?.id).toBe('s2');
  expect(dataset && findOther(dataset, 's1')?.id).toBe('s2');
  const [alone] = open([node('d1', 'dataset', snapshots.slice(0, 1))]);
  expect(alone && findOther(alone, 's1')).toBeNull();
});
