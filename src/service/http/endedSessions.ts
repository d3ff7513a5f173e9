// Sessions that were signed out: one empty file each in the data folder. Restarts and other processes on that folder
// see them at once, and no two processes write the same file.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EndedSessions {
  has(id: string): boolean;
  /** Throws when it can't be stored; in this process the session has ended anyway. */
  add(id: string): void;
}

/** Removes the files of sessions that have expired. A file that can't be read or removed does no harm. */
function removeOld(folder: string, before: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (statSync(file).mtimeMs < before) rmSync(file, { force: true });
    }
  } catch {
    // Usually the folder is missing, because nobody has signed out yet.
  }
}

/** `keepMs`: how long a session lasts at most. Ids become file names, so callers pass only ids that they made. */
export function openEndedSessions(dataDir: string, keepMs: number, now: () => number): EndedSessions {
  const folder = join(dataDir, 'signed-out');
  const known = new Set<string>();
  removeOld(folder, now() - keepMs);
  return {
    has: (id) => known.has(id) || existsSync(join(folder, id)),
    add(id) {
      known.add(id);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, id), '', { mode: 0o600 });
    },
  };
}
