// The files of a root at one moment, for what is read only when a person asks.
import { stat } from 'node:fs/promises';
import { Place } from '#service/files/mountCalls.ts';
import { pathIn } from '#features/runs/server/paths.ts';
import type { FileEntry } from '#features/runs/server/reader.ts';
import { chooseCalls } from './fileCalls.ts';
import { FolderTree, TREE_BOUNDS } from './folderTree.ts';
import type { SafeRoot } from './safeFile.ts';
import { TimeSlicer } from './timeSlicer.ts';

export interface FolderFile extends Omit<FileEntry, 'name'> {
  /** Below the root. */
  readonly path: string;
}

/** Throws Silence, and the error of the system. */
export async function openFolder(given: string): Promise<SafeRoot> {
  const root = { folder: given };
  const calls = await chooseCalls(given, new Place({ probe: () => stat(given) }), () => root.folder);
  root.folder = await calls.realpath(given);
  return { folder: root.folder, calls };
}

/** As far as it can be listed in `ms` milliseconds, within the bounds of a root; links to folders are not followed. */
export async function listFolder(root: SafeRoot, ms: number): Promise<readonly FolderFile[]> {
  const until = performance.now() + ms;
  const tree = new FolderTree(root, Date.now, new TimeSlicer(), TREE_BOUNDS);
  tree.queue(tree.top);
  while (performance.now() < until && (await tree.listNext(async () => true)) !== null);
  return tree.top.walk().flatMap((folder) =>
    [...folder.files.values()].map((entry) => ({
      path: pathIn(folder.path, entry.name),
      bytes: entry.bytes,
      modifiedAt: entry.modifiedAt,
    })),
  );
}
