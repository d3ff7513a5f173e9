import { describe, expect, it } from 'vitest';
import { isForeign, isSafeMethod, isSameOrigin } from './sameOrigin.ts';

const HOST = '127.0.0.1:4600';

describe('where a request comes from', () => {
  const table: [string, Record<string, string>, { foreign: boolean; same: boolean }][] = [
    ['a script: no header', {}, { foreign: false, same: false }],
    ['own origin', { origin: `http://${HOST}` }, { foreign: false, same: true }],
    ['own origin behind TLS', { origin: `https://${HOST}` }, { foreign: false, same: true }],
    ['another port', { origin: 'http://127.0.0.1:4601' }, { foreign: true, same: false }],
    ['another name for this machine', { origin: 'http://localhost:4600' }, { foreign: true, same: false }],
    ['a host that begins the same', { origin: `http://${HOST}.evil.example` }, { foreign: true, same: false }],
    ['a file or a sandbox', { origin: 'null' }, { foreign: true, same: false }],
    ['an empty origin', { origin: '' }, { foreign: true, same: false }],
    ['another scheme', { origin: `ftp://${HOST}` }, { foreign: true, same: false }],
    ['the browser vouches', { 'sec-fetch-site': 'same-origin' }, { foreign: false, same: true }],
    ['typed or opened by hand', { 'sec-fetch-site': 'none' }, { foreign: false, same: true }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }, { foreign: true, same: false }],
    ['another site', { 'sec-fetch-site': 'cross-site' }, { foreign: true, same: false }],
    ['an unknown word', { 'sec-fetch-site': 'friendly' }, { foreign: true, same: false }],
    ['both agree', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }, { foreign: false, same: true }],
    [
      'one speaks against it',
      { origin: `http://${HOST}`, 'sec-fetch-site': 'cross-site' },
      { foreign: true, same: false },
    ],
    [
      'the other speaks against it',
      { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
      { foreign: true, same: false },
    ],
  ];

  it.each(table)('%s', (_, headers, expected) => {
    const all = { host: HOST, ...headers };
    expect({ foreign: isForeign(all), same: isSameOrigin(all) }).toEqual(expected);
  });

  it('a missing host matches no origin', () => {
    expect(isSameOrigin({ origin: 'http://undefined.example' })).toBe(false);
  });
});

describe('isSafeMethod', () => {
  it.each([
    ['GET', true],
    ['HEAD', true],
    ['POST', false],
    ['DELETE', false],
    ['get', false],
    [undefined, false],
  ])('%s: %s', (method, isSafe) => {
    expect(isSafeMethod(method)).toBe(isSafe);
  });
});
