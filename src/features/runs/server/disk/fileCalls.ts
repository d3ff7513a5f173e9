// The calls of the file system, all of them reading. On a local disk they are made at once, which costs a tenth of a
// promise's time. What may hang is asked in the background and within a time: network mounts, those inside a local folder,
// and links, which may lead anywhere.
import fs from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isIn } from '#service/files/files.ts';
import { Place } from '#service/files/mountCalls.ts';
import { codeOf } from '#features/runs/server/errorText.ts';

type Soon<Value> = Value | Promise<Value>;

/** All throw the error of the system, and Silence where a disk or mount doesn't answer. */
export interface FileCalls {
  readonly isLocal: boolean;
  /** Whether a path is asked about in the background. */
  isFar(path: string): boolean;
  /** null: there is nothing. */
  lstat(path: string): Soon<fs.Stats | null>;
  stat(path: string): Soon<fs.Stats | null>;
  realpath(path: string): Soon<string>;
  /** At most `maximum` entries, in the order of the disk. */
  list(path: string, maximum: number): Soon<{ readonly entries: readonly fs.Dirent[]; readonly isCut: boolean }>;
  open(path: string): Soon<number>;
  fstat(file: number): Soon<fs.Stats>;
  /** May read less than there is. */
  read(file: number, into: Uint8Array, at: number): Soon<number>;
  close(file: number): Soon<void>;
}

/**
 * Never follows a link at the end of a path, and never waits for the other end of a pipe. Windows knows neither.
 */
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

const BUFFERED_ENTRIES = 512;
/** As Linux. */
const MOST_LINKS = 40;

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

const atOnce = {
  lstat: (path: string): fs.Stats | null => orNullAtOnce(() => fs.lstatSync(path, { throwIfNoEntry: false })),
  list(path: string, maximum: number): { entries: readonly fs.Dirent[]; isCut: boolean } {
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
};

const toPromise = <Value>(call: (done: (error: Error | null, value: Value) => void) => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });

/** Not waited for: to close a file of a mount may hang, too. */
const closeLater = (file: number): void => fs.close(file, () => undefined);

/** A slow mount gives so many within the time of a call. */
const READ_BYTES = 2 ** 20;

/** Everything in the background. `place`: what answers or not as one. */
export function openRemoteCalls(place = new Place()): FileCalls {
  const { promises } = fs;
  return {
    isLocal: false,
    isFar: () => true,
    lstat: (path) => place.run(() => orNull(promises.lstat(path))),
    stat: (path) => place.run(() => orNull(promises.stat(path))),
    realpath: (path) => place.run(() => promises.realpath(path)),
    async list(path, maximum) {
      const close = (folder: fs.Dir): void => void folder.close().catch(() => undefined);
      const folder = await place.run(() => promises.opendir(path, { bufferSize: BUFFERED_ENTRIES }), close);
      try {
        const entries: fs.Dirent[] = [];
        for (;;) {
          const entry = await place.run(() => folder.read());
          if (entry === null) return { entries, isCut: false };
          if (entries.length === maximum) return { entries, isCut: true };
          entries.push(entry);
        }
      } finally {
        close(folder);
      }
    },
    open: (path) => place.run(() => toPromise<number>((done) => fs.open(path, FLAGS, done)), closeLater),
    fstat: (file) => place.run(() => toPromise<fs.Stats>((done) => fs.fstat(file, done))),
    async read(file, into, at) {
      // A call that was given up still writes, when the buffer that was given has other bytes.
      const part = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, into.length));
      const count = await place.run(() => toPromise<number>((done) => fs.read(file, part, 0, part.length, at, done)));
      into.set(part.subarray(0, count));
      return count;
    },
    close: closeLater,
  };
}

export const remoteCalls: FileCalls = openRemoteCalls();

/** The place of a file in a folder, whose links are followed as long as they stay in the folder; null: one leads out. */
function findTarget(folder: string, path: string): string | null {
  if (!isIn(folder, path)) return null;
  let at = folder;
  let links = 0;
  const rest = relative(folder, path).split(sep);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = join(at, name);
    if (atOnce.lstat(next)?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    const target = resolve(at, fs.readlinkSync(next));
    links += 1;
    if (links > MOST_LINKS || !isIn(folder, target)) return null;
    rest.unshift(...relative(folder, target).split(sep));
    at = folder;
  }
  return at;
}

interface LocalOptions {
  /** The real path of the folder. */
  readonly toFolder?: () => string;
  /** Asks where links lead to that leave the folder: to a mount that hangs, maybe. */
  readonly links?: FileCalls;
  /** The calls for a path on another mount; null: it is on the local disk. */
  readonly findMount?: (path: string) => FileCalls | null;
}

/** At once, but for what may hang. */
export function openLocalCalls({
  toFolder = () => sep,
  links = remoteCalls,
  findMount = () => null,
}: LocalOptions = {}): FileCalls {
  /** Open files on other mounts. */
  const far = new Map<number, FileCalls>();
  return {
    isLocal: true,
    isFar: (path) => findMount(path) !== null,
    lstat: (path) => (findMount(path) ?? atOnce).lstat(path),
    stat(path) {
      const mount = findMount(path);
      if (mount !== null) return mount.stat(path);
      const found = atOnce.lstat(path);
      if (found?.isSymbolicLink() !== true) return found;
      const target = findTarget(toFolder(), path);
      return target === null ? links.stat(path) : atOnce.lstat(target);
    },
    realpath(path) {
      const mount = findMount(path);
      if (mount !== null) return mount.realpath(path);
      if (atOnce.lstat(path)?.isSymbolicLink() !== true) return fs.realpathSync.native(path);
      return findTarget(toFolder(), path) ?? links.realpath(path);
    },
    list: (path, maximum) => (findMount(path) ?? atOnce).list(path, maximum),
    open(path) {
      const mount = findMount(path);
      if (mount === null) return fs.openSync(path, FLAGS);
      return Promise.resolve(mount.open(path)).then((file) => {
        far.set(file, mount);
        return file;
      });
    },
    fstat: (file) => far.get(file)?.fstat(file) ?? fs.fstatSync(file),
    read: (file, into, at) => far.get(file)?.read(file, into, at) ?? fs.readSync(file, into, 0, into.length, at),
    close(file) {
      const mount = far.get(file);
      far.delete(file);
      if (mount) return mount.close(file);
      return fs.closeSync(file);
    },
  };
}

export const localCalls: FileCalls = openLocalCalls();

/** Linux's numbers of file systems that other machines can change, without a notice here: NFS, SMB, 9P, FUSE, Ceph, Lustre, AFS. */
const REMOTE_TYPES = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x0bd00bd0, 0x5346414f,
]);

/**
 * Whether a folder is on a file system that doesn't report changes made elsewhere, or that doesn't answer. Of one that is
 * away: its parent.
 */
export async function isRemote(folder: string, place = new Place()): Promise<boolean> {
  try {
    const { type } = await place.run(() => fs.promises.statfs(folder));
    return process.platform === 'linux' && REMOTE_TYPES.has(type >>> 0);
  } catch (error) {
    const parent = dirname(folder);
    return isAbsent(error) && parent !== folder ? isRemote(parent, place) : true;
  }
}

const READ_MOUNTS_EVERY_MS = 5_000;

/** Where other file systems begin below a folder. Linux says that without asking them. */
function readMounts(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((path) => path.replaceAll(/\\(\d{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8))))
    .filter((path) => path !== folder && isIn(folder, path));
}

/** Finds the calls for paths on other mounts below a folder. */
function openMountFinder(toFolder: () => string): (path: string) => FileCalls | null {
  const known = new Map<string, FileCalls>();
  let mounts: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return (path) => {
    const now = performance.now();
    if (now - readAt > READ_MOUNTS_EVERY_MS) {
      readAt = now;
      mounts = readMounts(toFolder());
    }
    const mount = mounts.find((each) => isIn(each, path));
    if (mount === undefined) return null;
    const calls = known.get(mount) ?? openRemoteCalls(new Place({ probe: () => fs.promises.stat(mount) }));
    known.set(mount, calls);
    return calls;
  };
}

/** The calls that fit where a folder is now. `place`: the folder's. `toFolder`: its real path. */
export async function chooseCalls(given: string, place: Place, toFolder: () => string): Promise<FileCalls> {
  if (await isRemote(given, place)) return openRemoteCalls(place);
  return openLocalCalls({ toFolder, links: openRemoteCalls(), findMount: openMountFinder(toFolder) });
}
