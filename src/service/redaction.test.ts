import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { redactKey } from './redaction';

const KEY = 'sk/"A\\1';

it('leaves text without the key as it is, JSON and its spaces included', () => {
  for (const text of ['', 'Not found', '{ "error" : "a\\u0041\\/b" }', '{"broken": "\\u00', '<h1>\\</h1>']) expect(redactKey(text, KEY)).toBe(text);
});

it.each([
  ['plain text', `key ${KEY} refused`, 'key … refused'],
  ['JSON', JSON.stringify({ error: `key ${KEY} refused`, [KEY]: [KEY] }), '{"error":"key … refused","…":["…"]}'],
  ['JSON that escapes more than it must', '{ "error": "key sk\\/\\"\\u0041\\\\1 refused" }', '{"error":"key … refused"}'],
])('takes the key out of %s', (_what, text, expected) => expect(redactKey(text, KEY)).toBe(expected));

it('never leaves the key in any string of a JSON text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (key, before, after) => {
      const escapes = [...(before + key + after)].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
      // Without the characters beyond 16 bits, which take two escapes.
      fc.pre(!/[\ud800-\udfff…]/.test(before + key + after));
      const text = redactKey(`{"error":"${escapes.join('')}"}`, key);
      // A key that is a part of JSON's own punctuation or of an escape leaves no JSON behind.
      if (/^[\w:"{}\\…]*$/.test(key)) return;
      expect((JSON.parse(text) as { error: string }).error).not.toContain(key);
    }),
  );
});
