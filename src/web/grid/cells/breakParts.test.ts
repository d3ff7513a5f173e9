import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toBreakParts } from './breakParts.ts';

it('leaves text of ordinary words alone', () =>
  expect(toBreakParts('An ordinary, short answer.')).toEqual(['An ordinary, short answer.']));

it('breaks JSON between its names and values, never inside a word', () => {
  expect(toBreakParts('{"sentiment":"neutral","n":[1,2]}')).toEqual([
    '{',
    '"sentiment":',
    '"neutral",',
    '"n":[',
    '1,',
    '2]}',
  ]);
});

it('keeps lines and words together that white space parts already', () => {
  expect(toBreakParts('One\n\ntwo {"sentiment":"neutral"} three')).toEqual([
    'One\n\ntwo {',
    '"sentiment":',
    '"neutral"} three',
  ]);
});

it('loses nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      (text) => void expect(toBreakParts(text).join('')).toBe(text),
    ),
  );
});
