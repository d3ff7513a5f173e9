import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { findHits, TEST_TREE, toTestNode } from './tree.fixture.ts';
import { countStatuses, findText, parseWords } from './treeFilter.ts';
import { toTreeIndex } from './treeIndex.ts';

const index = toTreeIndex(TEST_TREE);
const hitIds = (text: string, statuses: readonly string[] = []) => {
  const hits = findHits(index, text, statuses);
  return index.nodes.filter((_, at) => hits?.isHit[at] === 1).map(({ id }) => id);
};
const counts = (text: string, chosen: readonly string[] = []) =>
  countStatuses(index, findText(index, parseWords(text)), chosen)
    .map(({ word, count }) => `${word} ${count}`)
    .join(', ');

describe('findText', () => {
  it('finds the same, whatever was searched for before', () => {
    const text = fc.constantFrom('e', 'ex', 'exp', 'e q', 'q3 ex', '1', 'e1', '', 'zz', 'qwen3', 'wen exp');
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (typed) => {
        const used = toTreeIndex(TEST_TREE);
        for (const each of typed) {
          const words = parseWords(each);
          expectSame(findText(used, words), findText(toTreeIndex(TEST_TREE), words));
        }
      }),
    );
  });
});

/** The rule in plain words, slowly: for each node all texts from the project down to it. */
function findNaively(root: TreeNode, words: readonly string[]): readonly boolean[] {
  const has = (node: TreeNode, word: string): boolean => {
    const label = (node.label ?? node.name ?? node.type).toLowerCase();
    const fields = [node.id, String(node.metadata['model_id'] ?? ''), String(node.metadata['base_model_id'] ?? '')].map(
      (field) => field.toLowerCase(),
    );
    if (label.includes(word)) return true;
    return word.length > 2
      ? fields.some((field) => field.includes(word))
      : fields.some((field) => new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'u').test(field));
  };
  const visit = (node: TreeNode, path: readonly TreeNode[]): readonly boolean[] => {
    const whole = [...path, node];
    const isFound =
      words.every((word) => whole.some((each) => has(each, word))) && words.some((word) => has(node, word));
    return [isFound, ...node.children.flatMap((child) => visit(child, whole))];
  };
  return visit(root, []);
}

describe('words along the path', () => {
  const TYPES = ['dataset', 'snapshot', 'finetuning-job', 'experiment'];
  const text = fc.constantFrom(
    'Dataset 7',
    'dataset 17',
    'Snap 1',
    'snapshot',
    'Round 7',
    'Exp',
    '7',
    'LoRA run',
    'Größe',
  );
  const id = fc.constantFrom('7', 'a7b', '7-a', 'data-7', 'snapshot-id', 'x');
  const node = (level: number): fc.Arbitrary<TreeNode> =>
    fc.record({
      type: fc.constant(TYPES[level] ?? ''),
      id,
      label: text,
      metadata: fc.record({ model_id: fc.option(id) }),
      children: level === 3 ? fc.constant([]) : fc.array(node(level + 1), { maxLength: 3 }),
    });
  const typed = fc.array(
    fc.constantFrom(
      '7',
      'da',
      'dataset',
      'data',
      'snap',
      'snapshot',
      'exp',
      'lo',
      '17',
      '-',
      'größe',
      'none',
      'a7b',
      'x',
    ),
    { minLength: 1, maxLength: 4 },
  );

  it('find what a slow search finds, whatever was searched for before', () => {
    fc.assert(
      fc.property(
        fc.array(node(0), { maxLength: 4 }),
        fc.array(typed, { minLength: 1, maxLength: 4 }),
        (children, queries) => {
          const root: TreeNode = { id: 'p', type: 'project', name: 'Desk 7', children, metadata: {} };
          const tree = toTreeIndex(root);
          for (const query of queries) {
            const words = parseWords(query.join(' '));
            expectSame([...(findText(tree, words) ?? [])].map(Boolean), findNaively(root, words));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('need one in the node itself', () => {
    expect(hitIds('triage snap')).toEqual(['s1']);
    expect(hitIds('order queued')).toEqual([]);
    expect(hitIds('order exp')).toEqual(['e5', 'e6']);
    expect(hitIds('desk triage round')).toEqual(['j1']);
  });

  it('are not found by the digits of an id', () => {
    const ids = ['7f0c4a12-77', 'e7'].map((each, at) => toTestNode('snapshot', each, `Snapshot ${at}`));
    const tree = toTreeIndex(
      toTestNode('dataset', '17', 'Dataset', { children: [...ids, toTestNode('snapshot', 'x', 'Snapshot 7')] }),
    );
    expect(findHits(tree, 'dataset snap 7')?.count).toBe(1);
    expect(findHits(tree, '7f0c')?.count).toBe(1);
    expect(findHits(tree, 'e7')?.count).toBe(1);
  });

  it('beyond thirty-one are not looked at', () => {
    expect(parseWords(Array.from({ length: 60 }, (_, at) => `w${at}`).join(' '))).toHaveLength(31);
    const many = Array.from({ length: 31 }, (_, at) => `w${at}`).join(' ');
    expect(
      findHits(toTreeIndex(toTestNode('dataset', 'd', many, { children: [toTestNode('snapshot', 's', 'w30')] })), many)
        ?.count,
    ).toBe(2);
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
    expect(hitIds('experiment nowhere')).toEqual([]);
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
    expect(counts('')).toBe('queued 1, running 1, done 1, failed 1, deleted 1, paused 1');
  });

  it('counts among what the text finds, and keeps the others at zero', () => {
    expect(counts('first')).toBe('queued 0, running 0, done 0, failed 0, deleted 0, paused 0');
  });

  it('offers a chosen status that does not occur, so that it can be given up', () => {
    expect(counts('', ['deploying'])).toContain('deploying 0');
  });

  it('counts runs alone, and two statuses of one word as one', () => {
    const tree = toTestNode('project', 'p', 'Support', {
      children: [
        toTestNode('dataset', 'd', 'Tickets', { status: 'failed' }),
        toTestNode('experiment', 'a', 'First', { status: 'pending' }),
        toTestNode('experiment', 'b', 'Second', { status: 'queued' }),
      ],
    });
    expect(countStatuses(toTreeIndex(tree), null, [])).toEqual([
      { word: 'queued', statuses: ['pending', 'queued'], count: 2 },
    ]);
  });

  it('adds up to the runs found by each state alone', () => {
    const text = fc.constantFrom('', 'e', 'experiment', 'qwen3 e1', 'tools', 'zzz');
    fc.assert(
      fc.property(text, (words) => {
        for (const { word, statuses, count } of countStatuses(index, findText(index, parseWords(words)), [])) {
          const hits = findHits(index, words, statuses);
          const found = index.nodes.filter(({ type }, at) => type === 'experiment' && hits?.isHit[at] === 1).length;
          if (found !== count) expect(found, word).toBe(count);
        }
      }),
    );
  });
});
