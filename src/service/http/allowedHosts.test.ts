import { describe, expect, it } from 'vitest';
import { isLoopback, toHostCheck, toHostname } from './allowedHosts.ts';

describe('isLoopback', () => {
  it.each(['localhost', 'LocalHost', '127.0.0.1', '127.255.255.254', '::1', '[::1]'])(
    '%s can be reached from this machine only',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '128.0.0.1',
    '127.0.0.1.example',
    '127.1',
    'localhost.example',
    '',
    '[::2]',
    '10.0.0.1',
    '::ffff:127.0.0.1',
  ])('%s is not taken for it', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('toHostname', () => {
  it.each([
    ['localhost', 'localhost'],
    ['localhost:4600', 'localhost'],
    ['Studio.Example:80', 'studio.example'],
    ['studio.example.', 'studio.example'],
    ['[::1]:4600', '[::1]'],
    ['[FE80::1]', '[fe80::1]'],
    ['under_score-host', 'under_score-host'],
  ])('%s is %s', (header, hostname) => {
    expect(toHostname(header)).toBe(hostname);
  });

  it.each([
    '',
    ' ',
    'a b',
    'user@host',
    'host/path',
    'host:',
    'host:port',
    'host:123456',
    '::1',
    '[::1',
    'a,b',
    'ä.example',
    'host\u0000',
  ])('"%s" is malformed', (header) => {
    expect(toHostname(header)).toBeNull();
  });
});

describe('toHostCheck', () => {
  it('a loopback bind takes loopback names and no others', () => {
    const isAllowed = toHostCheck('127.0.0.1');
    expect(isAllowed('127.0.0.1:4600')).toBe(true);
    expect(isAllowed('localhost')).toBe(true);
    expect(isAllowed('192.168.0.2')).toBe(false);
    expect(isAllowed('studio.example')).toBe(false);
    expect(isAllowed(undefined)).toBe(false);
  });

  it('a named bind takes its name, in any spelling', () => {
    const isAllowed = toHostCheck('Studio.Example.');
    expect(isAllowed('studio.example:4600')).toBe(true);
    expect(isAllowed('STUDIO.EXAMPLE.')).toBe(true);
    expect(isAllowed('not-studio.example')).toBe(false);
    expect(isAllowed('studio.example.evil')).toBe(false);
  });

  it('an IPv6 bind takes its address in brackets', () => {
    expect(toHostCheck('fd00::5')('[fd00::5]:4600')).toBe(true);
    expect(toHostCheck('fd00::5')('[fd00::6]:4600')).toBe(false);
  });

  it.each(['0.0.0.0', '::', '[::]'])('a bind to %s takes literal addresses, never names', (host) => {
    const isAllowed = toHostCheck(host);
    expect(isAllowed('10.1.2.3:4600')).toBe(true);
    expect(isAllowed('[fd00::5]')).toBe(true);
    expect(isAllowed('evil.example')).toBe(false);
    expect(isAllowed('10.1.2.3.evil.example')).toBe(false);
  });
});
