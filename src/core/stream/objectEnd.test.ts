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
      // Each character more, and each beginning at once.
      const end = new ObjectEnd();
      for (let cut = 0; cut < text.length; cut += 1) {
        if (end.isWhole || isWhole(text.slice(0, cut))) expect.fail(`whole after ${text.slice(0, cut)}`);
        end.push(text[cut]!);
      }
      expect(end.isWhole && isWhole(text)).toBe(true);
    }),
  );
});
