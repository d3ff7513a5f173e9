import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  arrayOr,
  isObject,
  numberOr,
  ownField,
  parseJson,
  readFields,
  textOr,
  toNumberOrNull,
  toTextOrNull,
  toTrainingType,
} from './readJson.ts';

it('takes objects for objects, and nothing else', () => {
  for (const value of [{}, { a: 1 }, Object.create(null)]) expect(isObject(value)).toBe(true);
  for (const value of [null, undefined, [], 'x', 5, true, () => 1]) expect(isObject(value)).toBe(false);
});

it('reads own fields only', () => {
  expect(ownField({ a: 1 }, 'a')).toBe(1);
  expect(ownField({}, 'toString')).toBeUndefined();
  expect(ownField({}, '__proto__')).toBeUndefined();
  expect(ownField(JSON.parse('{"__proto__":5}'), '__proto__')).toBe(5);
});

it('parses a text, or gives what stands for one that is no JSON', () => {
  expect([parseJson('{"a":1}'), parseJson('null', 'x'), parseJson('{'), parseJson('', 'x')]).toEqual([
    { a: 1 },
    null,
    undefined,
    'x',
  ]);
});

it('gives the fallback for what has another type', () => {
  expect([textOr('a', null), textOr('', null), textOr(5, null), textOr(undefined, 'x')]).toEqual(['a', '', null, 'x']);
  expect([
    numberOr(0, null),
    numberOr(-1.5, null),
    numberOr('1', null),
    numberOr(Number.NaN, null),
    numberOr(Infinity, 7),
  ]).toEqual([0, -1.5, null, null, 7]);
  expect([arrayOr([1]), arrayOr(null), arrayOr({ length: 1 }), arrayOr('ab')]).toEqual([[1], [], [], []]);
});

it('reads the fields that it knows, and keeps all others as they came, no inherited one', () => {
  const readers = { a: toNumberOrNull, n: toTextOrNull };
  expect(readFields({ a: 1, b: null, c: { a: 2 } }, readers)).toEqual({
    a: 1,
    n: null,
    extra: { b: null, c: { a: 2 } },
  });
  const odd = readFields(JSON.parse('{"a":1,"__proto__":{"polluted":1},"toString":2}'), readers).extra;
  expect(Object.entries(odd)).toEqual([
    ['__proto__', { polluted: 1 }],
    ['toString', 2],
  ]);
  expect('polluted' in odd).toBe(false);
});

it('reads the way of training from either field, the newer one first', () => {
  const read = [
    { training_type: 'qlora', lora: false },
    { lora: true },
    { lora: false },
    { training_type: null, lora: true },
    { lora: 1 },
    {},
  ].map(toTrainingType);
  expect(read).toEqual(['qlora', 'lora', 'full', 'lora', null, null]);
});

it('gives back what it reads, or the fallback, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([value, 'none']).toContain(textOr(value, 'none'));
      expect([value, null]).toContain(numberOr(value, null));
      expect(arrayOr(value)).toEqual(Array.isArray(value) ? value : []);
      expect(isObject(value)).toBe(Object.prototype.toString.call(value) === '[object Object]');
    }),
  );
});
