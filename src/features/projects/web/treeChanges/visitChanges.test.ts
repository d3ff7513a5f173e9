import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { TEST_TREE, toTestNode } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { MAX_SEEN, toChangesSinceVisit, toSeenProject, toVisit, type SeenProject } from './visitChanges.ts';

/** The tree with other statuses; null removes a node. */
function change(node: TreeNode, statuses: Readonly<Record<string, string | null>>): TreeNode {
  const status = statuses[node.id] ?? node.status;
  const children = node.children.filter(({ id }) => statuses[id] !== null);
  return { ...node, status, children: children.map((child) => change(child, statuses)) };
}

const seen = (at: number): SeenProject => toSeenProject(TEST_TREE, at);

describe('toVisit', () => {
  it('has nothing before the first visit', () => {
    expect(toVisit(null, seen(5), 60)).toEqual({ previous: null, seen: seen(5) });
  });

  it('goes on within the gap, and begins another visit after it', () => {
    const stored = { previous: seen(1), seen: seen(100) };
    expect(toVisit(stored, seen(160), 60).previous?.at).toBe(1);
    expect(toVisit(stored, seen(161), 60).previous?.at).toBe(100);
    expect(toVisit(toVisit(null, seen(100), 60), seen(160), 60).previous).toBeNull();
  });
});

describe('toChangesSinceVisit', () => {
  it('is null on the first visit, and empty where nothing changed', () => {
    expect(toChangesSinceVisit(null, TEST_TREE)).toBeNull();
    expect(toChangesSinceVisit(seen(7), TEST_TREE)).toEqual({ at: 7, changes: [], removed: 0 });
  });

  it('tells failures first, then successes, then the rest, and counts removed nodes', () => {
    const now = change(TEST_TREE, {
      e5: 'succeeded',
      e3: 'failed',
      d3: 'completed',
      e6: 'running',
      e1: null,
      e2: null,
    });
    const since = toChangesSinceVisit(seen(7), now);
    expect(since?.changes.map(({ node, kind, from, to }) => [node.id, kind, from, to])).toEqual([
      ['e3', 'status', 'running', 'failed'],
      ['e5', 'status', 'queued', 'succeeded'],
      ['d3', 'status', 'processing', 'completed'],
      ['e6', 'status', 'paused', 'running'],
    ]);
    expect(since?.removed).toBe(2);
  });

  it('tells new nodes, also without a status', () => {
    const added = toTestNode('dataset', 'd4', 'Refunds', { children: [toTestNode('snapshot', 's4', 'Snapshot 1')] });
    const since = toChangesSinceVisit(seen(7), { ...TEST_TREE, children: [...TEST_TREE.children, added] });
    expect(since?.changes.map(({ node, kind, from, to }) => [node.id, kind, from, to])).toEqual([
      ['d4', 'added', null, null],
      ['s4', 'added', null, null],
    ]);
  });

  it('keeps those in progress of a project that is too large, and calls no node new', () => {
    const settled = Array.from({ length: MAX_SEEN + 10 }, (_, at) =>
      toTestNode('experiment', `x${at}`, `X ${at}`, { status: 'succeeded' }),
    );
    const last = toTestNode('experiment', 'last', 'Last', { status: 'running' });
    const project = { ...TEST_TREE, children: [...settled, last] };
    const kept = toSeenProject(project, 1);
    expect([kept.statuses.size, kept.isWhole, kept.statuses.get('last')]).toEqual([MAX_SEEN, false, 'running']);
    const since = toChangesSinceVisit(kept, { ...project, children: [...settled, { ...last, status: 'failed' }] });
    expect(since?.changes.map(({ node, kind }) => [node.id, kind])).toEqual([['last', 'status']]);
    expect(since?.removed).toBe(0);
  });
});
