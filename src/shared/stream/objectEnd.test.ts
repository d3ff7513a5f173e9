import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { ObjectEnd } from './objectEnd.ts';

const isWhole = (...pieces: string[]): boolean => {
  const end = new ObjectEnd();
  for (const piece of pieces) end.push(piece);
  return end.isWhole;
};

it.each<[string, boolean]>([
  ['', false],
  ['  ', false],
  ['{', false],
  ['{}', true],
  ['{} \n', true],
  ['[1]', true],
  ['{"a":"}"', false],
  ['{"a":"}"}', true],
  ['{"a":"\\"}', false],
  ['{"a":"\\\\"}', true],
  ['{"a":{"b":[]}}', true],
  ['{"a":{"b":[]}', false],
  ['1', false],
  ['"a"', false],
  ['{}{', false],
])('%j: %s', (text, expected) => {
  expect(isWhole(text)).toBe(expected);
  expect(isWhole(...text.split(''))).toBe(expected);
});

it('is whole at the end of every object, and at no place before', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(isWhole(text)).toBe(true);
      for (let cut = 0; cut < text.length; cut += 1) expect(isWhole(text.slice(0, cut))).toBe(false);
    }),
  );
});
