import { expect, it, vi } from 'vitest';
import { toTreeChange, type ProjectNode, type SnapshotNode } from './tree.ts';

const snapshot = (id: string): SnapshotNode => ({
  id,
  type: 'snapshot',
  label: id,
  metadata: { id },
  children: [
    {
      id: `${id}-job`,
      type: 'finetuning-job',
      label: 'job',
      status: 'completed',
      metadata: { id, reasoning: false },
      children: [],
    },
  ],
});

const [one, two] = [snapshot('one'), snapshot('two')];
const project: ProjectNode = {
  id: 'project',
  type: 'project',
  name: 'Project',
  children: [
    { id: 'data', type: 'dataset', label: 'Data', status: 'completed', metadata: { id: 'data' }, children: [one, two] },
  ],
};

it('changes nodes wherever they are, and keeps all parts without a change', () => {
  const change = toTreeChange((node) =>
    node.type === 'project' ? { ...node, name: 'Other' } : node.id === 'two-job' ? { ...node, label: 'best' } : node,
  );
  const tree = change(project);
  expect(tree.name).toBe('Other');
  expect(tree.children[0]?.children[0]).toBe(one);
  expect(tree.children[0]?.children[1]?.children[0]?.label).toBe('best');
  expect(two.children[0]?.label).toBe('job');
});

it('returns a tree without a change as it is', () => {
  expect(toTreeChange((node) => node)(project)).toBe(project);
});

it('makes the same of the same node, and looks at it once', () => {
  const see = vi.fn();
  const change = toTreeChange((node) => {
    see(node.id);
    return node.id === 'one' ? { ...node, label: 'first' } : node;
  });
  const tree = change(project);
  expect(change(project)).toBe(tree);
  // A later tree of the same project shares its snapshots.
  const later = change({ ...project, name: 'Later' });
  expect(later.children).toEqual(tree.children);
  expect(later.children[0]).toBe(tree.children[0]);
  expect(see.mock.calls.map(([id]) => String(id))).toEqual([
    'one-job',
    'one',
    'two-job',
    'two',
    'data',
    'project',
    'project',
  ]);
});
