import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS, toPolicy } from './securityHeaders.ts';

const directives = (policy: string): Map<string, string> =>
  new Map(policy.split('; ').map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]));

describe('the content security policy', () => {
  it('lets nothing in but what is named', () => {
    expect(Object.fromEntries(directives(toPolicy()))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
    });
  });

  it('a nonce is for styles alone', () => {
    const policy = directives(toPolicy({ nonce: 'abc' }));
    expect(policy.get('style-src')).toBe("'self' 'nonce-abc'");
    expect(policy.get('script-src')).toBe("'self'");
  });

  it("in development also for the bundler's script", () => {
    expect(directives(toPolicy({ nonce: 'abc', scripts: true })).get('script-src')).toBe("'self' 'nonce-abc'");
    expect(directives(toPolicy({ scripts: true })).get('script-src')).toBe("'self'");
  });

  it.each([toPolicy(), toPolicy({ nonce: 'a' }), toPolicy({ nonce: 'a', scripts: true })])(
    'never loosens: %s',
    (policy) => {
      expect(policy).not.toMatch(/unsafe|\*|https?:|blob:/);
    },
  );
});

describe('the other headers', () => {
  it('keep referrers, frames, types and devices closed', () => {
    expect(SECURITY_HEADERS).toMatchObject({
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    expect(Object.keys(SECURITY_HEADERS).some((name) => name.startsWith('Access-Control'))).toBe(false);
  });
});
