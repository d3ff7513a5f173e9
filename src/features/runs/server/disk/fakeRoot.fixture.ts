// For tests: folders of runs in a temporary place, written and changed as trainers do it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileEntry, FolderView } from '#features/runs/server/reader.ts';

/** Text and bytes as they are; everything else becomes JSON. */
export type FakeContent = string | Uint8Array | object;

/** A time of a file: Unix milliseconds. */
type Time = number;

/** POSIX has it everywhere. */
const PIPE_MAKER = 'mkfifo';

export interface FakeRoot {
  /** Absolute path, links resolved. */
  readonly folder: string;
  /** Absolute path of something in it. */
  at(path: string): string;
  /** Writes a file, and the folders above it. */
  write(path: string, content: FakeContent, time?: Time): void;
  append(path: string, content: string | Uint8Array, time?: Time): void;
  /** Cuts a file, or makes it longer by a hole: 5 GB take no room on the disk. */
  resize(path: string, bytes: number, time?: Time): void;
  makeFolder(path: string, time?: Time): void;
  /** Sets the time of a file or folder. */
  touch(path: string, time: Time): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** A symbolic link. `target` as it is written into the link. */
  link(path: string, target: string): void;
  /** A named pipe: whoever opens it in the usual way waits for ever. */
  makePipe(path: string): void;
  /** What a reader gets to see of a folder, `''` for the root. */
  view(path?: string): FolderView;
  /** Names, times and a hash of the bytes of all there is, to compare before and after. */
  state(): readonly string[];
  /** Deletes everything. */
  close(): void;
}

const toBytes = (content: FakeContent): string | Uint8Array =>
  typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2);

function viewOf(root: string, path: string, parent: FolderView | null = null): FolderView {
  const files = new Map<string, FileEntry>();
  const folders = new Map<string, FolderView>();
  const folder = { path, parent, files, folders };
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) folders.set(entry.name, viewOf(root, inner, folder));
    if (!entry.isFile()) continue;
    const { size, mtimeMs } = lstatSync(join(root, inner));
    files.set(entry.name, { name: entry.name, bytes: size, modifiedAt: mtimeMs });
  }
  return folder;
}

function stateOf(folder: string, lines: string[] = []): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { mtimeMs, size } = lstatSync(path);
    // Sparse giants are known by their size.
    const isHashed = entry.isFile() && size <= 64 * 2 ** 20;
    const hash = isHashed ? createHash('sha1').update(readFileSync(path)).digest('hex') : '';
    lines.push(`${path} ${size} ${mtimeMs} ${hash}`);
    if (entry.isDirectory()) stateOf(path, lines);
  }
  return lines;
}

/** A root with these files. `{ 'run/trainer_log.jsonl': '{...}\n', 'run/adapter_config.json': { r: 8 } }` */
export function fakeRoot(files: Readonly<Record<string, FakeContent>> = {}): FakeRoot {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'model-studio-runs-')));
  const at = (path: string) => join(folder, path);
  const touch = (path: string, time?: Time) => {
    if (time !== undefined) utimesSync(at(path), time / 1000, time / 1000);
  };
  const write = (path: string, content: FakeContent, time?: Time) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), toBytes(content));
    touch(path, time);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    folder,
    at,
    write,
    touch,
    append(path, content, time) {
      appendFileSync(at(path), content);
      touch(path, time);
    },
    resize(path, bytes, time) {
      truncateSync(at(path), bytes);
      touch(path, time);
    },
    makeFolder(path, time) {
      mkdirSync(at(path), { recursive: true });
      touch(path, time);
    },
    rename: (from, to) => renameSync(at(from), at(to)),
    remove: (path) => rmSync(at(path), { recursive: true, force: true }),
    link(path, target) {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(target, at(path));
    },
    makePipe: (path) => execFileSync(PIPE_MAKER, [at(path)]),
    view: (path = '') => viewOf(folder, path),
    state: () => stateOf(folder),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
