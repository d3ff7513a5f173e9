// Opens files of a root, and nothing else: no link that leaves the root, no pipe, socket or device. Only reads.
import type { Stats } from 'node:fs';
import { Silence } from '#service/files/mountCalls.ts';
import { codeOf } from '#features/runs/server/errorText.ts';
import { MAX_WHOLE_BYTES, Unreadable } from '#features/runs/server/reader.ts';
import { toMebibytes } from '#features/runs/server/sizeText.ts';
import type { FileCalls } from './fileCalls.ts';

export interface PathReason {
  /** Path below the root; `''` is the root. */
  readonly path: string;
  /** One sentence for people. */
  readonly reason: string;
}

export interface SafeRoot {
  /** Absolute path, links resolved. */
  readonly folder: string;
  readonly calls: FileCalls;
}

/** A file that is there no longer, or was never. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

export interface OpenFile {
  readonly file: number;
  /** From before the first read: what is written later is a change. */
  readonly stats: Stats;
  readonly calls: FileCalls;
}

// Control characters, and those that reverse the direction of text.
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A path for people: names may hold line breaks. */
export const showPath = (path: string): string => path.replace(CONTROLS, '\ufffd') || 'the folder itself';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied. Give the studio the right to read it',
  EPERM: 'permission denied. Give the studio the right to read it',
  EIO: 'the disk reports an error. Check the disk or the network mount',
  ESTALE: 'the network mount lost it. Mount the disk again',
  EMFILE: 'too many files are open. Raise the limit of open files (ulimit -n)',
  ENFILE: 'too many files are open on this machine. Close programs, or raise the limit',
  ENAMETOOLONG: 'its path is too long. Move it up',
};

/** Why a file or folder can't be read, one sentence. */
export const toSentence = (path: string, error: unknown): string => {
  const code = codeOf(error);
  const reason = error instanceof Silence ? error.message : (REASONS[code] ?? code);
  return `${showPath(path)} can't be read: ${reason}.`;
};

export const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(/[/\\]$/.test(root) ? root : `${root}${root.includes('\\') ? '\\' : '/'}`);

/** The absolute path of something below the root, without a look at the disk. Throws Unreadable. */
export function toAbsolute(root: SafeRoot, path: string): string {
  const isSafe = !path.includes('\0') && !path.split('/').some((name) => name === '..' || name === '.');
  if (!isSafe || path.startsWith('/')) throw new Unreadable(`${showPath(path)} is not a path below the folder.`);
  return path === '' ? root.folder : `${root.folder}/${path}`;
}

/** The real place of a path below the root. Throws Gone, Silence, and Unreadable if a link leads out of the root. */
export async function safePath(root: SafeRoot, path: string): Promise<string> {
  const absolute = toAbsolute(root, path);
  try {
    const real = await root.calls.realpath(absolute);
    if (isInside(root.folder, real)) return real;
  } catch (error) {
    throw toFault(path, error);
  }
  throw new Unreadable(`${showPath(path)} is a link that leads out of the folder, so it is not read.`);
}

function toFault(path: string, error: unknown): Error {
  if (error instanceof Unreadable || error instanceof Gone || error instanceof Silence) return error;
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error))
    ? new Gone(path)
    : new Unreadable(toSentence(path, error));
}

/** Whether a root doesn't answer as a whole, which is said of the root alone: nothing is known of its files. */
export const isSilent = ({ calls }: SafeRoot, error: unknown): boolean => error instanceof Silence && !calls.isLocal;

/** Opens a file for the time of `use`. Throws Gone, Unreadable and Silence, and what `use` throws. */
export async function withFile<Value>(
  root: SafeRoot,
  path: string,
  use: (open: OpenFile) => Value | Promise<Value>,
): Promise<Value> {
  const { calls } = root;
  const real = await safePath(root, path);
  let file: number;
  try {
    // Opening a device may already do something.
    const before = await calls.lstat(real);
    if (!before) throw new Gone(path);
    if (!before.isFile()) throw new Unreadable(`${showPath(path)} is not a file.`);
    file = await calls.open(real);
  } catch (error) {
    throw toFault(path, error);
  }
  try {
    const stats = await calls.fstat(file);
    // A folder above it may have become a link meanwhile.
    const now = await calls.lstat(await safePath(root, path));
    if (!now) throw new Gone(path);
    if (!stats.isFile() || now.ino !== stats.ino || now.dev !== stats.dev)
      throw new Unreadable(`${showPath(path)} was replaced while it was opened. It is read again.`);
    return await use({ file, stats, calls });
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? toFault(path, error) : error;
  } finally {
    await calls.close(file);
  }
}

/** Room for bytes. Not filled with zeros; not a Buffer, whose slice() is no copy. */
export const toRoom = (length: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);

/** The bytes from `at`, fewer at the end of the file. `bytes`: where they are written; the result is its first part. */
export async function readAt(
  { file, calls }: OpenFile,
  at: number,
  length: number,
  bytes = toRoom(length),
): Promise<Uint8Array> {
  let done = 0;
  while (done < length) {
    const count = await calls.read(file, bytes.subarray(done), at + done);
    if (count === 0) break;
    done += count;
  }
  return done === length ? bytes : bytes.subarray(0, done);
}

/** All bytes of a file. Throws Unreadable if it is longer than `maximum`. */
export async function readWhole(open: OpenFile, path: string, maximum = MAX_WHOLE_BYTES): Promise<Uint8Array> {
  const { size } = open.stats;
  if (size <= maximum) return readAt(open, 0, size);
  throw new Unreadable(`${showPath(path)} has ${toMebibytes(size)}; at most ${toMebibytes(maximum)} are read.`);
}
