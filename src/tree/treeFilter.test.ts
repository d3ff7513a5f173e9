import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEST_TREE } from './testTree';
import { countStatuses, findHits, findText, parseWords } from './treeFilter';
import { toTreeIndex } from './treeIndex';

const index = toTreeIndex(TEST_TREE);
const hitIds = (text: string, statuses: readonly string[] = []) => {
  const hits = findHits(index, text, statuses);
  return index.nodes.filter((_, at) => hits?.isHit[at] === 1).map(({ id }) => id);
};
const counts = (text: string, chosen: readonly string[] = []) =>
  countStatuses(index, findText(index, parseWords(text)), chosen)
    .map(({ status, count }) => `${status} ${count}`)
    .join(', ');

describe('findText', () => {
  it('finds the same, whatever was searched for before', () => {
    const text = fc.constantFrom('e', 'ex', 'exp', 'e q', 'q3 ex', '1', 'e1', '', 'zz', 'qwen3', 'wen exp');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (typed) => {
        const used = toTreeIndex(TEST_TREE);
        for (const each of typed) expect(findText(used, parseWords(each))).toEqual(findText(toTreeIndex(TEST_TREE), parseWords(each)));
      }),
    );
  });
});

describe('findHits', () => {
  it('does not filter without words and statuses', () => {
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

  it('finds any of the chosen statuses, unknown ones too, among what the text finds', () => {
    expect(hitIds('', ['failed', 'paused'])).toEqual(['e2', 'e6']);
    expect(hitIds('', ['processing'])).toEqual(['j2', 'd3']);
    expect(hitIds('experiment', ['failed', 'completed'])).toEqual(['e2']);
    expect(hitIds('', ['never-heard-of'])).toEqual([]);
  });
});

describe('countStatuses', () => {
  it('offers what occurs in the order of SPEC, with unknown ones last', () => {
    expect(counts('')).toBe('queued 1, running 1, processing 2, succeeded 1, completed 3, failed 1, deleted 1, paused 1');
  });

  it('counts among what the text finds, and keeps the others at zero', () => {
    expect(counts('first')).toBe('queued 0, running 0, processing 0, succeeded 0, completed 1, failed 0, deleted 0, paused 0');
  });

  it('offers a chosen status that does not occur, so that it can be given up', () => {
    expect(counts('', ['deploying'])).toContain('deploying 0');
  });

  it('adds up to the nodes found by each status alone', () => {
    const text = fc.constantFrom('', 'e', 'experiment', 'qwen3 e1', 'tools', 'zzz');
    fc.assert(
      fc.property(text, (words) => {
        for (const { status, count } of countStatuses(index, findText(index, parseWords(words)), [])) {
          expect(findHits(index, words, [status])?.count).toBe(count);
        }
      }),
    );
  });
});
