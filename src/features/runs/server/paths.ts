// Paths: of files and folders below a root, and as a run wrote them on the machine that trained.
import type { FileEntry, FolderView } from './reader.ts';

/** The path below the root of something in a folder. `folder`: '' for the root itself. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The name of a file or folder, by its path below the root. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The folder that holds a path below the root; '' for the root itself. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The parts of any path, also of one that Windows wrote. */
export const toPathParts = (path: string): string[] =>
  path.split(/[/\\]+/).filter((part) => part !== '' && part !== '.');

/** The last part of any path; the path itself if it has none. */
export const lastPart = (path: string): string => toPathParts(path).at(-1) ?? path;

/** All files of a folder and of those in it, sorted by path. */
export function filesBelow(folder: FolderView, depth = 8): readonly { path: string; entry: FileEntry }[] {
  const own = [...folder.files.values()].map((entry) => ({ path: pathIn(folder.path, entry.name), entry }));
  const inner = depth > 0 ? [...folder.folders.values()].flatMap((each) => filesBelow(each, depth - 1)) : [];
  return [...own, ...inner].sort((one, other) => (one.path < other.path ? -1 : 1));
}
