// The key must not leave this process, in whatever form the server repeats it.
import { afterAll, expect, it } from 'vitest';
import { openUpstreamHttp } from './upstreamHttp.ts';

const KEY = 'sk-very/secret+key';
const http = openUpstreamHttp('http://127.0.0.1:1', KEY);
afterAll(() => http.close());

it.each([
  ['plain', KEY],
  ['in an address', encodeURIComponent(KEY)],
  ['in base64', Buffer.from(`user:${KEY}`).toString('base64')],
  ['escaped in JSON', JSON.stringify({ error: KEY }).replace('s', String.raw`\u0073`)],
])('takes the key out of an error: %s', (_form, text) => {
  const redacted = http.redact(text);
  expect(redacted).toContain('…');
  expect(decodeURIComponent(redacted)).not.toContain('secret');
  expect(Buffer.from(redacted, 'base64').toString()).not.toContain('secret');
});

it('leaves texts alone when there is no key', () => {
  for (const key of [null, '']) {
    const open = openUpstreamHttp('http://127.0.0.1:1', key);
    expect(open.redact('any text')).toBe('any text');
    open.close();
  }
});
