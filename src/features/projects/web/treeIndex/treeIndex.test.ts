import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { TEST_TREE, toTestNode } from './tree.fixture.ts';
import { prepareTreeIndex, toTreeIndex, treeIndex } from './treeIndex.ts';
import { ancestorPlaces, childPlaces, findPlace } from './treePlaces.ts';

const index = toTreeIndex(TEST_TREE);
const at = (id: string) => index.placeOf.get(id) ?? -1;
const ids = (places: readonly number[]) => places.map((place) => index.nodes[place]?.id);

describe('toTreeIndex', () => {
  it('lists the nodes in pre-order', () => {
    expect(index.nodes.map((node) => node.id)).toEqual([
      'p',
      'd1',
      's1',
      'j1',
      'e1',
      'e2',
      'e3',
      'e4',
      'd2',
      's2',
      'j2',
      'e5',
      'e6',
      'd3',
    ]);
  });

  it('knows parents, levels, subtree sizes and places among siblings', () => {
    expect(index.parent[at('p')]).toBe(-1);
    expect(index.parent[at('e3')]).toBe(at('j1'));
    expect(index.level[at('e3')]).toBe(4);
    expect(index.size[at('p')]).toBe(14);
    expect(index.size[at('d1')]).toBe(7);
    expect(index.size[at('e1')]).toBe(1);
    expect([index.position[at('d2')], index.siblings[at('d2')]]).toEqual([2, 3]);
    expect([index.position[at('p')], index.siblings[at('p')]]).toEqual([1, 1]);
  });

  it('rolls experiments up, leaving out the deleted ones', () => {
    expect(index.rollUps[at('j1')]).toEqual({ succeeded: 1, active: 1, failed: 1, other: 0, total: 3 });
    expect(index.rollUps[at('d2')]).toEqual({ succeeded: 0, active: 1, failed: 0, other: 1, total: 2 });
    expect(index.rollUps[at('p')]).toEqual({ succeeded: 1, active: 2, failed: 1, other: 1, total: 5 });
    expect(index.rollUps[at('e1')]?.total).toBe(0);
    expect(index.rollUps[at('d3')]?.total).toBe(0);
  });

  it('counts an experiment as succeeded only where the status is one of experiments', () => {
    const children = ['succeeded', 'completed'].map((status) => toTestNode('experiment', status, 'E', { status }));
    const other = toTreeIndex({ ...TEST_TREE, children });
    expect(other.rollUps[0]).toEqual({ succeeded: 1, active: 0, failed: 0, other: 1, total: 2 });
  });

  it('counts datasets and what runs or waits', () => {
    expect([index.datasetCount, index.runningCount, index.waitingCount]).toEqual([3, 1, 1]);
    const place = toTestNode('dataset', 'd9', 'data not recorded', { metadata: { is_recorded: false } });
    expect(toTreeIndex({ ...TEST_TREE, children: [place] }).datasetCount).toBe(0);
  });

  it('keeps keys unique where a service repeats an id, and finds the first', () => {
    const twice = toTreeIndex({
      ...TEST_TREE,
      children: [toTestNode('dataset', 'x', 'A'), toTestNode('dataset', 'x', 'B')],
    });
    expect(new Set(twice.keys).size).toBe(3);
    expect(twice.placeOf.get('x')).toBe(1);
  });

  it('tells each bearer of an id by a key that no id is', () => {
    const ids = ['x', 'x', 'x#2', 'x', 'x#2'];
    const twice = toTreeIndex({ ...TEST_TREE, children: ids.map((id) => toTestNode('dataset', id, id)) });
    expect(twice.keys).toEqual(['p', 'x', 'x#2', 'x#2#2', 'x#3', 'x#2#3']);
    expect(twice.keys.map((key) => findPlace(twice, key))).toEqual([0, 1, 2, 3, 4, 5]);
    expect([twice.placeOf.get('x#2'), findPlace(twice, 'gone')]).toEqual([3, -1]);
    const many = toTreeIndex({
      ...TEST_TREE,
      children: Array.from({ length: 50_000 }, () => toTestNode('dataset', 'x', 'X')),
    });
    expect(new Set(many.keys).size).toBe(50_001);
  });

  it('gives the same in steps, and is remembered then', () => {
    const tree = {
      ...TEST_TREE,
      children: Array.from({ length: 3_000 }, (_, n) => toTestNode('dataset', `d${n}`, 'D')),
    };
    const steps = prepareTreeIndex(tree);
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    expect(pauses).toBe(3);
    expect(treeIndex(tree)).toEqual(toTreeIndex(tree));
    expect(treeIndex(tree)).toBe(treeIndex(tree));
    expect(prepareTreeIndex(tree).next().done).toBe(true);
  });

  it('goes down 20 levels', () => {
    let node = toTestNode('dataset', 'n20', 'N');
    for (let level = 19; level > 0; level -= 1) node = toTestNode('dataset', `n${level}`, 'N', { children: [node] });
    const deep = toTreeIndex({ ...TEST_TREE, children: [node] });
    expect([...deep.level]).toEqual(Array.from({ length: 21 }, (_, level) => level));
    expect([...deep.size]).toEqual(Array.from({ length: 21 }, (_, level) => 21 - level));
  });

  it('takes ids that are names of Object.prototype', () => {
    const hostile = toTreeIndex({
      ...TEST_TREE,
      children: [toTestNode('dataset', '__proto__', 'A'), toTestNode('dataset', 'constructor', 'B')],
    });
    expect(hostile.placeOf.get('__proto__')).toBe(1);
    expect(hostile.placeOf.get('toString')).toBeUndefined();
  });

  it('walks 100,000 children of one node', () => {
    const children = Array.from({ length: 100_000 }, (_, n): TreeNode =>
      toTestNode('experiment', `e${n}`, 'E', { status: 'succeeded' }),
    );
    const wide = toTreeIndex({ ...TEST_TREE, children });
    expect(wide.rollUps[0]?.succeeded).toBe(100_000);
    expect(wide.size[0]).toBe(100_001);
  });

  it('is made once per tree object', () => {
    expect(treeIndex(TEST_TREE)).toBe(treeIndex(TEST_TREE));
    expect(treeIndex({ ...TEST_TREE })).not.toBe(treeIndex(TEST_TREE));
  });
});

describe('ancestorPlaces and childPlaces', () => {
  it('lead from the project down to the node', () => {
    expect(ids(ancestorPlaces(index, at('e5')))).toEqual(['p', 'd2', 's2', 'j2']);
    expect(ancestorPlaces(index, 0)).toEqual([]);
  });

  it('list direct children only', () => {
    expect(ids(childPlaces(index, at('p')))).toEqual(['d1', 'd2', 'd3']);
    expect(childPlaces(index, at('e1'))).toEqual([]);
  });
});
