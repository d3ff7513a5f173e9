import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesEtag, sendTagged, toEtag } from './etag.ts';

describe('toEtag', () => {
  it('is strong, quoted, and the same for the same bytes', () => {
    expect(toEtag('abc')).toMatch(/^"[\w-]{27}"$/);
    expect(toEtag('abc')).toBe(toEtag(Buffer.from('abc')));
  });

  it('differs when the bytes do', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(toEtag(a) === toEtag(b)).toBe(a === b);
      }),
    );
  });
});

describe('matchesEtag (RFC 9110 13.1.2)', () => {
  it.each([
    [undefined, '"a"', false],
    ['', '"a"', false],
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['*', '"a"', true],
    ['"b", "a"', '"a"', true],
    ['"b","c"', '"a"', false],
    ['a', '"a"', false],
    ['"A"', '"a"', false],
    ['w/"a"', '"a"', false],
  ])('%s against %s: %s', (header, etag, expected) => {
    expect(matchesEtag(header, etag)).toBe(expected);
  });
});

describe('sendTagged', () => {
  it('sends the bytes with their tag', async () => {
    const answer = sendTagged('{"a":1}', undefined);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe(toEtag('{"a":1}'));
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(await answer.text()).toBe('{"a":1}');
  });

  it('sends nothing when the reader has them', async () => {
    const answer = sendTagged('{"a":1}', toEtag('{"a":1}'));
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('content-type')).toBeNull();
    expect(answer.headers.get('etag')).toBe(toEtag('{"a":1}'));
  });

  it('takes the tag of whoever made the bytes', () => {
    expect(sendTagged('{}', undefined, 'W/"7"').headers.get('etag')).toBe('W/"7"');
    expect(sendTagged('{}', '"7"', 'W/"7"').status).toBe(304);
  });
});
