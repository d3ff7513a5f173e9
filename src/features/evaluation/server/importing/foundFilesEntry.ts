// The thread behind findEvaluationFiles.ts: lists the evaluations of folders, or reads one of them, and ends.
import type { ImportedEvaluation } from '#features/evaluation/shared/imports/importedEvaluation.ts';
import { openFolder, type FolderFile } from '#features/runs/server/disk/folderFiles.ts';
import type { SafeRoot } from '#features/runs/server/disk/safeFile.ts';
import { openSide, readData } from '#service/threads/isolatedSide.ts';
import { describeFound, listEvaluationFiles, readFound, toRefusal, type FoundSummary } from './foundFiles.ts';

export interface RunFolder {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
}

/** `path`: of the one file that is read; null: all are listed. */
export interface FoundFilesTask {
  readonly folders: readonly RunFolder[];
  readonly path: string | null;
}

export interface ListedFile extends FolderFile {
  readonly folder: RunFolder;
}

export type FoundFilesReply =
  | { readonly listed: readonly ListedFile[]; readonly leftOut: number }
  /** `summary`: null is no evaluation. */
  | { readonly at: number; readonly summary: FoundSummary | null }
  | { readonly imported: ImportedEvaluation }
  | { readonly refusal: string };

const LISTED = 100;
const LIST_MS = 8_000;
/** Larger files are read when they are imported. */
const READ_BYTES = 16 * 2 ** 20;
const READ_BYTES_IN_ALL = 64 * 2 ** 20;

const side = openSide<never, FoundFilesReply>();
const { folders, path } = readData<FoundFilesTask>();

async function listAll(): Promise<void> {
  const roots = new Map<string, SafeRoot>();
  const found: ListedFile[] = [];
  for (const folder of folders) {
    // The page of runs says which folder is away, and why.
    const root = await openFolder(folder.path).catch(() => null);
    if (root === null) continue;
    roots.set(folder.id, root);
    for (const file of await listEvaluationFiles(root, LIST_MS / folders.length)) found.push({ ...file, folder });
  }
  const listed = found.sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, LISTED);
  side.post({ listed, leftOut: found.length - listed.length });
  let bytes = 0;
  for (const [at, file] of listed.entries()) {
    const root = roots.get(file.folder.id);
    if (root === undefined || file.bytes > READ_BYTES || bytes + file.bytes > READ_BYTES_IN_ALL) continue;
    bytes += file.bytes;
    side.post({ at, summary: await describeFound(root, file.path) });
  }
}

async function readOne(folder: RunFolder, path: string): Promise<void> {
  try {
    side.post({ imported: await readFound(await openFolder(folder.path), path) });
  } catch (error) {
    side.post({ refusal: toRefusal(error) });
  }
}

const [folder] = folders;
if (path === null) await listAll();
else if (folder !== undefined) await readOne(folder, path);
