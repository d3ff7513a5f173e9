import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MISSING,
  NO_BRUSH,
  matchesAxis,
  matchesBrush,
  parseBrush,
  brushAxis,
  toBrushList,
  type AxisBrush,
  type Brush,
} from './brush.ts';

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('%', '|', '=', ':', '.', ',', '%7C', '%25', '2', '__proto__', 'é', '\n') }),
);
const number = fc.option(fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => (value === 0 ? 0 : value)));
const chosen: fc.Arbitrary<AxisBrush> = fc.oneof(
  fc.record({ kind: fc.constant('range' as const), from: number, to: number }),
  fc.record({ kind: fc.constant('values' as const), values: fc.array(hostile, { minLength: 1, maxLength: 5 }) }),
);
const brushes: fc.Arbitrary<Brush> = fc
  .array(fc.tuple(hostile, chosen), { maxLength: 6 })
  .map((entries) => entries.reduce<Brush>((brush, [axisId, one]) => brushAxis(brush, axisId, one), NO_BRUSH));

describe('the list in the address', () => {
  it('reads as it was written, whatever the names', () => {
    fc.assert(
      fc.property(brushes, (brush) => {
        expect([...parseBrush(toBrushList(brush))]).toEqual([...brush]);
      }),
    );
  });

  it('never throws and settles after one reading', () => {
    fc.assert(
      fc.property(fc.array(hostile), (list) => {
        const brush = parseBrush(list);
        expect([...parseBrush(toBrushList(brush))]).toEqual([...brush]);
      }),
    );
  });

  it('is written as the grammar says', () => {
    const list = ['lr:1e-7..0.5', 'epochs:3..', 'loss:..-2', 'type=lora|full', 'rank=', 'a%3Ab%7C=%3D%25|%7C'];
    expect(toBrushList(parseBrush(list))).toEqual(list);
    expect(parseBrush(list).get('a:b|')).toEqual({ kind: 'values', values: ['=%', '|'] });
    expect(parseBrush(list).get('rank')).toEqual({ kind: 'values', values: [MISSING] });
  });

  it.each([
    ['lr:5..3', { kind: 'range', from: 3, to: 5 }],
    ['lr:1...2', { kind: 'range', from: 1, to: 2 }],
    ['lr:..', { kind: 'range', from: null, to: null }],
    ['100%:1..2', null],
    ['lr=100%', { kind: 'values', values: ['100%'] }],
    ['lr=a|a', { kind: 'values', values: ['a'] }],
  ])('understands %s', (entry, expected) => expect(parseBrush([entry]).get('lr') ?? null).toEqual(expected));

  it.each(['lr', '', 'lr:', 'lr:5', 'lr:a..b', 'lr:1..x', 'lr:Infinity..', 'lr:NaN..', 'lr:0x10..', 'lr:1e999..'])(
    'leaves out %j',
    (entry) => expect(parseBrush([entry]).size).toBe(0),
  );

  it('lets the last entry of an axis count', () => {
    expect([...parseBrush(['a:1..2', 'a=x'])]).toEqual([['a', { kind: 'values', values: ['x'] }]]);
    expect([...parseBrush(['a=x', 'a:1..2', 'a:3..4'])]).toEqual([['a', { kind: 'range', from: 3, to: 4 }]]);
  });

  it('spreads many values over entries that the address keeps', () => {
    const values = Array.from({ length: 60 }, (_, index) => `ft-support-base-${index}`);
    const list = toBrushList(new Map([['model', { kind: 'values', values }]]));
    expect(list.length).toBeGreaterThan(4);
    expect(list.every((entry) => entry.length <= 256)).toBe(true);
    expect(parseBrush(list).get('model')).toEqual({ kind: 'values', values });
  });
});

describe('names and values of any length', () => {
  const long = fc.string({ unit: fc.constantFrom('a', '%', '|', ':', '字'), minLength: 1, maxLength: 400 });

  it('fit into the entries that the address keeps, and select what they name', () => {
    fc.assert(
      fc.property(long, long, (axisId, value) => {
        const list = toBrushList(brushAxis(NO_BRUSH, axisId, { kind: 'values', values: [value] }));
        expect(list.every((entry) => entry.length <= 256)).toBe(true);
        const [read] = parseBrush(list).values();
        expect(read && matchesAxis(read, value)).toBe(true);
        expect(read && matchesAxis(read, `${value}!`)).toBe(false);
        expect(brushAxis(parseBrush(list), axisId, null).size).toBe(0);
      }),
    );
  });
});

describe('changes', () => {
  const brush = parseBrush(['a:1..2', 'unknown=x']);

  it('sets and clears one axis and keeps the others, known or not', () => {
    expect(toBrushList(brushAxis(brush, 'b', { kind: 'range', from: 3, to: null }))).toEqual([
      'a:1..2',
      'unknown=x',
      'b:3..',
    ]);
    expect(toBrushList(brushAxis(brush, 'a', null))).toEqual(['unknown=x']);
    expect(toBrushList(brush)).toEqual(['a:1..2', 'unknown=x']);
  });

  it('clears an axis that is set to nothing', () => {
    expect(toBrushList(brushAxis(brush, 'a', { kind: 'values', values: [] }))).toEqual(['unknown=x']);
    expect(toBrushList(brushAxis(brush, 'a', { kind: 'range', from: Number.NaN, to: 1 }))).toEqual(['unknown=x']);
  });
});

describe('what is selected', () => {
  it('has both ends of a range in it, and no missing value', () => {
    const range: AxisBrush = { kind: 'range', from: 1, to: 2 };
    expect([0.99, 1, 1.5, 2, 2.01, null, '1.5', Number.NaN].map((value) => matchesAxis(range, value))).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([5, -5, null, Infinity].map((value) => matchesAxis({ kind: 'range', from: null, to: null }, value))).toEqual(
      [true, true, false, false],
    );
  });

  it('has any of the values in it, numbers by their text, missing ones as the empty text', () => {
    const values: AxisBrush = { kind: 'values', values: ['lora', '8', MISSING] };
    expect(['lora', 'full', 8, 9, null, '', Number.NaN].map((value) => matchesAxis(values, value))).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(matchesAxis({ kind: 'values', values: ['NaN'] }, Number.NaN)).toBe(false);
  });

  it('must match on every axis that is known', () => {
    const brush = parseBrush(['a:1..2', 'b=x', 'gone:7..8']);
    const read = (row: Record<string, number | string | null>) => (id: string) => row[id];
    expect(matchesBrush(brush, read({ a: 1, b: 'x' }))).toBe(true);
    expect(matchesBrush(brush, read({ a: 1, b: 'y' }))).toBe(false);
    expect(matchesBrush(brush, read({ a: null, b: 'x' }))).toBe(false);
    expect(matchesBrush(NO_BRUSH, read({}))).toBe(true);
  });
});
