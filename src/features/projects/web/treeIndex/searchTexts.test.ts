import { describe, expect, it } from 'vitest';
import { TEST_TREE, toTestNode } from './tree.fixture.ts';
import { explainHit, makeSearchTexts, searchTexts } from './searchTexts.ts';
import { parseWords } from './treeFilter.ts';
import { toTreeIndex } from './treeIndex.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';

const naive = (root: TreeNode) => {
  // Another project, so that nothing is taken over from the last.
  const other = toTreeIndex({ ...root, id: `${root.id}-other` });
  return searchTexts(other).slice(1);
};

describe('makeSearchTexts', () => {
  it('works in slices and says when it is done', () => {
    const index = toTreeIndex({ ...TEST_TREE, id: 'sliced' });
    const calls: boolean[] = [];
    while (!calls.at(-1)) calls.push(makeSearchTexts(index, 4));
    expect(calls).toEqual([false, false, false, true]);
    expect(searchTexts(index)).toHaveLength(14);
  });

  it('puts the label on the first line, all in lower case', () => {
    const index = toTreeIndex(
      toTestNode('experiment', 'E-1', 'Two\nLines', { metadata: { model_id: 'FT', base_model_id: 'Q' } }),
    );
    expect(searchTexts(index)[0]).toBe('two lines\ne-1\nft\nq');
  });

  it('holds what a person noted, and why a run failed', () => {
    const metadata = { note: 'Repeat with more Rows', failure: 'Failed: CUDA out of memory.' };
    const node = toTestNode('experiment', 'r', 'Run', { metadata });
    expect(searchTexts(toTreeIndex(node))[0]).toMatch(/repeat with more rows\nfailed: cuda out of memory\./);
    expect(explainHit(node, parseWords('cuda'))).toContain('CUDA out of memory');
  });

  it('holds tags, and the name that a person replaced', () => {
    const metadata = { tags: ['Baseline', 'v2'], own_label: 'Run 7' };
    const node = toTestNode('experiment', 'e-noted', 'Best', { metadata });
    expect(searchTexts(toTreeIndex(node))[0]).toBe('best\ne-noted\n\n\nbaseline\nv2\nrun 7');
    expect(explainHit(node, parseWords('v2'))).toBe('v2');
    expect(explainHit(node, parseWords('run'))).toBe('Run 7');
  });

  it('takes over what did not change, wherever it stands now', () => {
    searchTexts(toTreeIndex(TEST_TREE));
    const [d1, d2, d3] = TEST_TREE.children;
    if (!d1 || !d2 || !d3) throw new Error('the test tree has three datasets');
    const added = toTestNode('dataset', 'd0', 'Added first');
    const changed = { ...d2, label: 'Order TOOLS v2' };
    for (const children of [
      [added, d1, d2, d3],
      [d3, d1],
      [changed, added, d1],
      [d1, d2, d3],
    ]) {
      const next = { ...TEST_TREE, children };
      const index = toTreeIndex(next);
      expect(makeSearchTexts(index, 0)).toBe(true);
      expect(searchTexts(index).slice(1)).toEqual(naive(next));
      // The next answer is compared with this one.
      searchTexts(toTreeIndex(TEST_TREE));
    }
  });
});

describe('explainHit', () => {
  const index = toTreeIndex(TEST_TREE);
  const node = (id: string) => index.nodes[index.placeOf.get(id) ?? -1] ?? TEST_TREE;
  it('names the field that the label does not show', () => {
    expect(explainHit(node('e1'), parseWords('ft-qwen'))).toBe('ft-qwen-e1');
    expect(explainHit(node('e1'), parseWords('experiment qwen3'))).toBe('qwen3-0.6b');
    expect(explainHit(node('e1'), parseWords('experiment'))).toBeNull();
  });
});
