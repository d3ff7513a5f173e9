import { describe, expect, it } from 'vitest';
import { searchTexts } from '#features/projects/web/treeIndex/searchTexts.ts';
import { TEST_TREE, toTestNode } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { parseQuery, rankRange, startRanking, toQuery, toRanked } from './paletteRank.ts';
import { parseStatusQuery, toStatusTest, toStatusText } from './useNodeSearch.ts';

const index = treeIndex(TEST_TREE);
const parse = (text: string) => parseStatusQuery(parseQuery(text), index);

/** The ids that a text finds by status. */
function find(text: string): readonly string[] {
  const query = parse(text);
  if (!query) return [];
  const ranking = startRanking(index.nodes.length);
  const count = index.nodes.length;
  rankRange(ranking, searchTexts(index), toQuery(query.rest), 0, count, 50, index.parent, toStatusTest(index, query));
  return toRanked(ranking, 50).places.map((at) => index.nodes[at]?.id ?? '');
}

describe('parseStatusQuery', () => {
  it('takes a status of the tree, or its beginning, in any case', () => {
    expect(parse('Failed')).toEqual({ statuses: ['failed'], rest: [] });
    expect(parse('suc')).toEqual({ statuses: ['succeeded'], rest: [] });
    expect(parse('done')?.statuses).toEqual(expect.arrayContaining(['succeeded', 'completed']));
    expect(parse('lora failed e2')).toEqual({ statuses: ['failed'], rest: ['lora', 'e2'] });
  });

  it('takes no status that no node has, and no two letters', () => {
    expect(parse('pending')).toBeNull();
    expect(parse('fa')).toBeNull();
    expect(parse('experiment')).toBeNull();
  });

  it('takes all statuses that a word begins', () => {
    const runnable = toTestNode('experiment', 'e7', 'Experiment e7', { status: 'runnable' });
    const query = parseStatusQuery(
      parseQuery('run'),
      treeIndex({ ...TEST_TREE, children: [...TEST_TREE.children, runnable] }),
    );
    expect(query && toStatusText(query)).toBe('running or runnable');
  });
});

describe('nodes by status', () => {
  it('finds all of them', () => {
    expect(find('failed')).toEqual(['e2']);
    expect(find('completed')).toEqual(['d1', 'j1', 'd2']);
  });

  it('asks for the other words in the node or above it', () => {
    expect(find('completed order')).toEqual(['d2']);
    expect(find('failed triage')).toEqual(['e2']);
    expect(find('failed tools')).toEqual([]);
    expect(find('failed experiment triage')).toEqual(['e2']);
  });
});
