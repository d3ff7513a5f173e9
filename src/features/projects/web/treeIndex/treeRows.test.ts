import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { ALL_CLOSED, ALL_OPEN, collapsedState, isOpen, setOpen, type OpenState } from './openState.ts';
import { findHits, TEST_TREE, toTestNode } from './tree.fixture.ts';
import type { TreeHits } from './treeFilter.ts';
import { toTreeIndex, type TreeIndex } from './treeIndex.ts';
import { childPlaces } from './treePlaces.ts';
import {
  filteredOpenState,
  findActiveRow,
  findRow,
  nearestRow,
  rowAt,
  sliceRows,
  toTreeRows,
  type ViewRow,
} from './treeRows.ts';

const index = toTreeIndex(TEST_TREE);

/** The rows as a picture: "v" open, ">" closed, "-" without children. */
function draw(rows: readonly ViewRow[]): string[] {
  return rows.map(
    (row) =>
      `${'  '.repeat(index.level[row.at] ?? 0)}${row.children === null ? '-' : row.isOpen ? 'v' : '>'} ${row.id}`,
  );
}

const listRows = (of: TreeIndex, open: OpenState, hits: TreeHits | null): readonly ViewRow[] => {
  const rows = toTreeRows(of, open, hits);
  return sliceRows(rows, 0, rows.count);
};

function filtered(text: string): readonly ViewRow[] {
  const hits = findHits(index, text);
  return hits ? listRows(index, filteredOpenState(index, hits), hits) : [];
}

describe('toTreeRows', () => {
  it('shows only what is open', () => {
    const open = setOpen(collapsedState(index), ['d2'], true);
    expect(draw(listRows(index, open, null))).toEqual(['v p', '  > d1', '  v d2', '    > s2', '  - d3']);
  });

  it('numbers the rows, and finds them by their places', () => {
    const rows = toTreeRows(index, collapsedState(index), null);
    expect(sliceRows(rows, 1, 3).map(({ row, id }) => [row, id])).toEqual([
      [1, 'd1'],
      [2, 'd2'],
    ]);
    expect([...index.keys.keys()].map((at) => findRow(rows, at)).filter((row) => row >= 0)).toEqual([0, 1, 2, 3]);
    expect(nearestRow(rows, index.placeOf.get('e5') ?? -1)).toBe(2);
    expect([findRow(rows, -1), nearestRow(rows, -1)]).toEqual([-1, -1]);
    expect([rowAt(rows, -1), rowAt(rows, 4), rowAt(rows, Number.NaN)]).toEqual([undefined, undefined, undefined]);
  });

  it('shows the project alone when all is closed', () => {
    expect(draw(listRows(index, ALL_CLOSED, null))).toEqual(['> p']);
    expect(listRows(index, ALL_OPEN, null)).toHaveLength(14);
  });

  it('always equals the walk from branch to branch, whatever is opened, filtered or comes in a poll', () => {
    const shown = (of: TreeIndex, open: OpenState, hits: TreeHits | null, at: number, isIn = false): string[] => {
      const key = of.keys[at] ?? '';
      if (!isOpen(open, key)) return [key];
      const isWhole = isIn || hits?.isWhole?.[at] === 1;
      const children = childPlaces(of, at);
      const kept = hits && !isWhole ? children.filter((child) => (hits.hitsWithin[child] ?? 0) > 0) : children;
      return [key, ...(kept.length > 0 ? kept : children).flatMap((child) => shown(of, open, hits, child, isWhole))];
    };
    const { node } = fc.letrec<{ node: TreeNode }>((tie) => ({
      node: fc
        .record({
          id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'a#2'),
          children: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('node'), { maxLength: 4 })),
        })
        .map(({ id, children }) => toTestNode('dataset', id, `${id} ${children.length}`, { children })),
    }));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('toggle' as const), row: fc.nat(30) }),
      fc.record({ kind: fc.constant('all' as const), open: fc.boolean() }),
      fc.record({ kind: fc.constant('filter' as const), text: fc.constantFrom('', 'a', 'b', '2', 'a 1', 'zzz') }),
      fc.record({ kind: fc.constant('poll' as const), root: node }),
    );
    fc.assert(
      fc.property(node, fc.array(step, { maxLength: 12 }), (root, steps) => {
        let of = toTreeIndex(root);
        let open: OpenState = collapsedState(of);
        let text = '';
        for (const now of steps) {
          let hits = findHits(of, text);
          const before = toTreeRows(of, open, hits);
          if (now.kind === 'toggle')
            open = setOpen(
              open,
              sliceRows(before, now.row, now.row + 1).map(({ id }) => id),
              !rowAt(before, now.row)?.isOpen,
            );
          else if (now.kind === 'all') open = now.open ? ALL_OPEN : ALL_CLOSED;
          else if (now.kind === 'poll') of = toTreeIndex(now.root);
          else {
            text = now.text;
            hits = findHits(of, text);
            if (hits) open = filteredOpenState(of, hits);
          }
          hits = findHits(of, text);
          const expected = hits?.count === 0 ? [] : shown(of, open, hits, 0);
          expect(listRows(of, open, hits).map(({ id }) => id)).toEqual(expected);
          expect(new Set(of.keys).size).toBe(of.keys.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('filtered rows', () => {
  it('keep the ancestors of hits and drop the rest', () => {
    expect(draw(filtered('e5'))).toEqual(['v p', '  v d2', '    v s2', '      v j2', '        - e5']);
  });

  it('leave a hit without hits beneath it closed, and show all of it when it is opened', () => {
    expect(draw(filtered('triage'))).toEqual(['v p', '  > d1']);
    const hits = findHits(index, 'triage');
    const open = setOpen(hits ? filteredOpenState(index, hits) : ALL_CLOSED, ['d1'], true);
    expect(draw(listRows(index, open, hits))).toEqual(['v p', '  v d1', '    > s1']);
  });

  it('show all beneath a node that has every one of several words itself', () => {
    expect(draw(filtered('snapshot 1')).slice(2)).toEqual([
      '    v s1',
      '      v j1',
      '        - e1',
      '        - e2',
      '        - e3',
      '        - e4',
    ]);
    const run = findHits(index, 'first round');
    const open = setOpen(run ? filteredOpenState(index, run) : ALL_CLOSED, ['j1'], true);
    expect(draw(listRows(index, open, run)).slice(-4)).toEqual([
      '        - e1',
      '        - e2',
      '        - e3',
      '        - e4',
    ]);
    const named = toTreeIndex({
      ...TEST_TREE,
      children: [
        toTestNode('snapshot', 's', 'Snapshot 1', {
          children: ['1', '2', '3'].map((id) => toTestNode('experiment', `x${id}`, `Experiment ${id}`)),
        }),
      ],
    });
    const hits = findHits(named, 'snapshot 1');
    expect((hits ? listRows(named, filteredOpenState(named, hits), hits) : []).map(({ id }) => id)).toEqual([
      'p',
      's',
      'x1',
      'x2',
      'x3',
    ]);
    expect(hits?.count).toBe(2);
    expect(findHits(named, 'snapshot 1', ['failed'])?.isWhole).toBeNull();
  });

  it('are none when nothing is found', () => {
    expect(filtered('zzz')).toEqual([]);
  });

  it('stay few when a word is in everything: branches wait closed', () => {
    const dataset = (d: number) =>
      toTestNode('dataset', `d${d}`, `Data ${d}`, {
        children: Array.from({ length: 100 }, (_, s) => toTestNode('snapshot', `d${d}s${s}`, `Data ${d} ${s}`)),
      });
    const big = toTreeIndex({ ...TEST_TREE, children: Array.from({ length: 200 }, (_, d) => dataset(d)) });
    const hits = findHits(big, 'data');
    const rows = hits ? listRows(big, filteredOpenState(big, hits), hits) : [];
    expect(hits?.count).toBe(20_200);
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.length).toBeLessThanOrEqual(2_001);
  });
});

describe('findActiveRow', () => {
  const rows = toTreeRows(index, setOpen(collapsedState(index), ['d2'], true), null);
  const active = (key: string | null) => rowAt(rows, findActiveRow(rows, key))?.id;

  it('is the row itself, else its nearest ancestor on show, else the first', () => {
    expect(active('s2')).toBe('s2');
    expect(active('e5')).toBe('s2');
    expect(active('e1')).toBe('d1');
    expect(active('gone')).toBe('p');
    expect(active(null)).toBe('p');
    expect(findActiveRow({ ...rows, count: 0 }, 'p')).toBe(-1);
  });
});
