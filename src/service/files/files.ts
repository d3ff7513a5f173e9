// Files that lie where people want them, such as models and weights of runs: on a network mount they may hang. Those in the
// studio's own folders are near, and asked here. All others are far, and asked in a process of their own (`openFiles.ts`).
import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';

export interface FoundFile {
  /** With links resolved. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly isReadable: boolean;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  readonly createdAt: number;
}

/** All reject with the error of the system, and with Silence for a disk or mount that doesn't answer. */
export interface Files {
  /** null: there is nothing. */
  find(path: string): Promise<FoundFile | null>;
  /** Fewer bytes at the end of the file, or of a part of it. Throws EISDIR or EINVAL for what is no file. */
  read(path: string, at: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Whoever opens a pipe to read would wait until somebody writes into it. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));

export const nearFiles: Files = {
  async find(path) {
    try {
      const real = await realpath(path);
      const found = await stat(real);
      const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
      const isReadable = await access(real, constants.R_OK | (kind === 'folder' ? constants.X_OK : 0)).then(
        () => true,
        () => false,
      );
      const createdAt = found.birthtimeMs > 0 ? found.birthtimeMs : found.mtimeMs;
      return { path: real, kind, isReadable, bytes: found.size, modifiedAt: found.mtimeMs, createdAt };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  },
  async read(path, at, length) {
    const file = await open(path, FLAGS);
    try {
      const found = await file.stat();
      const code = found.isDirectory() ? 'EISDIR' : 'EINVAL';
      if (!found.isFile()) throw Object.assign(new Error(`${path} is no file.`), { code });
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, at);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  },
};

/** Whether a path is in a folder, or is the folder. */
export function isIn(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !/^\.\.[/\\]/.test(rest) && !isAbsolute(rest);
}

/** `near`: the studio's own folders. */
export function toFiles(near: readonly string[], far: Files): Files {
  const of = (path: string): Files => (near.some((folder) => isIn(folder, path)) ? nearFiles : far);
  return {
    find: (path) => of(path).find(path),
    read: (path, at, length) => of(path).read(path, at, length),
  };
}

/** A slow mount gives so many within the time of a call. */
const PART_BYTES = 2 ** 20;

/** The bytes of a file up to `end`, while they are taken. Rejects as Files do, and when the file is shorter. */
export async function* streamFile(files: Files, path: string, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < end;) {
    const part = await files.read(path, at, Math.min(PART_BYTES, end - at));
    if (part.length === 0) throw new Error(`The file ${path} became shorter while it was read.`);
    at += part.length;
    yield part;
  }
}

/** The whole of a part of a file; fewer bytes at its end. */
export async function readFully(
  files: Files,
  path: string,
  at: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const part = await files.read(path, at + done, Math.min(PART_BYTES, length - done));
    if (part.length === 0) break;
    bytes.set(part, done);
    done += part.length;
  }
  return bytes.subarray(0, done);
}
