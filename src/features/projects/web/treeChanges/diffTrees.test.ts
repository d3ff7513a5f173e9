import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { diffTrees } from './diffTrees.ts';
import { TEST_TREE, toTestNode } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { toTreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

const index = toTreeIndex(TEST_TREE);

/** A copy in which the nodes on the way to `id`, and it alone, are new. */
function change(root: TreeNode, id: string, to: (node: TreeNode) => TreeNode | null): TreeNode {
  const visit = (node: TreeNode): TreeNode | null => {
    if (node.id === id) return to(node);
    const children = node.children.map(visit);
    return children.every((child, at) => child === node.children[at])
      ? node
      : { ...node, children: children.filter((child) => child !== null) };
  };
  return visit(root) ?? root;
}

const tell = (next: TreeNode, previous: TreeNode = TEST_TREE) =>
  diffTrees(toTreeIndex(previous), toTreeIndex(next)).map((entry) => {
    if (entry.kind === 'status') return `${entry.node.id}: ${entry.from} -> ${entry.to}`;
    return entry.kind === 'fields' ? `${entry.node.id} fields` : `${entry.kind} ${entry.node.id}+${entry.beneath}`;
  });

describe('diffTrees', () => {
  it('finds nothing in the same tree, nor between projects', () => {
    expect(diffTrees(index, index)).toEqual([]);
    expect(tell(structuredClone(TEST_TREE))).toEqual([]);
    expect(tell({ ...TEST_TREE, id: 'another', children: [] })).toEqual([]);
  });

  it('tells statuses from and to', () => {
    expect(tell(change(TEST_TREE, 'e3', (node) => ({ ...node, status: 'deploying' })))).toEqual([
      'e3: running -> deploying',
    ]);
    expect(tell(change(TEST_TREE, 'e6', (node) => ({ ...node, status: undefined })))).toEqual(['e6: paused -> null']);
  });

  it('tells other fields apart', () => {
    expect(tell(change(TEST_TREE, 'd1', (node) => ({ ...node, label: 'Renamed' })))).toEqual(['d1 fields']);
    expect(
      tell(change(TEST_TREE, 'e3', (node) => ({ ...node, metadata: { ...node.metadata, model_id: 'ft' } }))),
    ).toEqual(['e3 fields']);
  });

  it('takes a name, tags, a star and the archive of a person for no change, also together with one', () => {
    const noted = { own_label: 'Experiment e3', tags: ['a'], is_starred: true, is_archived: true };
    const named = change(TEST_TREE, 'e3', (node) => ({
      ...node,
      label: 'Best',
      metadata: { ...node.metadata, ...noted },
    }));
    expect(tell(named)).toEqual([]);
    expect(tell(TEST_TREE, named)).toEqual([]);
    const finished = change(named, 'e3', (node) => ({ ...node, metadata: { ...node.metadata, model_id: 'ft' } }));
    expect(tell(finished, named)).toEqual(['e3 fields']);
  });

  it('tells the top of what came and went, with how much is beneath', () => {
    expect(tell(change(TEST_TREE, 'j1', () => null))).toEqual(['removed j1+4']);
    expect(
      tell(
        TEST_TREE,
        change(TEST_TREE, 's2', () => null),
      ),
    ).toEqual(['added s2+3']);
  });

  it('takes what moved for the same node', () => {
    const moved = change(
      change(TEST_TREE, 'e5', () => null),
      'j1',
      (node) => ({
        ...node,
        children: [
          toTestNode('experiment', 'e5', 'Experiment e5', {
            status: 'running',
            metadata: { base_model_id: 'qwen3-0.6b', model_id: undefined },
          }),
          ...node.children,
        ],
      }),
    );
    expect(tell(moved)).toEqual(['e5: queued -> running']);
  });

  it('tells the same, there and back, for any change of statuses', () => {
    const ids = index.nodes.map(({ id }) => id).slice(1);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...ids), fc.constantFrom('queued', 'running', 'failed')),
        (statuses) => {
          const next = Object.entries(statuses).reduce(
            (tree, [id, status]) => change(tree, id, (node) => ({ ...node, status })),
            TEST_TREE,
          );
          const expected = index.nodes
            .filter(({ id, status }) => statuses[id] !== undefined && statuses[id] !== status)
            .map(({ id, status }) => `${id}: ${status ?? null} -> ${statuses[id]}`);
          expect(tell(next)).toEqual(expected);
        },
      ),
    );
  });
});
