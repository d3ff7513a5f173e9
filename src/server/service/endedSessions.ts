// The sessions that were signed out, one empty file each in the data folder: a restart and every process that shares
// the folder see them at once, and no two processes write the same file.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EndedSessions {
  has(id: string): boolean;
  /** Throws when it can't be stored; the session is ended in this process all the same. */
  add(id: string): void;
}

/** Removes what has run out by itself. A file that can't be looked at or removed does no harm. */
function removeOld(folder: string, before: number): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (statSync(file).mtimeMs < before) rmSync(file, { force: true });
    }
  } catch {
    // Mostly: nobody has signed out yet, so there is no folder.
  }
}

/** `keepMs`: how long a session lasts at most. Ids are file names: the caller has checked that it made them. */
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
