import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFileTokens } from './fileTokens.ts';
import { runTokenCommand, type TokenAction } from './tokenCommand.ts';
import { noteTokenPlace } from './tokenPlace.ts';
import { toTokenHash } from './tokens.ts';
import { keepFolders } from '#service/database/keepDatabase.fixture.ts';

let count = 0;
const folders = await keepFolders();
const dataDir = await folders.empty();

const run = (action: TokenAction, folder = dataDir) =>
  runTokenCommand(
    { action, dataDir: folder, databaseUrl: null },
    { now: () => new Date(Date.UTC(2026, 10, 23)), random: () => String((count += 1)).padStart(43, 'x') },
  );

it('makes a token, shows it once, and keeps its hash alone', async () => {
  expect(await run({ kind: 'list' })).toEqual({ lines: [], notes: ['There are no named tokens.'], exitCode: 0 });
  const { lines, notes, exitCode } = await run({ kind: 'add', name: 'ada', isReadOnly: true });
  const [token = ''] = lines;
  // Stdout may be a file that a worker reads.
  expect([exitCode, lines.length]).toEqual([0, 1]);
  expect(notes).toEqual(['This is the token of ada (read only). It is shown once and not kept.']);
  expect(await openFileTokens(dataDir).find(toTokenHash(token) ?? '')).toMatchObject({ name: 'ada', isReadOnly: true });
  for (const file of readdirSync(join(dataDir, 'tokens')))
    expect(file + readFileSync(join(dataDir, 'tokens', file), 'utf8')).not.toContain(token.slice(3));
});

it('lists tokens without showing them', async () => {
  await run({ kind: 'add', name: 'builder', isReadOnly: false });
  expect((await run({ kind: 'list' })).lines).toEqual([
    'ada      read only       made 2026-11-23',
    'builder  read and write  made 2026-11-23',
  ]);
});

it('takes a name once, and revokes what is there', async () => {
  expect(await run({ kind: 'add', name: 'ada', isReadOnly: false })).toMatchObject({ exitCode: 1 });
  expect(await run({ kind: 'revoke', name: 'ada' })).toMatchObject({ exitCode: 0 });
  expect(await run({ kind: 'revoke', name: 'ada' })).toEqual({
    lines: [],
    notes: ['There is no token of ada. "token list" shows what there is.'],
    exitCode: 1,
  });
});

it('makes no token that the studio of the folder would not find, and says which database it uses', async () => {
  const folder = await folders.empty();
  await noteTokenPlace(folder, 'db.example:5432/studio');
  for (const action of [{ kind: 'add', name: 'ada', isReadOnly: false }, { kind: 'list' }] as const)
    await expect(run(action, folder)).rejects.toThrow(
      /has its tokens in PostgreSQL at db\.example:5432\/studio, where this command does not look\. Set the same DATABASE_URL/,
    );
  expect(existsSync(join(folder, 'tokens'))).toBe(false);
  await noteTokenPlace(folder, null);
  expect(await run({ kind: 'add', name: 'ada', isReadOnly: false }, folder)).toMatchObject({ exitCode: 0 });
});

it('makes no folder where it only looks', async () => {
  const missing = join(await folders.empty(), 'missing');
  await expect(run({ kind: 'list' }, missing)).rejects.toThrow(/--data/);
  expect(existsSync(missing)).toBe(false);
  await run({ kind: 'add', name: 'ada', isReadOnly: false }, missing);
  expect(existsSync(missing)).toBe(true);
});

it('says that a PostgreSQL is not there', async () => {
  const command = { action: { kind: 'list' }, dataDir, databaseUrl: 'postgres://ada:secret@127.0.0.1:9/x' } as const;
  const deps = { now: () => new Date(), random: () => '' };
  await expect(runTokenCommand(command, deps)).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:9\/x can't be used/);
});
