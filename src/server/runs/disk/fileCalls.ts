// The calls of the file system, all of them reading. On a local disk they are made at once, which costs a tenth of a
// promise's time; on a network mount, which may hang, they are made in the background.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '#server/runs/errorText.ts';
import { inTime } from '#server/runs/inTime.ts';

type Soon<Value> = Value | Promise<Value>;

export interface FileCalls {
  readonly isLocal: boolean;
  /** null: there is nothing. */
  lstat(path: string): Soon<fs.Stats | null>;
  stat(path: string): Soon<fs.Stats | null>;
  realpath(path: string): Soon<string>;
  /** At most `maximum` entries, in the order of the disk. */
  list(path: string, maximum: number): Soon<{ readonly entries: readonly fs.Dirent[]; readonly isCut: boolean }>;
  open(path: string): Soon<number>;
  fstat(file: number): Soon<fs.Stats>;
  read(file: number, into: Uint8Array, at: number): Soon<number>;
  close(file: number): Soon<void>;
}

/**
 * Never follows a link at the end of a path, and never waits for the other end of a pipe. Windows knows neither.
 */
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

const BUFFERED_ENTRIES = 512;

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error));

const orNull = async <Value>(wanted: Promise<Value>): Promise<Value | null> => {
  try {
    return await wanted;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

const orNullAtOnce = <Value>(call: () => Value | undefined): Value | null => {
  try {
    return call() ?? null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
};

export const localCalls: FileCalls = {
  isLocal: true,
  lstat: (path) => orNullAtOnce(() => fs.lstatSync(path, { throwIfNoEntry: false })),
  stat: (path) => orNullAtOnce(() => fs.statSync(path, { throwIfNoEntry: false })),
  realpath: (path) => fs.realpathSync.native(path),
  list(path, maximum) {
    const folder = fs.opendirSync(path, { bufferSize: BUFFERED_ENTRIES });
    try {
      const entries: fs.Dirent[] = [];
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (entries.length === maximum) return { entries, isCut: true };
        entries.push(entry);
      }
      return { entries, isCut: false };
    } finally {
      folder.closeSync();
    }
  },
  open: (path) => fs.openSync(path, FLAGS),
  fstat: (file) => fs.fstatSync(file),
  read: (file, into, at) => fs.readSync(file, into, 0, into.length, at),
  close: (file) => fs.closeSync(file),
};

const toPromise = <Value>(call: (done: (error: Error | null, value: Value) => void) => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });

export const remoteCalls: FileCalls = {
  isLocal: false,
  lstat: (path) => orNull(fs.promises.lstat(path)),
  stat: (path) => orNull(fs.promises.stat(path)),
  realpath: (path) => fs.promises.realpath(path),
  async list(path, maximum) {
    const entries: fs.Dirent[] = [];
    // The loop closes the folder, however it ends.
    for await (const entry of await fs.promises.opendir(path, { bufferSize: BUFFERED_ENTRIES })) {
      if (entries.length === maximum) return { entries, isCut: true };
      entries.push(entry);
    }
    return { entries, isCut: false };
  },
  open: (path) => toPromise((done) => fs.open(path, FLAGS, done)),
  fstat: (file) => toPromise((done) => fs.fstat(file, done)),
  read: (file, into, at) => toPromise((done) => fs.read(file, into, 0, into.length, at, done)),
  close: (file) => toPromise<void>((done) => fs.close(file, (error) => done(error, undefined))),
};

/** Linux's numbers of file systems that other machines can change, without a notice here: NFS, SMB, 9P, FUSE, Ceph, Lustre, AFS. */
const REMOTE_TYPES = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x0bd00bd0, 0x5346414f,
]);

/** A file system that doesn't answer for so long is a network mount that hangs. */
const SILENT_MS = 2_000;

/** Whether a folder is on a file system that doesn't report changes made elsewhere. Of one that is away: its parent. */
export async function isRemote(folder: string): Promise<boolean> {
  try {
    const { type } = await inTime(fs.promises.statfs(folder), SILENT_MS, () => new Error('It does not answer.'));
    return process.platform === 'linux' && REMOTE_TYPES.has(type >>> 0);
  } catch (error) {
    const parent = dirname(folder);
    return isAbsent(error) && parent !== folder ? isRemote(parent) : true;
  }
}
