import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEntities } from './entities.ts';

it.each([
  ['', ''],
  ['plain & simple', 'plain & simple'],
  ['&amp;&lt;&gt;&quot;&apos;&#39;', "&<>\"''"],
  ['a&nbsp;b', 'a\u00a0b'],
  ['&#x2014; &#X2014; &#8212; &mdash;', '— — — —'],
  ['&#128640; &#x1F680;', '🚀 🚀'],
  // Once: what was escaped stays escaped.
  ['&amp;lt;script&amp;gt;', '&lt;script&gt;'],
  ['&amp;amp;', '&amp;'],
  // Unknown names and broken references stay as typed.
  ['&unknown; &AMP &amp &; &#; &#x; &#xZZ; & amp;', '&unknown; &AMP &amp &; &#; &#x; &#xZZ; & amp;'],
  ['&constructor; &__proto__; &toString;', '&constructor; &__proto__; &toString;'],
  // No character: the replacement character, never a throw.
  ['&#0; &#xD800; &#xDFFF; &#x110000; &#9999999;', '� � � � �'],
  ['&#10FFFF;', '&#10FFFF;'],
  ['&#12345678; &#x1234567;', '&#12345678; &#x1234567;'],
])('%j is %j', (text, expected) => expect(decodeEntities(text)).toBe(expected));

it('gives back any text that was escaped', () => {
  const escape = (text: string): string => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\0\uD800-\uDFFF]/u.test(value));
  fc.assert(fc.property(text, (value) => void expect(decodeEntities(escape(value))).toBe(value)));
});

it('never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('&', '#', 'x', ';', '1', 'F', 'a', 'm', 'p') }),
      (text) => void expect(typeof decodeEntities(text)).toBe('string'),
    ),
  );
});
