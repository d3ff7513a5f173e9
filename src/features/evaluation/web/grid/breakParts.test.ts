import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { expect, it } from 'vitest';
import { toBreakParts, toFigureParts } from './breakParts.ts';

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
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      (text) => void expect(toBreakParts(text).join('')).toBe(text),
    ),
  );
});

it.each([
  ['99 % (96–100) of 1,000 answers', ['99 %', '(96–100)', 'of 1,000 answers']],
  ['1 without an answer · 3 not checked · mean 2.3 s', ['1 without an answer ·', '3 not checked ·', 'mean 2.3 s']],
  ['−24 rows vs. column 1 (p < 0.001)', ['−24 rows vs. column 1', '(p < 0.001)']],
  ['nothing to check', ['nothing to check']],
])('%s', (text, parts) => {
  expect(toFigureParts(text)).toEqual(parts);
  expect(toFigureParts(text).join(' ')).toBe(text);
});
