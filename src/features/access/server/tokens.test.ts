import { expect, it } from 'vitest';
import { isTokenName, makeToken, toTokenHash } from './tokens.ts';

const token = makeToken((bytes) => 'a'.repeat(Math.ceil((bytes * 4) / 3)));

it('a token has its hash, and no other text has one', () => {
  expect(token).toMatch(/^ms_a{43}$/);
  expect(toTokenHash(token)).toMatch(/^[\w-]{43}$/);
  expect(toTokenHash(token)).not.toContain('aaaa');
  for (const other of ['', 'ms_', token.slice(1), `${token}a`, `${token}\n`, `ms_${'/'.repeat(43)}`])
    expect(toTokenHash(other)).toBeNull();
});

it.each(['ada', 'Ada Lovelace', 'ci@build-7', 'Jürgen', '7'])('%j is a name', (name) =>
  expect(isTokenName(name)).toBe(true),
);

it.each(['', ' ada', 'ada ', '-x', '../x', 'a\nb', 'a\u001bb', 'x'.repeat(61), 'Owner', 'owner'])(
  '%j is no name',
  (name) => expect(isTokenName(name)).toBe(false),
);
