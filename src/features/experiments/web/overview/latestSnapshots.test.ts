import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toTestNode } from '#features/experiments/web/rows/rows.fixture.ts';
import { toLatestSnapshots } from './latestSnapshots.ts';

const dated = (id: string, created_at: string): TreeNode => ({
  ...toTestNode('snapshot', id),
  metadata: { created_at },
});
const tickets = toTestNode('dataset', 'tickets', [
  dated('new', '2026-02-01T00:00:00Z'),
  dated('old', '2026-01-01T00:00:00Z'),
]);
const undated = toTestNode('dataset', 'undated', [toTestNode('snapshot', 'first'), toTestNode('snapshot', 'last')]);
const empty = toTestNode('dataset', 'empty');
const project = toTestNode('project', 'p', [tickets, undated, empty]);
const idsOf = (path: readonly TreeNode[]) =>
  toLatestSnapshots(path).map(({ dataset, snapshot }) => [dataset.id, snapshot.id]);

describe('toLatestSnapshots', () => {
  it('takes the newest of each dataset, without dates the last', () => {
    expect(idsOf([project])).toEqual([
      ['tickets', 'new'],
      ['undated', 'last'],
    ]);
    expect(idsOf([project, undated])).toEqual([['undated', 'last']]);
    expect(idsOf([project, empty])).toEqual([]);
  });

  it('takes a selected snapshot itself', () => {
    expect(idsOf([project, tickets, tickets.children[1]!])).toEqual([['tickets', 'old']]);
  });
});
