import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldAxes,
  NOT_GIVEN,
  pickAxes,
  toAxis,
  toColumnAxes,
  toSameText,
  type ColumnKind,
  type PlotColumn,
} from './axes.ts';
import type { PlotValue } from './brush.ts';

const column = (kind: ColumnKind, id = 'a'): PlotColumn<Record<string, PlotValue>> => ({
  id,
  label: id,
  kind,
  read: (row) => row[id] ?? null,
});
const rows = (...values: PlotValue[]) => values.map((a) => ({ a }));

describe('scale', () => {
  it('is logarithmic for rates, linear for the others, and switched by name', () => {
    const scaleOf = (kind: ColumnKind, flipped: boolean) => toAxis(rows(1e-4, 1e-3), column(kind), flipped)?.scale;
    expect([scaleOf('rate', false), scaleOf('rate', true)]).toEqual(['log', 'linear']);
    expect([scaleOf('count', false), scaleOf('number', true)]).toEqual(['linear', 'log']);
  });

  it.each([0, -1e-5])('is linear and says why where %d has no place', (value) => {
    const axis = toAxis(rows(value, 1e-3, null), column('rate'), false);
    expect(axis).toMatchObject({
      kind: 'number',
      scale: 'linear',
      scaleNote: expect.stringContaining('a logarithmic axis can’t show'),
    });
    expect(toAxis(rows(value, 1e-3), column('number'), false)).toMatchObject({ scale: 'linear', scaleNote: null });
  });
});

describe('values', () => {
  it('are missing where nothing or no finite number is given', () => {
    expect(toAxis(rows(1, null, '', Number.NaN, Infinity, 2), column('number'), false)).toMatchObject({
      kind: 'number',
      values: [1, null, null, null, null, 2],
      hasMissing: true,
      min: 1,
      max: 2,
    });
    expect(toAxis(rows(1, 2), column('number'), false)?.hasMissing).toBe(false);
    expect(toAxis(rows(null, Number.NaN), column('number'), false)).toBeNull();
  });

  it('are categories in natural order', () => {
    expect(toAxis(rows('run 10', 'run 2', null, 'run 2', 7), column('category'), false)).toMatchObject({
      kind: 'category',
      categories: ['7', 'run 2', 'run 10'],
    });
  });

  it('are categories where a text came in place of numbers', () => {
    expect(toAxis(rows(8, 'auto', 16), column('count'), false)).toMatchObject({
      kind: 'category',
      values: ['8', 'auto', '16'],
    });
  });

  it('never make a category twice, and all have a place', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null)), { minLength: 1 }), (values) => {
        const axis = toAxis(rows(...values), column('category'), false);
        if (axis?.kind !== 'category') return;
        expect(new Set(axis.categories).size).toBe(axis.categories.length);
        for (const value of axis.values) if (value !== null) expect(axis.categories).toContain(value);
      }),
    );
  });
});

describe('axes', () => {
  const columns = ['a', 'b', 'c', 'd'].map((id) => column('number', id));
  const table = [
    { a: 1, b: 8, c: null, d: 5 },
    { a: 2, b: 8, c: null, d: null },
  ];

  it('stand for columns that differ; the others are named with their value', () => {
    const { axes, same } = pickAxes(toColumnAxes(table, columns, []), new Set());
    expect(axes.map((axis) => axis.id)).toEqual(['a', 'd']);
    expect(toSameText(same)).toBe(`Same for all: b 8, c ${NOT_GIVEN}`);
    expect(toSameText([])).toBeNull();
  });

  it('stay where they are brushed, so that the brush can be cleared', () => {
    expect(pickAxes(toColumnAxes(table, columns, []), new Set(['b', 'c'])).axes.map((axis) => axis.id)).toEqual([
      'a',
      'b',
      'd',
    ]);
  });

  it('switch the scale only of those that are named', () => {
    expect(
      toColumnAxes(
        [
          { a: 1, d: 1 },
          { a: 2, d: 2 },
        ],
        columns,
        ['d'],
      ).flatMap(({ axis }) => axis?.scale ?? []),
    ).toEqual(['linear', 'log']);
  });
});

it('very many axes are folded away, but for the brushed ones', () => {
  const toAxes = (count: number) =>
    Array.from({ length: count }, () => toAxis(rows(1, 2), column('number', 'a'), false)).flatMap((axis, at) =>
      axis ? [{ ...axis, id: `${at}` }] : [],
    );
  expect(foldAxes(toAxes(19), new Set())).toHaveLength(19);
  expect(foldAxes(toAxes(20), new Set())).toHaveLength(16);
  // As few as three more are not worth a fold.
  expect(foldAxes(toAxes(20), new Set(['19']))).toHaveLength(20);
  expect(foldAxes(toAxes(50), new Set(['40'])).map(({ id }) => id)).toEqual([
    ...Array.from({ length: 16 }, (_, at) => `${at}`),
    '40',
  ]);
  expect(toSameText(Array.from({ length: 14 }, (_, at) => ({ id: `${at}`, label: 'a', text: '1' })))).toMatch(
    / and 2 more$/,
  );
});
