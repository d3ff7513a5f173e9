import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { redactKey } from './redaction.ts';

const KEY = 'sk/"A\\1';

it('leaves text without the key as it is, JSON and its spaces included', () => {
  for (const text of ['', 'Not found', '{ "error" : "a\\u0041\\/b" }', '{"broken": "\\u00', '<h1>\\</h1>'])
    expect(redactKey(text, KEY)).toBe(text);
});

it.each([
  ['plain text', `key ${KEY} refused`, 'key … refused'],
  ['JSON', JSON.stringify({ error: `key ${KEY} refused`, [KEY]: [KEY] }), '{"error":"key … refused","…":["…"]}'],
  [
    'JSON that escapes more than it must',
    '{ "error": "key sk\\/\\"\\u0041\\\\1 refused" }',
    '{"error":"key … refused"}',
  ],
])('takes the key out of %s', (_what, text, expected) => expect(redactKey(text, KEY)).toBe(expected));

const TOKEN = 'sk-live/9+fQ~Zz_8.aB';
const inBase64 = (text: string, form: 'base64' | 'base64url'): string => Buffer.from(text).toString(form);

it.each([
  ['an address', `/login?key=${encodeURIComponent(TOKEN)}&x=1`, '/login?key=…&x=1'],
  [
    'an address in lower case',
    `key=${encodeURIComponent(TOKEN).toLowerCase().replace('q~zz_8.ab', 'Q~Zz_8.aB')}`,
    'key=…',
  ],
  ['an address that encodes each byte', [...TOKEN].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''), '…'],
  ['JSON with an address', JSON.stringify({ url: `https:\\/\\/x?k=${encodeURIComponent(TOKEN)}` }), undefined],
])('takes a URL-encoded key out of %s', (_what, text, expected) => {
  const redacted = redactKey(text, TOKEN);
  if (expected !== undefined) expect(redacted).toBe(expected);
  expect(decodeURIComponent(redacted)).not.toContain(TOKEN);
});

it('takes a key in base64 out, whatever stands around it', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 9 }),
      fc.string({ maxLength: 9 }),
      fc.constantFrom('base64' as const, 'base64url' as const),
      (before, after, form) => {
        const text = `Authorization: Basic ${inBase64(before + TOKEN + after, form)}.`;
        const redacted = redactKey(text, TOKEN);
        expect(redacted).toContain('…');
        // At most the bits at its two ends are left of it.
        const left = redacted
          .replace('Authorization: Basic ', '')
          .split('…')
          .map((part) => Buffer.from(part.replace(/\.$/, ''), 'base64').toString('latin1'));
        for (const part of left) expect(part).not.toContain(TOKEN.slice(0, 3));
      },
    ),
  );
});

it('a short key does not take innocent text away', () => {
  expect(redactKey('The model is not there: abcd', 'ab')).toBe('The model is not there: …cd');
  expect(redactKey(Buffer.from('xaby').toString('base64'), 'ab')).toBe(Buffer.from('xaby').toString('base64'));
});

it('takes time in proportion to the text', () => {
  const text = '%73'.repeat(200_000) + 's'.repeat(200_000);
  expect(redactKey(text, TOKEN)).toBe(text);
});

it('never leaves the key in any string of a JSON text', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (key, before, after) => {
      const escapes = [...(before + key + after)].map(
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      // Without the characters beyond 16 bits, which take two escapes.
      fc.pre(!/[\ud800-\udfff…]/.test(before + key + after));
      const text = redactKey(`{"error":"${escapes.join('')}"}`, key);
      // A key that is a part of JSON's own punctuation or of an escape leaves no JSON behind.
      if (/^[\w:"{}\\…]*$/.test(key)) return;
      expect((JSON.parse(text) as { error: string }).error).not.toContain(key);
    }),
  );
});
