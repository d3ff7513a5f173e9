// Named tokens of a studio without PostgreSQL: a file each in the data folder, named by the hash. So processes see changes
// at once, also while the embedded database belongs to one of them, and no two of them write the same file.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import type { NamedToken, TokenStore } from './tokens.ts';

const FOLDER = 'tokens';
const HASH = /^[\w-]{43}$/;

function parseToken(text: string): NamedToken | null {
  const value = parseJson(text);
  if (!isObject(value) || typeof value['name'] !== 'string') return null;
  const createdAt = new Date(String(value['created_at']));
  // A damaged file opens nothing more than it must: without the field, only reading.
  return { name: value['name'], isReadOnly: value['is_read_only'] !== false, createdAt };
}

export function openFileTokens(dataDir: string): TokenStore {
  const folder = join(dataDir, FOLDER);
  const read = (hash: string): NamedToken | null => {
    try {
      return parseToken(readFileSync(join(folder, hash), 'utf8'));
    } catch {
      // Most likely it is not there.
      return null;
    }
  };
  const readAll = (): readonly (readonly [hash: string, token: NamedToken])[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((hash) => HASH.test(hash))
          .flatMap((hash) => {
            const token = read(hash);
            return token === null ? [] : [[hash, token] as const];
          })
          .toSorted(([, one], [, other]) => one.createdAt.getTime() - other.createdAt.getTime())
      : [];
  return {
    find: async (hash) => (HASH.test(hash) ? read(hash) : null),
    list: async () => readAll().map(([, token]) => token),
    async add({ name, isReadOnly, createdAt }, hash) {
      if (readAll().some(([, token]) => token.name === name)) return 'taken';
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ name, is_read_only: isReadOnly, created_at: createdAt.toISOString() });
      writeFileSync(join(folder, hash), `${text}\n`, { mode: 0o600, flag: 'wx' });
      return 'added';
    },
    async revoke(name) {
      const found = readAll().filter(([, token]) => token.name === name);
      for (const [hash] of found) rmSync(join(folder, hash), { force: true });
      return found.length > 0;
    },
  };
}
