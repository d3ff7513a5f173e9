import { expect, it, describe } from 'vitest';
import { TEST_TREE, toTestNode } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { toNodeSummary, toDetailFields, toNodeJson } from './nodeSummary.ts';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { toFacts, toKind } from '#app/web/layout/nodeWords.ts';

const index = treeIndex(TEST_TREE);

function summarize(id: string): readonly string[] {
  const at = index.placeOf.get(id) ?? 0;
  return toNodeSummary(index.nodes[at]!, index.rollUps[at]!).map(({ label, text }) => `${label}: ${text}`);
}

it('counts the experiments below by status, without deleted ones', () => {
  expect(summarize('j1')).toEqual(['Kind: Fine-tuning job', 'Runs below: 3: 1 done, 1 running or queued, 1 failed']);
  expect(summarize('d3')).toEqual(['Kind: Dataset', 'Runs below: none']);
});

it('says how many rows there are, where the service does', () => {
  const metadata = { training_count: 2200, validation_count: 200, datapoints_count: 'many', reasoning: true };
  const snapshot = toTestNode('snapshot', 's', 'Snapshot 1', { metadata });
  expect(toNodeSummary(snapshot, index.rollUps[index.placeOf.get('d3') ?? 0]!).map(({ text }) => text)).toEqual([
    'Snapshot',
    '2,200',
    '200',
    'trains on reasoning',
    'none',
  ]);
});

const read = readProject({
  project: {
    id: 'x',
    type: 'snapshot',
    label: 'S',
    children: [{ id: 'y' }],
    metadata: { training_count: 2200, validation_count: 200, tags: ['a'], note: null },
    extra: { deep: [1] },
    price: 1.5,
  },
});
const node: TreeNode = read.ok ? read.value : { id: '', type: '', children: [], metadata: {} };

describe('toDetailFields', () => {
  it('shows every field that the service gave, unknown ones too', () => {
    const fields = new Map(toDetailFields(node).map((field) => [field.path, field.text]));
    expect(fields.get('metadata.training_count')).toBe('2200');
    expect(fields.get('metadata.tags')).toBe('[\n  "a"\n]');
    expect(fields.get('metadata.note')).toBe('null');
    expect(fields.get('extra')).toContain('"deep"');
    expect(fields.get('price')).toBe('1.5');
    expect(fields.get('children')).toBe('1');
    expect(fields.has('status')).toBe(false);
  });

  it('copies as JSON without the children', () => {
    expect(JSON.parse(toNodeJson(node))).toMatchObject({ id: 'x', metadata: { training_count: 2200 } });
    expect(JSON.parse(toNodeJson(node))).not.toHaveProperty('children');
  });
});

describe('words', () => {
  it('name the kind and the facts', () => {
    expect(toKind(node)).toBe('Snapshot');
    expect(toFacts(node)).toBe('2,200 training · 200 validation');
  });

  it('show an unknown kind as it is and skip fields of a wrong type', () => {
    expect(toKind({ ...node, type: 'constructor' })).toBe('constructor');
    expect(toFacts({ ...node, metadata: { training_count: 'many', reasoning: 'yes' } })).toBe('');
  });
});
