// For tests: what both stores of tokens must do.
import { expect, it } from 'vitest';
import type { NamedToken, TokenStore } from './tokens.ts';

const HASHES = ['a', 'b', 'c'].map((letter) => letter.repeat(43)) as [string, string, string];

const made = (name: string, day: number, isReadOnly = false): NamedToken => ({
  name,
  isReadOnly,
  createdAt: new Date(Date.UTC(2026, 10, day)),
});

/** `open`: opens the same place again, as another process does. */
export function testTokenStore(open: () => TokenStore): void {
  it('adds, finds, lists and revokes, which another process sees at once', async () => {
    const here = open();
    const there = open();
    expect([await here.list(), await here.find(HASHES[0])]).toEqual([[], null]);
    expect(await here.add(made('ada', 2), HASHES[0])).toBe('added');
    expect(await there.add(made('bea', 1, true), HASHES[1])).toBe('added');
    expect(await there.find(HASHES[0])).toEqual(made('ada', 2));
    expect(await here.find(HASHES[1])).toEqual(made('bea', 1, true));
    expect((await here.list()).map(({ name }) => name)).toEqual(['bea', 'ada']);
    expect(await there.add(made('ada', 3), HASHES[2])).toBe('taken');
    expect(await there.find(HASHES[2])).toBeNull();
    expect(await here.revoke('nobody')).toBe(false);
    expect(await here.revoke('ada')).toBe(true);
    expect(await there.find(HASHES[0])).toBeNull();
    expect((await there.list()).map(({ name }) => name)).toEqual(['bea']);
    expect(await there.add(made('ada', 4), HASHES[2])).toBe('added');
    for (const { name } of await here.list()) await here.revoke(name);
  });
}
