import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { arrayOr, extraFields, isObject, numberOr, ownField, textOr, toTrainingType } from './reading.ts';

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

it('keeps every field that is not known, as it came, and no inherited one', () => {
  const known = { a: 0 };
  expect(extraFields({ a: 1, b: null, c: { a: 2 } }, known)).toEqual({ b: null, c: { a: 2 } });
  expect(extraFields({ a: 1 }, known)).toBe(extraFields({}, known));
  const odd = extraFields(JSON.parse('{"a":1,"__proto__":{"polluted":1},"toString":2}'), known);
  expect(Object.entries(odd)).toEqual([
    ['__proto__', { polluted: 1 }],
    ['toString', 2],
  ]);
  expect('polluted' in odd).toBe(false);
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (value, names) => {
      const extra = extraFields(value, Object.fromEntries(names.map((name) => [name, 1])));
      for (const name of Object.keys(value)) expect(Object.hasOwn(extra, name)).toBe(!names.includes(name));
    }),
  );
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
