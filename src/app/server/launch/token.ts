// The studio's token when the operator has set none: made once, stored in the data folder, readable by its owner only.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#service/database/startError.ts';

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function readStored(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes the token file unless another process has just made one. */
function store(file: string, token: string): string {
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (error) {
    const stored = reasonOf(error) === 'EEXIST' ? readStored(file) : null;
    if (stored === null) throw error;
    return stored;
  }
}

/** The token in `<dataDir>/token`, made of `random(32)` at the first start. Throws StartError. */
export function readToken(dataDir: string, random: (bytes: number) => string): string {
  const file = join(dataDir, 'token');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const token = readStored(file) ?? store(file, random(32));
    chmodSync(file, 0o600);
    if (/^[\u0021-\u007e]{16,}$/.test(token)) return token;
  } catch (error) {
    throw new StartError(
      `The token file ${file} can't be used (${reasonOf(error)}). Correct the folder's permissions, choose ` +
        'another with --data, or set STUDIO_TOKEN.',
      { cause: error },
    );
  }
  throw new StartError(`The token file ${file} is damaged. Delete it, and a new token is made at the next start.`);
}
