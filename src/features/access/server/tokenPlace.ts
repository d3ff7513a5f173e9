// Where the studio on a data folder looks its named tokens up. The command that makes them may be started without DATABASE_URL,
// and would write them where that studio never looks.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'tokens-in-postgres';

/** `address`: of the PostgreSQL, without user and password; null: tokens are files of the folder. */
export async function noteTokenPlace(dataDir: string, address: string | null): Promise<void> {
  const path = join(dataDir, FILE);
  if (address === null) await rm(path, { force: true });
  else await writeFile(path, `${address}\n`, { mode: 0o600 });
}

/** null: in files of the folder. */
export async function readTokenPlace(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => null);
  return text === null ? null : text.trim();
}
