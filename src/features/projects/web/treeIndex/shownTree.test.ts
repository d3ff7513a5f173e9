import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { archivedTops, prepareShownTree, toShownTree } from './shownTree.ts';
import { TEST_TREE } from './tree.fixture.ts';
import { toTreeIndex, treeIndex } from './treeIndex.ts';

const archive = (node: TreeNode, ids: readonly string[]): TreeNode => ({
  ...node,
  metadata: ids.includes(node.id) ? { ...node.metadata, is_archived: true } : node.metadata,
  children: node.children.map((child) => archive(child, ids)),
});
const idsOf = (root: TreeNode) => toTreeIndex(root).nodes.map(({ id }) => id);

describe('toShownTree', () => {
  it('is the tree itself where nothing is archived', () => {
    expect(toShownTree(TEST_TREE)).toBe(TEST_TREE);
  });

  it('leaves out what is archived, with everything below', () => {
    const tree = archive(TEST_TREE, ['s1', 'e6']);
    expect(idsOf(toShownTree(tree))).toEqual(['p', 'd1', 'd2', 's2', 'j2', 'e5', 'd3']);
    expect(idsOf(tree)).toHaveLength(14);
  });

  it('keeps branches without archived nodes, and gives the same for the same tree', () => {
    const tree = archive(TEST_TREE, ['e6']);
    const shown = toShownTree(tree);
    expect(shown.children[0]).toBe(tree.children[0]);
    expect(toShownTree(tree)).toBe(shown);
  });

  it('gives the same branch where another one changed', () => {
    const tree = archive(TEST_TREE, ['e2', 'e6']);
    const [d1, d2, d3] = tree.children;
    if (!d1 || !d2 || !d3) throw new Error('the test tree has three datasets');
    const next = { ...tree, children: [d1, d2, { ...d3, status: 'completed' }] };
    expect(toShownTree(next).children[1]).toBe(toShownTree(tree).children[1]);
    expect(toShownTree(next).children[2]?.status).toBe('completed');
  });

  it('never hides the project', () => {
    expect(toShownTree(archive(TEST_TREE, ['p'])).id).toBe('p');
    expect(idsOf(toShownTree(archive(TEST_TREE, ['p'])))).toHaveLength(14);
  });
});

describe('archivedTops', () => {
  it('counts what is archived inside an archived node with it', () => {
    const index = toTreeIndex(archive(TEST_TREE, ['j1', 'e1', 'e6']));
    expect(archivedTops(index).map((at) => index.nodes[at]?.id)).toEqual(['j1', 'e6']);
  });
});

it('prepares both indexes', () => {
  const tree = archive(TEST_TREE, ['e6']);
  for (const _ of prepareShownTree(tree)) continue;
  expect(treeIndex(toShownTree(tree)).nodes).toHaveLength(13);
  expect(treeIndex(tree).nodes).toHaveLength(14);
});
