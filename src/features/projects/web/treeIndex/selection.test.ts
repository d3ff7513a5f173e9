import { describe, expect, it } from 'vitest';
import { experimentsBeneath, findPath, nearestSnapshot } from './selection.ts';
import { TEST_TREE } from './tree.fixture.ts';
import { toTreeIndex } from './treeIndex.ts';

const index = toTreeIndex(TEST_TREE);
const pathTo = (id: string) => findPath(index, id) ?? [];

describe('selection', () => {
  it('finds the path to a node, and says when there is none', () => {
    expect(pathTo('e2').map((node) => node.id)).toEqual(['p', 'd1', 's1', 'j1', 'e2']);
    expect(pathTo('p').map((node) => node.id)).toEqual(['p']);
    expect(findPath(index, 'gone')).toBeNull();
  });

  it('takes the snapshot above or at the selection, never one beneath it', () => {
    expect(nearestSnapshot(pathTo('e5'))?.id).toBe('s2');
    expect(nearestSnapshot(pathTo('s1'))?.id).toBe('s1');
    expect(nearestSnapshot(pathTo('d1'))).toBeNull();
  });

  it('lists the experiments of a subtree', () => {
    expect(experimentsBeneath(index, index.placeOf.get('s1')!).map((node) => node.id)).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
    ]);
    expect(experimentsBeneath(index, index.placeOf.get('e5')!).map((node) => node.id)).toEqual(['e5']);
    expect(experimentsBeneath(index, index.placeOf.get('d3')!)).toEqual([]);
  });
});
