import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileTokens } from './fileTokens.ts';
import { testTokenStore } from './tokenStores.fixture.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

const folders = await keepFolders();
const folder = await folders.empty();

const HASH = 'h'.repeat(43);

describe('files', () => {
  testTokenStore(() => openFileTokens(folder));

  it('can be read by their owner only', async () => {
    await openFileTokens(folder).add({ name: 'ada', isReadOnly: false, createdAt: new Date(0) }, HASH);
    expect(statSync(join(folder, 'tokens')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'tokens', HASH)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'tokens'))).toEqual([HASH]);
    expect(readFileSync(join(folder, 'tokens', HASH), 'utf8')).toContain('"ada"');
  });

  it('that are damaged or have other names open nothing', async () => {
    const damaged = await folders.empty();
    const store = openFileTokens(damaged);
    mkdirSync(join(damaged, 'tokens'));
    writeFileSync(join(damaged, 'tokens', HASH), '{"name":"ada"');
    writeFileSync(join(damaged, 'tokens', 'note.txt'), '{"name":"ada"}');
    expect([await store.find(HASH), await store.list(), await store.find('note.txt')]).toEqual([null, [], null]);
    expect(await store.find('../../etc/passwd')).toBeNull();
    writeFileSync(join(damaged, 'tokens', HASH), '{"name":"ada","created_at":"2026-11-20"}');
    expect(await store.find(HASH)).toMatchObject({ name: 'ada', isReadOnly: true });
  });
});
