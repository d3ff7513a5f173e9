import { describe, expect, it } from 'vitest';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { toDetailFields, toNodeJson } from './detailFields.ts';
import { toFacts, toKind } from '#app/web/layout/nodeWords.ts';

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
