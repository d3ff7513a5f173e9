import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { reduceActivity, toPathText, toTouched } from './activity.ts';
import { NO_ACTIVITY } from './activityState.ts';
import type { TreeChange } from './diffTrees.ts';
import { TEST_TREE, toTestNode } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { toTreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';

const index = toTreeIndex(TEST_TREE);
const node = (id: string): TreeNode => index.nodes[index.placeOf.get(id) ?? -1] ?? TEST_TREE;
const status = (id: string, from: string, to: string): TreeChange => ({ kind: 'status', node: node(id), from, to });
const learned = { previous: index, next: index, at: 1000, isOpen: false };

describe('reduceActivity', () => {
  it('puts the newest first and counts what nobody has seen', () => {
    const first = reduceActivity(NO_ACTIVITY, [status('e3', 'queued', 'running')], learned);
    const second = reduceActivity(
      first,
      [status('e3', 'running', 'succeeded'), { kind: 'removed', node: node('j2'), beneath: 2 }],
      { ...learned, at: 2000 },
    );
    expect(second.entries.map(({ number, at, kind, id, from, to }) => [number, at, kind, id, from, to])).toEqual([
      [3, 2000, 'removed', 'j2', null, 'processing'],
      [2, 2000, 'status', 'e3', 'running', 'succeeded'],
      [1, 1000, 'status', 'e3', 'queued', 'running'],
    ]);
    expect(second.unseen).toBe(3);
    expect(second.entries[1]?.path).toBe('Ticket triage › Snapshot 1 › First round');
  });

  it('counts nothing as unseen while the list is open', () => {
    expect(reduceActivity(NO_ACTIVITY, [status('e3', 'queued', 'running')], { ...learned, isOpen: true }).unseen).toBe(
      0,
    );
  });

  it('does not tell of other fields, and stays the same then', () => {
    expect(reduceActivity(NO_ACTIVITY, [{ kind: 'fields', node: node('d1') }], learned)).toBe(NO_ACTIVITY);
  });

  it('keeps the newest 200, each with a number of its own', () => {
    const many = Array.from({ length: 500 }, (_, at): TreeChange => ({
      kind: 'added',
      node: toTestNode('dataset', `n${at}`, `N${at}`),
      beneath: 0,
    }));
    const activity = reduceActivity(
      reduceActivity(NO_ACTIVITY, many, learned),
      [status('e3', 'queued', 'running')],
      learned,
    );
    expect(activity.entries).toHaveLength(200);
    expect(activity.entries.slice(0, 3).map(({ number, id }) => [number, id])).toEqual([
      [501, 'e3'],
      [500, 'n499'],
      [499, 'n498'],
    ]);
    expect(new Set(activity.entries.map(({ number }) => number)).size).toBe(200);
    expect(activity.unseen).toBe(501);
  });
});

describe('toPathText', () => {
  it('leaves out the project and the node itself', () => {
    expect(toPathText(index, 'e5')).toBe('Order tools › Snapshot 2 › Tools');
    expect(toPathText(index, 'd1')).toBe('');
    expect(toPathText(index, 'nowhere')).toBe('');
  });
});

describe('toTouched', () => {
  it('names the changed nodes, and all above them', () => {
    const { own, within } = toTouched([status('e5', 'queued', 'running')], index);
    expect([...own]).toEqual(['e5']);
    expect([...within]).toEqual(['p', 'd2', 's2', 'j2']);
  });
});
