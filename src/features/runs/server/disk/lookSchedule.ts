// Decides which files and folders are looked at when: what changed lately each second, everything else in turns.
import type { Wanted } from './rootClaims.ts';
import type { FolderNode, FolderTree } from './folderTree.ts';

/** What changed within this time is live. */
const LIVE_MS = 3_600_000;
const LIVE_EVERY_MS = 1000;
/** Looking may take this share of the time; if it takes more, live files are looked at less often. */
const LOCAL_SHARE = 0.01;
/** The same if all folders are watched: looking then finds only the changes that the system failed to report. */
const WATCHED_SHARE = 0.002;
/** Most of the time of a network mount is waiting. */
const REMOTE_SHARE = 0.25;
const LIVE_AT_LEAST_EVERY_MS = 10_000;
/** All the rest once in this time, if that takes no more than COLD_SLICE_MS each second. */
const COLD_EVERY_MS = 30_000;
/** The same if all folders are watched. */
const WATCHED_EVERY_MS = 120_000;
const COLD_SLICE_MS = 4;

/** Takes what was found changed. */
export interface Findings {
  /** A wanted file has another size or time, or is gone. */
  onFile(wanted: Wanted): void;
  /** A folder is not there any more. */
  onGone(folder: FolderNode): void;
  /** Whether the system reports changes in all folders. */
  areAllWatched(): boolean;
}

export class LookSchedule {
  readonly #liveFiles = new Set<Wanted>();
  readonly #liveFolders = new Set<FolderNode>();
  #cold: (Wanted | FolderNode)[] = [];
  #coldPerTurn = 0;
  #isOutdated = true;
  #dueAt = 0;

  constructor(
    readonly tree: FolderTree,
    readonly wanted: () => Iterable<Wanted>,
    readonly findings: Findings,
  ) {}

  /** When to look next, by `performance.now()`, which a change of the clock leaves alone. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** Files or folders came or went. */
  renew(): void {
    this.#isOutdated = true;
  }

  /** Looks at what is live, and at a part of the rest. */
  async look(): Promise<void> {
    const { slicer, root } = this.tree;
    const begin = performance.now() - slicer.paused;
    if (this.#isOutdated) this.#sort();
    for (const wanted of this.#liveFiles) await this.lookAtFile(wanted);
    for (const folder of this.#liveFolders) await this.lookAtFolder(folder);
    const duration = performance.now() - slicer.paused - begin;
    await this.#lookAtCold();
    const share = this.findings.areAllWatched() ? WATCHED_SHARE : root.calls.isLocal ? LOCAL_SHARE : REMOTE_SHARE;
    const rest = duration / share;
    this.#dueAt = performance.now() + Math.min(LIVE_AT_LEAST_EVERY_MS, Math.max(LIVE_EVERY_MS, rest));
  }

  async lookAtAll(): Promise<void> {
    for (const wanted of this.wanted()) await this.lookAtFile(wanted);
  }

  async lookAtFile(wanted: Wanted): Promise<void> {
    await this.tree.slicer.pauseIfDue();
    const { watched } = wanted;
    const hadVersion = watched.version !== null;
    if (!(await watched.look(this.tree.root))) return;
    if (hadVersion || watched.version !== null) watched.seenToChangeAt = this.tree.now();
    this.#liveFiles.add(wanted);
    this.findings.onFile(wanted);
  }

  async lookAtFolder(folder: FolderNode): Promise<void> {
    await this.tree.slicer.pauseIfDue();
    if (folder.isRemoved) this.#liveFolders.delete(folder);
    else if (!(await this.tree.check(folder))) this.findings.onGone(folder);
  }

  async #lookAtCold(): Promise<void> {
    if (this.#cold.length === 0) this.#sort();
    const begin = performance.now();
    for (let count = 0; count < this.#coldPerTurn && performance.now() - begin < COLD_SLICE_MS; count += 1) {
      const next = this.#cold.pop();
      if (!next) break;
      if ('watched' in next) await this.lookAtFile(next);
      else await this.lookAtFolder(next);
    }
  }

  #sort(): void {
    this.#isOutdated = false;
    this.#liveFiles.clear();
    this.#liveFolders.clear();
    const cold: (Wanted | FolderNode)[] = [];
    const now = this.tree.now();
    this.#liveFolders.add(this.tree.top);
    for (const folder of this.tree.top.walk()) {
      if (Math.abs(now - folder.changedAt) <= LIVE_MS) this.#liveFolders.add(folder);
      else cold.push(folder);
    }
    for (const wanted of this.wanted()) {
      if (wanted.watched.changedWithin(LIVE_MS, now)) this.#liveFiles.add(wanted);
      else cold.push(wanted);
    }
    // What was next stays next, or new folders could keep the last ones waiting for ever.
    const isWaiting = new Set(this.#cold);
    this.#cold = [...cold.filter((item) => !isWaiting.has(item)), ...cold.filter((item) => isWaiting.has(item))];
    const every = this.findings.areAllWatched() ? WATCHED_EVERY_MS : COLD_EVERY_MS;
    this.#coldPerTurn = Math.ceil((cold.length * LIVE_EVERY_MS) / every);
  }
}
