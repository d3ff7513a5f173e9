import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonChanges } from './jsonChanges.ts';
import { toJsonKey } from './jsonValues.ts';

const linesOf = (before: unknown, after: unknown): readonly string[] | undefined =>
  findJsonChanges(JSON.stringify(before), JSON.stringify(after))?.map(
    ({ path, before: a, after: b }) => `${path}: ${a ?? 'none'} -> ${b ?? 'none'}`,
  );

const TICKET = { category: 'shipping', priority: 'high', order: { id: 7, items: ['a', 'b'] } };

it.each<[string, unknown, unknown, readonly string[]]>([
  ['a value', TICKET, { ...TICKET, priority: 'low' }, ['priority: "high" -> "low"']],
  ['a value within', TICKET, { ...TICKET, order: { id: 8, items: ['a', 'b'] } }, ['order.id: 7 -> 8']],
  ['a new and a missing field', { a: 1, b: 2 }, { b: 2, c: [3] }, ['a: 1 -> none', 'c: none -> [3]']],
  ['an entry that was put in', { items: ['a', 'b'] }, { items: ['x', 'a', 'b'] }, ['items[0]: none -> "x"']],
  ['an entry that was taken out', ['a', 'b', 'c'], ['a', 'c'], ['[1]: "b" -> none']],
  ['a field of an entry', [{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 3 }], ['[1].n: 2 -> 3']],
  ['another type', { a: { b: 1 } }, { a: [1] }, ['a: {"b":1} -> [1]']],
  ['the whole answer', { a: 1 }, [1], [': {"a":1} -> [1]']],
  ['a name that is no word', { 'a b': 1 }, { 'a b': 2 }, ['["a b"]: 1 -> 2']],
  ['nothing', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
])('names %s', (_, before, after, lines) => expect(linesOf(before, after)).toEqual(lines));

it('keeps all digits of a number', () => {
  expect(findJsonChanges('{"id":12345678901234567890}', '{"id":12345678901234567891}')).toEqual([
    { path: 'id', before: '12345678901234567890', after: '12345678901234567891' },
  ]);
});

it.each([
  ['{"a":1}', 'text'],
  ['text', '{"a":1}'],
  ['```json\n{"a":1}\n```', '{"a":1}'],
  ['1', '2'],
])('%j and %j are compared as texts', (before, after) => expect(findJsonChanges(before, after)).toBeNull());

it('finds a change exactly where the values are not equal', () => {
  const value = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
      expect(findJsonChanges(one, other)?.length === 0).toBe(toJsonKey(one) === toJsonKey(other));
      expect(findJsonChanges(one, JSON.stringify(a, null, 1))).toEqual([]);
    }),
  );
});
