// All claims of a root: asks the formats what they recognise in a folder, and knows which claims want a file.
import { messageOf } from '#features/runs/server/errorText.ts';
import type { Claim, FormatReader } from '#features/runs/server/reader.ts';
import type { FolderNode } from './folderTree.ts';
import { OpenClaim, type ClaimContext } from './openClaim.ts';
import { showPath, type PathReason } from './safeFile.ts';
import { WatchedFile } from './watchedFile.ts';

interface Recognised {
  /** Claims with something to read. */
  readonly toRead: readonly OpenClaim[];
  readonly gone: readonly OpenClaim[];
  /** Claims came, or have other files. */
  readonly isChanged: boolean;
}

/** A file, and the claims that want it. */
export interface Wanted {
  readonly watched: WatchedFile;
  readonly claims: Set<OpenClaim>;
}

export class RootClaims {
  readonly #claims = new Map<string, OpenClaim>();
  readonly #byFolder = new Map<FolderNode, Set<OpenClaim>>();
  readonly #wanted = new Map<string, Wanted>();
  /** Faults of formats, by folder and format. */
  readonly #faults = new Map<string, PathReason>();

  constructor(
    readonly formats: readonly FormatReader[],
    readonly context: ClaimContext,
  ) {}

  get all(): ReadonlyMap<string, OpenClaim> {
    return this.#claims;
  }

  get wanted(): ReadonlyMap<string, Wanted> {
    return this.#wanted;
  }

  get faults(): readonly PathReason[] {
    return [...this.#faults.values()];
  }

  /** Asks all formats what they see in a folder now. */
  async recognise(folder: FolderNode): Promise<Recognised> {
    const toRead: OpenClaim[] = [];
    let isChanged = false;
    const kept = new Set<OpenClaim>();
    for (const reader of this.formats) {
      for (const claim of this.#ask(reader, folder)) {
        const id = `${reader.format}:${claim.key}`;
        const known = this.#claims.get(id);
        // The folder that saw it first keeps it.
        if (known && known.folder !== folder) continue;
        const open = known ?? this.#open(id, reader, claim, folder);
        kept.add(open);
        if ((await this.#takeFiles(open, claim)) || !known) isChanged = true;
        if (open.dueAt !== null) toRead.push(open);
      }
    }
    const gone = [...(this.#byFolder.get(folder) ?? [])].filter((open) => !kept.has(open));
    for (const open of gone) this.#close(open);
    return { toRead, gone, isChanged };
  }

  /** The claims of a folder that is there no longer. */
  removeFolder(folder: FolderNode): readonly OpenClaim[] {
    const gone = [...(this.#byFolder.get(folder) ?? [])];
    for (const open of gone) this.#close(open);
    for (const { format } of this.formats) this.#faults.delete(`${format}:${folder.path}`);
    return gone;
  }

  #ask(reader: FormatReader, folder: FolderNode): readonly Claim[] {
    const place = `${reader.format}:${folder.path}`;
    try {
      const claims = reader.recognise(folder);
      this.#faults.delete(place);
      return claims;
    } catch (error) {
      const reason = `The reader of ${reader.label} failed at ${showPath(folder.path)}: ${messageOf(error)}. Other formats are read; report this, please.`;
      this.#faults.set(place, { path: folder.path, reason });
      // What it recognised before stays.
      return [...(this.#byFolder.get(folder) ?? [])].flatMap((open) => (open.reader === reader ? [open.claim] : []));
    }
  }

  #open(id: string, reader: FormatReader, claim: Claim, folder: FolderNode): OpenClaim {
    const open = new OpenClaim(id, reader, claim, folder, this.context);
    this.#claims.set(id, open);
    const inFolder = this.#byFolder.get(folder) ?? new Set();
    this.#byFolder.set(folder, inFolder.add(open));
    return open;
  }

  /** true: its files changed. */
  async #takeFiles(open: OpenClaim, claim: Claim): Promise<boolean> {
    const paths = new Set(claim.files.map(({ path }) => path));
    let isOther = false;
    for (const path of open.files.keys()) {
      if (paths.has(path)) continue;
      open.drop(path);
      this.#unwant(path, open);
      isOther = true;
    }
    for (const file of claim.files) {
      if (open.files.has(file.path)) continue;
      const wanted = await this.#want(file.path, file.read.mode === 'database');
      wanted.claims.add(open);
      open.add(wanted.watched, file.read);
      isOther = true;
    }
    return isOther;
  }

  async #want(path: string, isDatabase: boolean): Promise<Wanted> {
    const known = this.#wanted.get(path);
    if (known) {
      known.watched.isDatabase ||= isDatabase;
      return known;
    }
    await this.context.slicer.pauseIfDue();
    const wanted: Wanted = { watched: new WatchedFile(path, isDatabase), claims: new Set() };
    this.#wanted.set(path, wanted);
    await wanted.watched.look(this.context.root);
    return wanted;
  }

  #unwant(path: string, open: OpenClaim): void {
    const wanted = this.#wanted.get(path);
    wanted?.claims.delete(open);
    if (wanted?.claims.size === 0) this.#wanted.delete(path);
  }

  #close(open: OpenClaim): void {
    open.isClosed = true;
    this.#claims.delete(open.id);
    for (const path of open.files.keys()) this.#unwant(path, open);
    const inFolder = this.#byFolder.get(open.folder);
    inFolder?.delete(open);
    if (inFolder?.size === 0) this.#byFolder.delete(open.folder);
  }
}
