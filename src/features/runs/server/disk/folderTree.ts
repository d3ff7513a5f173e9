// The folders and files of a root as they were last listed. Lists one folder at a time, and says what changed in it.
import type { Dirent, Stats } from 'node:fs';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileEntry, FolderView } from '#features/runs/server/reader.ts';
import type { TimeSlicer } from './timeSlicer.ts';
import { isInside, isSilent, showPath, toSentence, type PathReason, type SafeRoot } from './safeFile.ts';

// Folders that hold no runs, and many files.

const WASTE: Readonly<Record<string, string>> = {
  node_modules: 'packages of Node',
  'site-packages': 'packages of Python',
  '.venv': 'packages of Python',
  __pycache__: 'compiled Python',
  '.git': 'the history of a repository',
  '.ipynb_checkpoints': 'copies of notebooks',
  '.pytest_cache': 'a cache of tests',
  '.ruff_cache': 'a cache of a linter',
  '.mypy_cache': 'a cache of a type checker',
  '.tox': 'environments of tests',
  '.trash': 'deleted runs',
  last_run_prepared: "Axolotl's tokenized rows",
  'lost+found': 'what a disk check found',
};

/** Why a folder is not looked into, in words; null: it is. */
export function findSkipReason(path: string): string | null {
  const [name = '', parent = '', above = '', top = ''] = path.split('/').reverse();
  const waste = Object.hasOwn(WASTE, name) ? WASTE[name] : undefined;
  if (waste) return `It holds ${waste}.`;
  if (name === 'blobs' && /^(models|datasets|spaces)--/.test(parent))
    return 'It holds files of the Hugging Face cache.';
  if (name === 'media' && parent === 'files' && top === 'wandb' && /run-/.test(above))
    return 'It holds media of Weights & Biases.';
  return null;
}

/** Whether it is a link that a tool makes for itself: W&B's to the log of its own service, in a temporary folder. */
export const isOwnLink = (path: string): boolean => /(?:^|\/)(?:offline-)?run-[^/]+\/logs\/debug-core\.log$/.test(path);

export interface TreeBounds {
  /** Files and folders of a root. */
  readonly entries: number;
  /** Folders in folders; the root has depth 0. */
  readonly depth: number;
}

export const TREE_BOUNDS: TreeBounds = { entries: 200_000, depth: 12 };

/** After a change this recent, another one could have the same time. */
const SAME_TIME_MS = 2000;
/** How many entries a folder may gain in a tree that is full. */
const GROWTH = 1000;
/** Entries that a network mount is asked about at the same time. */
const TOGETHER = 32;
/** A folder of many files is listed again only after this many times the time that it took. */
const LISTING_REST = 20;
const COSTLY_MS = 20;
const MAX_REST_MS = 10_000;

export class FolderNode implements FolderView {
  readonly files = new Map<string, FileEntry>();
  readonly folders = new Map<string, FolderNode>();
  /** What it was when it was listed; null: not yet. */
  listed: { readonly device: number; readonly inode: number; readonly modifiedAt: number; readonly at: number } | null =
    null;
  /** When the folder changed: by its own time until it was listed twice, then by our clock. */
  changedAt: number;
  /** By `performance.now()`. */
  restUntil = 0;
  skipped: readonly PathReason[] = [];
  problem: string | null = null;
  isQueued = false;
  isRemoved = false;
  /** The root has 0. */
  readonly depth: number;
  readonly name: string;

  constructor(
    readonly path: string,
    readonly parent: FolderNode | null,
    modifiedAt: number,
  ) {
    this.changedAt = modifiedAt;
    this.depth = parent ? parent.depth + 1 : 0;
    this.name = baseName(path);
  }

  /** Itself and all folders below it. */
  walk(): FolderNode[] {
    const found: FolderNode[] = [this];
    // The list grows while it is walked.
    for (const node of found) for (const folder of node.folders.values()) found.push(folder);
    return found;
  }
}

export interface ListedFolder {
  readonly folder: FolderNode;
  /** Names came or went. */
  readonly isChanged: boolean;
  readonly removed: readonly FolderNode[];
}

const toEntry = (name: string, stats: Stats): FileEntry => ({ name, bytes: stats.size, modifiedAt: stats.mtimeMs });

export class FolderTree {
  readonly top = new FolderNode('', null, 0);
  /** Folders to list, by depth: in turn a shallow one and a deep one, in each depth the newest first. */
  readonly #queue: FolderNode[][] = [];
  #isDeepNext = false;
  readonly #unsorted = new Set<FolderNode[]>();
  #queued = 0;
  #entries = 0;

  constructor(
    readonly root: SafeRoot,
    readonly now: () => number,
    readonly slicer: TimeSlicer,
    readonly bounds: TreeBounds = TREE_BOUNDS,
  ) {}

  get isListed(): boolean {
    return this.#queued === 0;
  }

  get entries(): number {
    return this.#entries;
  }

  find(path: string): FolderNode | null {
    let node: FolderNode | undefined = this.top;
    for (const name of path === '' ? [] : path.split('/')) node = node?.folders.get(name);
    return node ?? null;
  }

  /** Has a folder listed, again if it was listed already. */
  queue(folder: FolderNode): void {
    if (folder.isQueued || folder.isRemoved) return;
    folder.isQueued = true;
    this.#queued += 1;
    const level = (this.#queue[folder.depth] ??= []);
    level.push(folder);
    this.#unsorted.add(level);
  }

  /** Lists the next folder; null: there is none. `isThere` says whether the root itself is still there. */
  async listNext(isThere: () => Promise<boolean>): Promise<ListedFolder | null> {
    const isWaiting = (folders: readonly FolderNode[] | undefined): boolean => (folders?.length ?? 0) > 0;
    // Deep ones too: the newest run lies some levels down, and a person who waits wants to see it first.
    const level = this.#isDeepNext ? this.#queue.findLast(isWaiting) : this.#queue.find(isWaiting);
    this.#isDeepNext = !this.#isDeepNext;
    if (!level) return null;
    // The newest last, where it is taken from.
    if (this.#unsorted.delete(level)) level.sort((a, b) => a.changedAt - b.changedAt);
    const folder = level.pop();
    if (!folder) return null;
    folder.isQueued = false;
    this.#queued -= 1;
    if (folder.isRemoved) return { folder, isChanged: false, removed: [] };
    const begin = performance.now() - this.slicer.paused;
    try {
      return await this.#list(folder, isThere);
    } catch (error) {
      // What was known of it stays.
      if (isSilent(this.root, error)) this.queue(folder);
      else folder.problem = toSentence(folder.path, error);
      return { folder, isChanged: false, removed: [] };
    } finally {
      const duration = performance.now() - this.slicer.paused - begin;
      folder.restUntil =
        performance.now() + (duration > COSTLY_MS ? Math.min(MAX_REST_MS, duration * LISTING_REST) : 0);
    }
  }

  /** Has a folder listed if it changed since. false: it is gone. */
  async check(folder: FolderNode): Promise<boolean> {
    if (folder.isQueued || folder.isRemoved || performance.now() < folder.restUntil) return true;
    try {
      const stats = await this.root.calls.lstat(this.#absolute(folder.path));
      if (!stats?.isDirectory()) return false;
      if (!isSame(folder, stats) || folder.problem !== null) this.queue(folder);
    } catch (error) {
      if (!isSilent(this.root, error)) folder.problem = toSentence(folder.path, error);
    }
    return true;
  }

  #absolute(path: string): string {
    return path === '' ? this.root.folder : `${this.root.folder}/${path}`;
  }

  async #list(folder: FolderNode, isThere: () => Promise<boolean>): Promise<ListedFolder> {
    const { calls } = this.root;
    const own = await calls.lstat(this.#absolute(folder.path));
    const nothing = { folder, isChanged: false, removed: [] };
    // Its parent is listed when its own time changes, and drops it.
    if (!own?.isDirectory()) return nothing;
    const known = folder.files.size + folder.folders.size;
    // In a full tree, a folder that was listed may still grow: a new run at the top is seen, if not its files.
    const room = Math.max(folder.listed ? known + GROWTH : 0, this.bounds.entries - this.#entries + known);
    const { entries, isCut } = await calls.list(this.#absolute(folder.path), room);
    const skipped: PathReason[] = [];
    const files = new Map<string, FileEntry>();
    const folders = new Map<string, FolderNode>();
    const added: FolderNode[] = [];
    for (let at = 0; at < entries.length; at += TOGETHER) {
      await this.slicer.pauseIfDue();
      const some = entries.slice(at, at + TOGETHER);
      for (const found of await Promise.all(some.map((entry) => this.#look(folder, entry)))) {
        if (found === null) continue;
        if ('reason' in found) skipped.push(found);
        else if ('bytes' in found) files.set(found.name, found);
        else {
          folders.set(found.name, found);
          if (!folder.folders.has(found.name)) added.push(found);
        }
      }
    }
    if (isCut) {
      const reason = `The studio looks at ${this.bounds.entries.toLocaleString('en')} files and folders at most: what else is here is left out. Choose a folder below it.`;
      skipped.push({ path: folder.path, reason });
    }
    const removed = [...folder.folders].flatMap(([name, old]) => (folders.get(name) === old ? [] : [old]));
    const isShrunk = removed.length > 0 || [...folder.files.keys()].some((name) => !files.has(name));
    // An unmounted disk leaves an empty folder behind.
    if (isShrunk && !(await isThere())) return nothing;
    return this.#take(folder, { own, files, folders, added, removed, skipped });
  }

  #take(
    folder: FolderNode,
    found: {
      readonly own: Stats;
      readonly files: Map<string, FileEntry>;
      readonly folders: Map<string, FolderNode>;
      readonly added: readonly FolderNode[];
      readonly removed: readonly FolderNode[];
      readonly skipped: readonly PathReason[];
    },
  ): ListedFolder {
    const { own, files, folders, added, removed } = found;
    const isFirst = folder.listed === null;
    const isChanged =
      isFirst ||
      added.length + removed.length > 0 ||
      files.size !== folder.files.size ||
      [...files.keys()].some((name) => !folder.files.has(name));
    this.#entries += files.size + folders.size - folder.files.size - folder.folders.size;
    replaceAll(folder.files, files);
    replaceAll(folder.folders, folders);
    for (const node of removed.flatMap((top) => top.walk())) {
      node.isRemoved = true;
      this.#entries -= node.files.size + node.folders.size;
    }
    const now = this.now();
    if (isChanged) folder.changedAt = isFirst ? own.mtimeMs : now;
    folder.listed = { device: own.dev, inode: own.ino, modifiedAt: own.mtimeMs, at: now };
    folder.skipped = found.skipped;
    folder.problem = null;
    for (const node of added) this.queue(node);
    return { folder, isChanged, removed };
  }

  /** What an entry is; null: nothing that could be a file of a run, or it vanished. */
  async #look(folder: FolderNode, entry: Dirent): Promise<FileEntry | FolderNode | PathReason | null> {
    const path = pathIn(folder.path, entry.name);
    const absolute = this.#absolute(path);
    if (entry.isFile() || entry.isSymbolicLink()) return this.#lookAtFile(path, entry);
    // A file system that does not say what an entry is.
    const isUnknown = !entry.isDirectory() && !entry.isFIFO() && !entry.isSocket() && !isDevice(entry);
    if (!entry.isDirectory() && !isUnknown) return null;
    const stats = await this.root.calls.lstat(absolute);
    if (stats?.isFile()) return toEntry(entry.name, stats);
    if (!stats?.isDirectory()) return null;
    const reason = findSkipReason(path);
    if (reason) return { path, reason };
    if (folder.depth >= this.bounds.depth)
      return { path, reason: `Only ${this.bounds.depth} levels of folders are looked at. Choose a folder below it.` };
    const known = folder.folders.get(entry.name);
    if (known && !isSame(known, stats)) this.queue(known);
    return known ?? new FolderNode(path, folder, stats.mtimeMs);
  }

  async #lookAtFile(path: string, entry: Dirent): Promise<FileEntry | PathReason | null> {
    const { calls, folder } = this.root;
    if (entry.isSymbolicLink() && isOwnLink(path)) return null;
    if (entry.isFile()) {
      const stats = await calls.lstat(this.#absolute(path));
      return stats?.isFile() ? toEntry(entry.name, stats) : null;
    }
    try {
      const stats = await calls.stat(this.#absolute(path));
      if (!stats || !(stats.isFile() || stats.isDirectory())) return null;
      const isOutside = !isInside(folder, await calls.realpath(this.#absolute(path)));
      if (isOutside) return { path, reason: 'It is a link that leads out of the folder. Choose its target as well.' };
      // A folder inside is listed at its own place, which also ends all loops.
      return stats.isFile() ? toEntry(entry.name, stats) : null;
    } catch {
      return { path, reason: `${showPath(path)} is a link whose target can't be read.` };
    }
  }
}

const isSame = ({ listed }: FolderNode, stats: Stats): boolean =>
  listed !== null &&
  listed.modifiedAt === stats.mtimeMs &&
  listed.inode === stats.ino &&
  listed.device === stats.dev &&
  Math.abs(listed.at - listed.modifiedAt) > SAME_TIME_MS;

const isDevice = (entry: Dirent): boolean => entry.isBlockDevice() || entry.isCharacterDevice();

function replaceAll<Value>(map: Map<string, Value>, by: ReadonlyMap<string, Value>): void {
  map.clear();
  for (const [name, value] of by) map.set(name, value);
}
