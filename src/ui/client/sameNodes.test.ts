import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { keepNodes as keepSteps } from './sameNodes.ts';

/** Reading takes its input over, so each tree gets its own. */
function read(project: unknown): TreeNode {
  const result = readProject({ project: structuredClone(project) });
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

function keepNodes(old: TreeNode, next: TreeNode): TreeNode {
  const steps = keepSteps(old, next);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const leaf = (id: string, status = 'completed') => ({ id, status, label: id, metadata: { id, count: 1, tags: ['a'] } });
const json = {
  id: 'p',
  children: [
    { ...leaf('a'), children: [leaf('a1'), leaf('a2')] },
    { ...leaf('b'), children: [leaf('b1')] },
  ],
};

it('gives the old tree when nothing changed', () => {
  const old = read(json);
  expect(keepNodes(old, read(structuredClone(json)))).toBe(old);
});

it('changes only the nodes on the way to what changed', () => {
  const old = read(json);
  const next = structuredClone(json);
  next.children[0]!.children[1]!.status = 'running';
  const kept = keepNodes(old, read(next));
  expect(kept).toEqual(read(next));
  expect(kept.children[0]).not.toBe(old.children[0]);
  expect(kept.children[0]?.children[0]).toBe(old.children[0]?.children[0]);
  expect(kept.children[1]).toBe(old.children[1]);
});

it.each<[string, (node: Record<string, unknown>) => void]>([
  ['status', (node) => (node['status'] = 'failed')],
  ['label', (node) => (node['label'] = 'other')],
  ['type', (node) => (node['type'] = 'dataset')],
  ['metadata', (node) => (node['metadata'] = { id: 'b', count: 2, tags: ['a'] })],
  ['metadata deep inside', (node) => (node['metadata'] = { id: 'b', count: 1, tags: ['b'] })],
  ['metadata gone', (node) => delete node['metadata']],
  ['an unknown field', (node) => (node['colour'] = 'red')],
  ['a field gone', (node) => delete node['status']],
])('sees a change of %s', (_what, change) => {
  const next = structuredClone(json);
  change(next.children[1]!);
  const old = read(json);
  const kept = keepNodes(old, read(next));
  expect(kept).toEqual(read(next));
  expect(kept.children[1]).not.toBe(old.children[1]);
  expect(kept.children[1]?.children).toBe(old.children[1]?.children);
});

it('knows nodes again that moved, came or went', () => {
  const old = read(json);
  const [a, b] = json.children;
  const moved = keepNodes(old, read({ ...json, children: [b, leaf('c'), a] }));
  expect([moved.children[0], moved.children[2]]).toEqual([old.children[1], old.children[0]]);
  expect(moved.children[0]).toBe(old.children[1]);
  expect(moved.children[2]).toBe(old.children[0]);
  const fewer = keepNodes(old, read({ ...json, children: [a] }));
  expect(fewer.children).toHaveLength(1);
  expect(fewer.children[0]).toBe(old.children[0]);
});

it('always equals the new tree, and gives the old one exactly when they are equal', () => {
  const tree = fc.letrec((tie) => ({
    node: fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      status: fc.constantFrom('x', 'y'),
      children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
    }),
  })).node;
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const old = read(before);
      const next = read(after);
      const kept = keepNodes(old, next);
      expect(kept).toEqual(next);
      expect(kept === old).toBe(JSON.stringify(old) === JSON.stringify(next));
    }),
    { numRuns: 500 },
  );
});
