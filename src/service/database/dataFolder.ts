// The data folder itself: makes it when it is missing, and reports clearly when it can't be used.
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { toReason } from './database.ts';
import { StartError } from './startError.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/** One level at a time: Node's recursive mkdir never returns where a file system allows no folders (/proc, Node 20). */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await make();
  }
}

/** Makes the folder (readable by its owner only) or checks it. Returns its absolute path. Throws StartError. */
export async function prepareDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  const advice = 'Choose another folder with --data';
  const found = await stat(folder).catch(() => null);
  if (found && !found.isDirectory()) {
    throw new StartError(`The data folder ${folder} is a file, not a folder. ${advice}, or move the file away.`);
  }
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} can't be written (${toReason(error)}). ${advice}, or correct its permissions.`,
      {
        cause: error,
      },
    );
  }
  return folder;
}
