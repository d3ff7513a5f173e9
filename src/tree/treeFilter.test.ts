import { describe, expect, it } from 'vitest';
import { TEST_TREE } from './testTree';
import { explainHit, findHits, parseWords } from './treeFilter';
import { toTreeIndex } from './treeIndex';

const index = toTreeIndex(TEST_TREE);
const node = (id: string) => index.nodes[index.placeOf.get(id) ?? -1] ?? TEST_TREE;
const hitIds = (text: string) => {
  const hits = findHits(index, text);
  return index.nodes.filter((_, at) => hits?.isHit[at] === 1).map(({ id }) => id);
};

describe('findHits', () => {
  it('does not filter without words', () => {
    expect(findHits(index, '')).toBeNull();
    expect(findHits(index, '   ')).toBeNull();
  });

  it('finds by label, id, model id and base model, whatever the case', () => {
    expect(hitIds('TRIAGE')).toEqual(['d1']);
    expect(hitIds('ft-qwen-e1')).toEqual(['e1']);
    expect(hitIds('qwen3')).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6']);
    expect(hitIds('j2')).toEqual(['j2']);
  });

  it('asks for every word, in any order', () => {
    expect(hitIds('e2 experiment')).toEqual(['e2']);
    expect(hitIds('experiment triage')).toEqual([]);
  });

  it('counts hits within each subtree, so that ancestors stay', () => {
    const hits = findHits(index, 'qwen3');
    const within = (id: string) => hits?.hitsWithin[index.placeOf.get(id) ?? -1];
    expect(hits?.count).toBe(6);
    expect([within('p'), within('d1'), within('j2'), within('e1'), within('d3')]).toEqual([6, 4, 2, 1, 0]);
  });
});

describe('explainHit', () => {
  it('names the field that the label does not show', () => {
    expect(explainHit(node('e1'), parseWords('ft-qwen'))).toBe('ft-qwen-e1');
    expect(explainHit(node('e1'), parseWords('experiment qwen3'))).toBe('qwen3-0.6b');
    expect(explainHit(node('e1'), parseWords('experiment'))).toBeNull();
  });
});
