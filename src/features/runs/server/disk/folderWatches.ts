// Asks the system to report changes in folders. Only a hint that shortens the wait: what changed is found by looking,
// and everything is looked at in turns anyway.
import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { codeOf } from '#features/runs/server/errorText.ts';
import type { FolderNode } from './folderTree.ts';
import { toAbsolute, type SafeRoot } from './safeFile.ts';

const MAX_WATCHES = 16_384;

/** Linux counts the watches of all programs of a user together, and allows 8,192 on old systems: a quarter is ours. */
function findMaximum(): number {
  try {
    const allowed = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    return Math.min(MAX_WATCHES, allowed >> 2);
  } catch {
    return MAX_WATCHES;
  }
}

export class FolderWatches {
  readonly #watchers = new Map<FolderNode, FSWatcher>();
  /** Why folders are not watched, one sentence; null: all are. */
  problem: string | null = null;

  constructor(
    readonly root: SafeRoot,
    readonly onHint: (folder: FolderNode, name: string | null) => void,
    readonly maximum = findMaximum(),
  ) {}

  add(folder: FolderNode): void {
    const path = toAbsolute(this.root, folder.path);
    // To watch another mount may hang.
    if (this.problem !== null || this.#watchers.has(folder) || this.root.calls.isFar(path)) return;
    if (this.#watchers.size >= this.maximum) {
      this.problem = `There are more than ${this.maximum.toLocaleString('en')} folders: the others are looked at in turns.`;
      return;
    }
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => this.onHint(folder, name));
      watcher.on('error', () => this.remove(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOSPC' || code === 'EMFILE')
        this.problem = `The system watches no more folders (${code}): they are looked at in turns. Raise fs.inotify.max_user_watches and max_user_instances to see changes sooner.`;
    }
  }

  remove(folder: FolderNode): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}
