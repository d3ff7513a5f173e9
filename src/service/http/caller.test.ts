import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toBearerCaller } from './caller.ts';

const from = (remoteAddress: string, forwarded?: string | string[]): IncomingMessage =>
  ({
    headers: { cookie: 'x=1', 'user-agent': 'b', ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

describe('the caller of a program', () => {
  it('is its address, and nothing that it can make up', () => {
    expect(toBearerCaller(from('1.2.3.4', '9.9.9.9'), false)).toBe(toBearerCaller(from('1.2.3.4'), false));
    expect(toBearerCaller(from('127.0.0.1', '9.9.9.9'), false)).toBe(toBearerCaller(from('127.0.0.1'), false));
    expect(toBearerCaller(from('1.2.3.4', '9.9.9.9'), true)).toBe(toBearerCaller(from('1.2.3.4'), true));
    expect(toBearerCaller(from('1.2.3.4'), false)).not.toBe(toBearerCaller(from('1.2.3.5'), false));
  });

  it.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])('behind a proxy at %s is what that names', (peer) => {
    expect(toBearerCaller(from(peer, '1.2.3.4'), true)).toBe('bearer 1.2.3.4');
    expect(toBearerCaller(from(peer, '9.9.9.9, 2001:db8::1'), true)).toBe('bearer 2001:db8::1');
    expect(toBearerCaller(from(peer, ['9.9.9.9', '8.8.8.8,1.2.3.4']), true)).toBe('bearer 1.2.3.4');
  });

  it.each([undefined, '', 'unknown', '1.2.3.4, unknown', '1.2.3.4:80'])(
    'a proxy that names %j names nobody',
    (text) => {
      expect(toBearerCaller(from('127.0.0.1', text), true)).toBe('bearer 127.0.0.1');
    },
  );
});
