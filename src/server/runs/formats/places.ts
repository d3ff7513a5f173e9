// Paths below a root.
import type { FileEntry, FolderView } from '#server/runs/reader.ts';

/** The path below the root of something in a folder. */
export const pathIn = (folder: Pick<FolderView, 'path'>, name: string): string =>
  folder.path === '' ? name : `${folder.path}/${name}`;

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder that holds a path; '' for the root itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** All files of a folder and of those in it, sorted by path. */
export function filesBelow(folder: FolderView, depth = 8): readonly { path: string; entry: FileEntry }[] {
  const own = [...folder.files.values()].map((entry) => ({ path: pathIn(folder, entry.name), entry }));
  const inner = depth > 0 ? [...folder.folders.values()].flatMap((each) => filesBelow(each, depth - 1)) : [];
  return [...own, ...inner].sort((one, other) => (one.path < other.path ? -1 : 1));
}
