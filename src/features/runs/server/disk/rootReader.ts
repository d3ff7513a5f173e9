// Reads one root and goes on watching it: lists folders, has the formats recognise claims, and reads what changed,
// all in short slices, so that its process can answer questions meanwhile.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Place, Silence } from '#service/files/mountCalls.ts';
import { codeOf } from '#features/runs/server/errorText.ts';
import { baseName, folderOf, pathIn } from '#features/runs/server/paths.ts';
import { Unreadable, type FormatReader } from '#features/runs/server/reader.ts';
import { Sleeper, TimeSlicer } from './timeSlicer.ts';
import { RootClaims, type Wanted } from './rootClaims.ts';
import { describeRoot, toSilentReason, type RootReport, type RootState } from './describeRoot.ts';
import { chooseCalls, openRemoteCalls, type FileCalls } from './fileCalls.ts';
import { FolderTree, TREE_BOUNDS, type FolderNode, type TreeBounds } from './folderTree.ts';
import { FolderWatches } from './folderWatches.ts';
import { LookSchedule } from './lookSchedule.ts';
import type { ClaimState, OpenClaim } from './openClaim.ts';
import { Gone, readWhole, showPath, toRoom, toSentence, withFile } from './safeFile.ts';

export interface RootReaderOptions {
  readonly formats: readonly FormatReader[];
  /** Called once for each slice of work in which claims changed. */
  readonly onChange?: () => void;
  readonly now?: () => number;
  readonly bounds?: TreeBounds;
  /** Whether the system is asked to report changes. Network mounts are never watched. */
  readonly isWatched?: boolean;
  readonly calls?: FileCalls;
  /** What `calls` ask about. */
  readonly place?: Place;
}

/** How long one kind of work goes on before the next kind has its turn. */
const SLICE_MS = 40;
const POINTS_SHARE = 0.25;
/** While the first listing goes on, what it found is recognised this often. */
const RECOGNISE_EVERY_MS = 400;
/** Each write to a busy file is a hint: they are looked at together, those of one burst after a pause soon. */
const HINTS_EVERY_MS = 200;
const BURST_MS = 20;
const AWAY_EVERY_MS = 2000;
const NO_ROOM = new Uint8Array();

/** A root that is read and watched. */
export type RootReader = Pick<
  DiskRootReader,
  'folder' | 'calls' | 'silentSince' | 'claims' | 'state' | 'report' | 'look' | 'read' | 'close'
>;

class DiskRootReader {
  readonly #root: { folder: string; calls: FileCalls };
  readonly #place: Place;
  readonly #now: () => number;
  readonly #slicer = new TimeSlicer();
  readonly #tree: FolderTree;
  readonly #claims: RootClaims;
  readonly #schedule: LookSchedule;
  readonly #watches: FolderWatches;
  readonly #unrecognised = new Set<FolderNode>();
  readonly #toRead = new Set<OpenClaim>();
  readonly #hints = new Map<FolderNode, Set<string>>();
  #isChanged = false;
  #lookers: { readonly done: () => void; isBegun: boolean }[] = [];
  #identity: { readonly device: number; readonly inode: number } | null = null;
  #awayReason: string | null = null;
  #isScanned = false;
  #isWatched = false;
  #recognisedAt = -Infinity;
  #hintsDueAt = -Infinity;
  #states: readonly ClaimState[] | null = null;
  #report: RootReport | null = null;
  readonly #sleeper = new Sleeper();
  #room: Uint8Array = NO_ROOM;
  #isClosed = false;
  readonly #ended: Promise<void>;

  constructor(
    /** As it was given; it may be a link. */
    readonly given: string,
    readonly options: RootReaderOptions,
  ) {
    this.#now = options.now ?? Date.now;
    this.#place = options.place ?? new Place({ probe: () => stat(given), now: this.#now });
    this.#root = { folder: given, calls: options.calls ?? openRemoteCalls(this.#place) };
    this.#tree = new FolderTree(this.#root, this.#now, this.#slicer, options.bounds ?? TREE_BOUNDS);
    this.#claims = new RootClaims(options.formats, {
      root: this.#root,
      now: this.#now,
      slicer: this.#slicer,
      isThere: () => this.#isThere(),
      toRoom: (length) => this.#toRoom(length),
    });
    this.#schedule = new LookSchedule(this.#tree, () => this.#claims.wanted.values(), {
      onFile: (wanted) => this.#mark(wanted),
      onGone: (node) => this.#tree.queue(node.parent ?? node),
      areAllWatched: () => this.#isWatched && this.#watches.problem === null,
    });
    this.#watches = new FolderWatches(this.#root, (node, name) => this.#hint(node, name));
    this.#tree.queue(this.#tree.top);
    this.#ended = this.#run();
  }

  /** Absolute path, links resolved. */
  get folder(): string {
    return this.#root.folder;
  }

  /** In the order of their ids. Cheap: what did not change is not made again. */
  claims(): readonly ClaimState[] {
    this.#states ??= [...this.#claims.all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, open]) => open.state());
    return this.#states;
  }

  get calls(): FileCalls {
    return this.#root.calls;
  }

  /** Unix milliseconds; null: it answers. */
  get silentSince(): number | null {
    return this.#place.silentSince;
  }

  get #isAway(): boolean {
    return this.#awayReason !== null || this.silentSince !== null;
  }

  /** That of the report, which takes longer to make. */
  state(): RootState {
    return this.#findState()[0];
  }

  report(): RootReport {
    const [state, stateReason] = this.#findState();
    this.#report ??= describeRoot(this.#tree, this.#claims, { state, stateReason });
    // The state changes with time, the rest only with what was listed and read.
    if (this.#report.stateReason !== stateReason) this.#report = { ...this.#report, state, stateReason };
    return this.#report;
  }

  /** Looks at everything again, and resolves when all that is there now has been read. */
  look(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((done) => {
      this.#lookers.push({ done, isBegun: false });
      this.#sleeper.wake();
    });
  }

  /**
   * The bytes of a file now, for what is read only when a person asks, such as completions. Throws Unreadable: gone,
   * not allowed, outside the root, or longer than `maximum` (MAX_WHOLE_BYTES by default).
   */
  async read(path: string, maximum?: number): Promise<Uint8Array> {
    try {
      return await withFile(this.#root, path, (open) => readWhole(open, path, maximum));
    } catch (error) {
      if (error instanceof Gone) throw new Unreadable(`${showPath(path)} is not there any more.`);
      throw error instanceof Silence ? new Unreadable(toSentence(path, error)) : error;
    }
  }

  /** Resolves when nothing of the root is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watches.close();
    this.#sleeper.wake();
    await this.#ended;
  }

  #findState(): readonly [RootState, string] {
    if (this.silentSince !== null) return ['missing', toSilentReason(this.silentSince, this.#identity !== null)];
    if (this.#awayReason !== null) return ['missing', this.#awayReason];
    if (!this.#isScanned) return ['scanning', 'Folders are being listed. What was found so far is shown.'];
    if (!this.#root.calls.isLocal)
      return ['polling', 'It is on a network mount, which tells of no changes: files are looked at in turns.'];
    if (!this.#isWatched) return ['polling', 'Files are looked at in turns.'];
    if (this.#watches.problem !== null) return ['polling', this.#watches.problem];
    return ['watching', 'The system tells of changes.'];
  }

  async #run(): Promise<void> {
    if (!this.options.calls) this.#root.calls = await chooseCalls(this.given, this.#place, () => this.#root.folder);
    this.#isWatched = this.#root.calls.isLocal && this.options.isWatched !== false;
    while (!this.#isClosed) {
      const isIdle = await this.#turn();
      await this.#slicer.pauseIfDue();
      if (isIdle && !this.#isClosed) await this.#rest();
    }
    for (const { done } of this.#lookers.splice(0)) done();
  }

  /** Does a slice of each kind of work that is due. true: nothing more is due now. */
  async #turn(): Promise<boolean> {
    if (this.#isAway || this.#identity === null) {
      if (!(await this.#isThere())) {
        this.#emit();
        for (const { done } of this.#lookers.splice(0)) done();
        return true;
      }
    }
    await this.#beginLooks();
    if (performance.now() >= this.#schedule.dueAt && (await this.#isThere())) await this.#schedule.look();
    await this.#followHints();
    await this.#list();
    if (this.#tree.isListed || performance.now() - this.#recognisedAt > RECOGNISE_EVERY_MS) await this.#recognise();
    await this.#readSlice();
    this.#emit();
    const isIdle = this.#isAway || (this.#tree.isListed && this.#unrecognised.size === 0 && !this.#isReadable());
    if (isIdle) {
      this.#isScanned ||= !this.#isAway;
      const done = this.#lookers.filter(({ isBegun }) => isBegun || this.#isAway);
      this.#lookers = this.#lookers.filter((looker) => !done.includes(looker));
      for (const looker of done) looker.done();
    }
    return isIdle && this.#lookers.length === 0;
  }

  async #beginLooks(): Promise<void> {
    if (!this.#lookers.some(({ isBegun }) => !isBegun)) return;
    for (const looker of this.#lookers) looker.isBegun = true;
    if (!this.#isScanned) return;
    for (const node of this.#tree.top.walk()) this.#tree.queue(node);
    for (const open of this.#claims.all.values()) {
      open.hurry();
      this.#toRead.add(open);
    }
    await this.#schedule.lookAtAll();
  }

  /** Whether the root is there. An empty folder where a disk was mounted is not the root. */
  async #isThere(): Promise<boolean> {
    const { calls } = this.#root;
    const { given } = this;
    try {
      const stats = await calls.stat(given);
      if (!stats?.isDirectory()) return this.#leave('The folder is not there. It is shown again when it comes back.');
      const { dev: device, ino: inode } = stats;
      const isSame = this.#identity?.device === device && this.#identity.inode === inode;
      if (!isSame && this.#tree.entries > 0 && (await calls.list(given, 1)).entries.length === 0)
        return this.#leave('Its disk is not mounted. It is shown again when it comes back.');
      if (!isSame) this.#root.folder = await calls.realpath(given);
      if (!isSame || this.#awayReason !== null) this.#arrive(device, inode);
      return true;
    } catch (error) {
      return this.#leave(`The folder can't be opened (${codeOf(error)}). Check the disk or the mount.`);
    }
  }

  #leave(reason: string): false {
    const isNew = this.#awayReason === null;
    this.#awayReason = reason;
    if (isNew && this.#identity !== null) this.#awayReason = `${reason} What was read before is shown.`;
    return false;
  }

  #arrive(device: number, inode: number): void {
    const isBack = this.#identity !== null;
    this.#identity = { device, inode };
    this.#awayReason = null;
    if (!isBack) return;
    for (const node of this.#tree.top.walk()) {
      this.#watches.remove(node);
      this.#tree.queue(node);
    }
    this.#lookers.push({ done: () => {}, isBegun: false });
  }

  #mark({ watched, claims }: Wanted): void {
    this.#states = null;
    const folder = this.#tree.find(folderOf(watched.path));
    const name = baseName(watched.path);
    if (folder?.files.has(name) && watched.version !== null)
      folder.files.set(name, { name, bytes: watched.bytes, modifiedAt: watched.modifiedAt });
    for (const open of claims) {
      open.mark(watched.path);
      this.#toRead.add(open);
    }
  }

  #hint(node: FolderNode, name: string | null): void {
    const isFirst = this.#hints.size === 0;
    const names = this.#hints.get(node) ?? new Set();
    this.#hints.set(node, names);
    if (name !== null) names.add(name);
    // In the pause after the first, the others only join it.
    if (isFirst) this.#sleeper.wake();
  }

  async #followHints(): Promise<void> {
    const hints = [...this.#hints];
    this.#hints.clear();
    for (const [node, names] of hints) {
      await this.#schedule.lookAtFolder(node);
      for (const name of names) {
        const path = pathIn(node.path, name);
        const wanted = this.#claims.wanted.get(path) ?? this.#claims.wanted.get(path.replace(/-(wal|journal)$/, ''));
        if (wanted) await this.#schedule.lookAtFile(wanted);
      }
    }
  }

  async #list(): Promise<void> {
    const begin = performance.now();
    while (!this.#isClosed && performance.now() - begin < SLICE_MS) {
      const listed = await this.#tree.listNext(() => this.#isThere());
      if (!listed || this.#isAway) return;
      this.#report = null;
      if (this.#isWatched && !listed.folder.isRemoved) this.#watches.add(listed.folder);
      for (const node of listed.removed.flatMap((top) => top.walk())) {
        this.#watches.remove(node);
        this.#hints.delete(node);
        this.#unrecognised.delete(node);
        this.#close(this.#claims.removeFolder(node));
      }
      if (!listed.isChanged) continue;
      this.#schedule.renew();
      for (let node: FolderNode | null = listed.folder; node; node = node.parent) this.#unrecognised.add(node);
    }
  }

  async #recognise(): Promise<void> {
    if (this.#unrecognised.size === 0) return;
    // The outer folders first: the first folder that claims a run keeps it.
    const folders = [...this.#unrecognised].sort((a, b) => a.depth - b.depth);
    this.#unrecognised.clear();
    for (const folder of folders) {
      await this.#slicer.pauseIfDue();
      if (folder.isRemoved || folder.listed === null) continue;
      const { toRead, gone, isChanged } = await this.#claims.recognise(folder);
      for (const open of toRead) this.#toRead.add(open);
      this.#isChanged ||= isChanged;
      this.#close(gone);
    }
    this.#report = null;
    this.#schedule.renew();
    this.#recognisedAt = performance.now();
  }

  #close(gone: readonly OpenClaim[]): void {
    if (gone.length === 0) return;
    this.#report = null;
    this.#isChanged = true;
    for (const open of gone) this.#toRead.delete(open);
  }

  #isReadable(): boolean {
    const now = performance.now();
    return [...this.#toRead].some(({ dueAt }) => dueAt !== null && dueAt <= now);
  }

  /** The beginning of each claim, which names a run, before the points of any; the newest first: they train now. */
  async #readSlice(): Promise<void> {
    if (this.#toRead.size === 0) return;
    const begin = performance.now();
    const due = [...this.#toRead].filter(({ dueAt }) => dueAt !== null && dueAt <= begin);
    const order = due
      .map((open) => ({ open, isBegun: Number(open.isBegun), newest: open.newest }))
      .sort((a, b) => a.isBegun - b.isBegun || b.newest - a.newest);
    // While folders are still being listed, finding all runs comes before their points.
    const share = this.#tree.isListed ? 1 : POINTS_SHARE;
    for (const { open, isBegun } of order) {
      const slice = isBegun ? SLICE_MS * share : SLICE_MS;
      if (this.#isClosed || this.#isAway || performance.now() - begin > slice) break;
      if (await open.readSome()) this.#isChanged = true;
      // A long log goes to the end of the queue until all others had their turn.
      this.#toRead.delete(open);
      if (open.dueAt !== null && !open.isClosed) this.#toRead.add(open);
    }
  }

  #emit(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#states = null;
    this.options.onChange?.();
  }

  /** Until something is due, or a hint or a question comes. */
  async #rest(): Promise<void> {
    let until = this.#isAway ? performance.now() + AWAY_EVERY_MS : this.#schedule.dueAt;
    if (!this.#isAway) for (const { dueAt } of this.#toRead) until = Math.min(until, dueAt ?? Infinity);
    this.#room = NO_ROOM;
    if (this.#hints.size === 0 && this.#lookers.length === 0)
      await this.#sleeper.sleep(Math.max(1, until - performance.now()));
    if (this.#hints.size === 0 || this.#isClosed) return;
    await this.#sleeper.sleep(Math.max(BURST_MS, this.#hintsDueAt - performance.now()));
    this.#hintsDueAt = performance.now() + HINTS_EVERY_MS;
  }

  /** One buffer for all chunks of a scan: claims are read one after another. New ones would keep the collector busy. */
  #toRoom(length: number): Uint8Array {
    if (this.#room.length < length) this.#room = toRoom(length);
    return this.#room.subarray(0, length);
  }
}

/** Begins to read a root. The folder may be away, or not answer; it is read when it does. */
export const openRootReader = (folder: string, options: RootReaderOptions): RootReader =>
  new DiskRootReader(resolve(folder), options);
