// What an opened root offers to the room that joins runs: claims with their evidence, a report for people, and bytes.
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import type { FileCalls } from './fileCalls.ts';

/**
 * `scanning`: the first listing goes on, and what was found so far can be used. `watching`: the file system reports
 * changes. `polling`: files are looked at in turns (network mounts, or too many folders to watch). `missing`: the
 * folder is away, such as an unmounted disk, or its mount hangs; the last values stay.
 */
export type RootState = 'scanning' | 'watching' | 'polling' | 'missing';

/** One claim of a format, and what its reading says. */
export interface ClaimState {
  /** Unique in the root, and stable as long as the claim's key is. */
  readonly id: string;
  readonly format: string;
  /** The format's name for people. */
  readonly label: string;
  /** The claim's key. */
  readonly key: string;
  /** The folder in which the claim was recognised, path below the root. */
  readonly folder: string;
  /** The same array as long as nothing changed. */
  readonly evidence: readonly RunEvidence[];
  /** Whether everything that is on disk has been read. */
  readonly isRead: boolean;
  /** false: the first reading goes on. */
  readonly wasRead: boolean;
  /** What could not be read, a sentence each. */
  readonly problems: readonly string[];
}

export interface ClaimChange {
  readonly id: string;
  /** true: its files are gone, or it is recognised no longer. */
  readonly isGone: boolean;
}

export interface PathReason {
  /** Path below the root; `''` is the root. */
  readonly path: string;
  /** One sentence for people. */
  readonly reason: string;
}

/** A direct subfolder of the root. */
export interface TopFolder {
  readonly path: string;
  readonly files: number;
  /** Claims in it or below it. */
  readonly claims: number;
  /** Why it shows no run, one sentence; null: it has a sign of training. */
  readonly reason: string | null;
}

interface FormatCount {
  readonly format: string;
  readonly label: string;
  readonly claims: number;
}

export interface RootReport {
  /** Absolute path, links resolved. */
  readonly root: string;
  readonly state: RootState;
  /** One sentence about the state: why it polls, or since when the folder is away. */
  readonly stateReason: string;
  readonly folders: number;
  readonly files: number;
  readonly formats: readonly FormatCount[];
  readonly topFolders: readonly TopFolder[];
  /** What is left out on purpose: waste, links that leave the root, folders beyond a bound. */
  readonly skipped: readonly PathReason[];
  /** What could not be listed or recognised. What could not be read is in the claims. */
  readonly problems: readonly PathReason[];
}

/** A root that is read and watched. `openRootReader` in `rootReader.ts` makes one. */
export interface RootReader {
  /** Absolute path, links resolved. */
  readonly folder: string;
  readonly calls: FileCalls;
  /** Unix milliseconds; null: it answers. */
  readonly silentSince: number | null;
  /** All claims by id. Cheap: what did not change is not made again. */
  claims(): readonly ClaimState[];
  claim(id: string): ClaimState | null;
  /** That of the report, which takes longer to make. */
  state(): RootState;
  report(): RootReport;
  /** Looks at everything again, and resolves when all that is there now has been read. */
  look(): Promise<void>;
  /**
   * The bytes of a file now, for what is read only when a person asks, such as completions. Throws Unreadable: gone,
   * not allowed, outside the root, or longer than `maximum` (MAX_WHOLE_BYTES by default).
   */
  read(path: string, maximum?: number): Promise<Uint8Array>;
  /** Resolves when nothing of the root is read any more. */
  close(): Promise<void>;
}
