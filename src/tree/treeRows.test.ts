import { describe, expect, it } from 'vitest';
import { findActiveRow } from './activeRow';
import { ALL_CLOSED, ALL_OPEN, collapsedState, setOpen } from './openState';
import { TEST_TREE, toTestNode } from './testTree';
import { findHits } from './treeFilter';
import { toTreeIndex } from './treeIndex';
import { filteredOpenState, toTreeRows, type ViewRow } from './treeRows';

const index = toTreeIndex(TEST_TREE);

/** The rows as a picture: "v" open, ">" closed, "-" without children. */
function draw(rows: readonly ViewRow[]): string[] {
  return rows.map((row) => `${'  '.repeat(index.level[row.at] ?? 0)}${row.children === null ? '-' : row.isOpen ? 'v' : '>'} ${row.id}`);
}

function filtered(text: string): readonly ViewRow[] {
  const hits = findHits(index, text);
  return hits ? toTreeRows(index, filteredOpenState(index, hits), hits).flat : [];
}

describe('toTreeRows', () => {
  it('shows only what is open', () => {
    const open = setOpen(collapsedState(index), ['d2'], true);
    expect(draw(toTreeRows(index, open, null).flat)).toEqual(['v p', '  > d1', '  v d2', '    > s2', '  - d3']);
  });

  it('gives closed branches empty children and leaves null', () => {
    const { top } = toTreeRows(index, collapsedState(index), null);
    expect(top[0]?.children?.map((row) => row.children)).toEqual([[], [], null]);
  });

  it('nests and lists the same rows in the same order', () => {
    const { top, flat } = toTreeRows(index, ALL_OPEN, null);
    const walk = (row: ViewRow): ViewRow[] => [row, ...(row.children ?? []).flatMap(walk)];
    expect(top.flatMap(walk)).toEqual(flat);
    expect(flat).toHaveLength(14);
  });

  it('shows the project alone when all is closed', () => {
    expect(draw(toTreeRows(index, ALL_CLOSED, null).flat)).toEqual(['> p']);
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
    expect(draw(toTreeRows(index, open, hits).flat)).toEqual(['v p', '  v d1', '    > s1']);
  });

  it('are none when nothing is found', () => {
    expect(filtered('zzz')).toEqual([]);
  });

  it('stay few when a word is in everything: branches wait closed', () => {
    const dataset = (d: number) =>
      toTestNode('dataset', `d${d}`, `Data ${d}`, { children: Array.from({ length: 100 }, (_, s) => toTestNode('snapshot', `d${d}s${s}`, `Data ${d} ${s}`)) });
    const big = toTreeIndex({ ...TEST_TREE, children: Array.from({ length: 200 }, (_, d) => dataset(d)) });
    const hits = findHits(big, 'data');
    const rows = hits ? toTreeRows(big, filteredOpenState(big, hits), hits).flat : [];
    expect(hits?.count).toBe(20_200);
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.length).toBeLessThanOrEqual(2_001);
  });
});

describe('findActiveRow', () => {
  const rows = toTreeRows(index, setOpen(collapsedState(index), ['d2'], true), null).flat;
  const active = (key: string | null) => rows[findActiveRow(rows, index, key)]?.id;

  it('is the row itself, else its nearest ancestor on show, else the first', () => {
    expect(active('s2')).toBe('s2');
    expect(active('e5')).toBe('s2');
    expect(active('e1')).toBe('d1');
    expect(active('gone')).toBe('p');
    expect(active(null)).toBe('p');
    expect(findActiveRow([], index, 'p')).toBe(-1);
  });
});
