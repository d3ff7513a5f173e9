// Files of the data folder are replaced as a whole or not at all.
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner reads. Throws if the folder can't be written; the old file then stands. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(made, text, { mode: 0o600, flag: 'wx' });
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}
