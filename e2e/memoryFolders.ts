// Folders of tests, in memory where the machine has room.
import { statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY = '/dev/shm';
/** A run has some thirty databases of 40 MB at a time. Containers often give 64 MB. */
const ROOM = 4 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM && freemem() >= ROOM;
  } catch {
    // Only Linux has it.
    return false;
  }
}

/**
 * Puts temporary folders of this process and of those that it starts into memory, unless TMPDIR names a place. A
 * database has a thousand small files: copying and removing them on a disk takes 0.9 s of processor time, in memory
 * 0.07 s.
 */
export function useMemoryFolders(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = MEMORY;
}
