import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseLink } from './safeLink.ts';

it.each([
  ['https://a.example/x?y=1#z', 'https://a.example/x?y=1#z'],
  ['http://a.example', 'http://a.example/'],
  ['HTTPS://A.example/Path', 'https://a.example/Path'],
  ['mailto:me@a.example', 'mailto:me@a.example'],
  // What looks like one host and leads to another is written out as the browser would go there.
  ['https://bank.example@evil.example/', 'https://bank.example@evil.example/'],
  ['https://аpple.example/', 'https://xn--pple-43d.example/'],
])('%j may be clicked', (target, expected) => expect(parseLink(target)).toBe(expected));

it.each([
  '',
  ' ',
  '#x',
  '/x',
  'x',
  '?x',
  './x',
  '../x',
  '//a.example/x',
  'a.example',
  'https://',
  'http:',
  'https://[',
  'https://a b/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  'ftp://a.example/',
  'view-source:https://a.example/',
  'about:blank',
  'tel:123',
  'custom+app://x',
  'ws://a.example/',
  'filesystem:https://a.example/x',
  'feed:javascript:alert(1)',
])('%j may not', (target) => expect(parseLink(target)).toBeNull());

it('allows only http, https and mailto, for any input', () => {
  const piece = fc.constantFrom(
    'javascript:',
    'data:',
    'https:',
    'http:',
    'mailto:',
    '//',
    '/',
    ':',
    '@',
    '\\',
    '\n',
    '\t',
    '\u0000',
    ' ',
    'a',
    '.',
    '%',
    '#',
    '?',
    'JAVASCRIPT',
    '\u2028',
    '[',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      (target) => {
        const href = parseLink(target);
        if (href === null) return;
        expect(href).toMatch(/^(https?:\/\/|mailto:)/);
        // What is shown as the target is where a click leads.
        expect(new URL(href, 'https://studio.example/').href).toBe(href);
      },
    ),
    { numRuns: 5_000 },
  );
});
