import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toExtraParameters } from './extraParameters.ts';

const namesOf = (fields: Record<string, unknown>) => toExtraParameters(fields).map(({ name, value }) => [name, value]);

it('names nested values by their path', () => {
  expect(namesOf({ optimizer: { name: 'adamw', betas: [0.9, 0.999] }, warmup: 10, on: true, none: null })).toEqual([
    ['optimizer.name', 'adamw'],
    ['optimizer.betas[0]', 0.9],
    ['optimizer.betas[1]', 0.999],
    ['warmup', 10],
    ['on', true],
    ['none', null],
  ]);
});

it('escapes what is part of a name, so that no two paths meet', () => {
  expect(namesOf({ 'a.b': 1, a: { b: 2 }, 'c[0]': 3, c: [4], 'd\\': 5 }).map(([name]) => name)).toEqual([
    'a\\.b',
    'a.b',
    'c\\[0]',
    'c[0]',
    'd\\\\',
  ]);
});

it('says what is empty, and writes what is too deep as JSON', () => {
  expect(namesOf({ a: {}, b: [] })).toEqual([
    ['a', '{}'],
    ['b', '[]'],
  ]);
  const deep = { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } };
  expect(namesOf(deep)).toEqual([['a.a.a.a.a.a', '{"a":1}']]);
});

it('writes what has very many values as one JSON text, and loses none of them', () => {
  const curve = Array.from({ length: 100_000 }, (_, index) => index);
  expect(namesOf({ optimizer: { lr: 1, curve }, on: true })).toEqual([
    ['optimizer.lr', 1],
    ['optimizer.curve', JSON.stringify(curve)],
    ['on', true],
  ]);
  const grid = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => 1));
  expect(namesOf({ grid })).toEqual([['grid', JSON.stringify(grid)]]);
  expect(namesOf({ few: curve.slice(0, 64) })).toHaveLength(64);
});

it('compares rates by ratio, other numbers by difference', () => {
  const kinds = toExtraParameters({
    optimizer: { lr: 1 },
    peak_learning_rate: 1,
    weight_decay: 1,
    lora_r: 1,
    iteration: 1,
    generate: 1,
  }).map(({ kind }) => kind);
  expect(kinds).toEqual(['rate', 'rate', 'rate', 'number', 'number', 'number']);
});

it('never gives two values one name, and loses no value', () => {
  const key = fc.string({ unit: fc.constantFrom('a', '.', '[', ']', '0', '\\'), maxLength: 3 });
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  const count = (value: unknown): number => {
    const below = value !== null && typeof value === 'object' ? Object.values(value) : [];
    return below.length === 0 ? 1 : below.map(count).reduce((sum, next) => sum + next, 0);
  };
  fc.assert(
    fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (fields) => {
      const extras = toExtraParameters(fields);
      expect(new Set(extras.map(({ name }) => name)).size).toBe(extras.length);
      expect(extras.length).toBe(
        Object.values(fields)
          .map(count)
          .reduce((sum, next) => sum + next, 0),
      );
    }),
  );
});
