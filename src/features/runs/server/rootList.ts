// The folders whose runs are shown: those of `--runs`, and those that were added in the page, which are kept.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { isIn, type Files, type FoundFile } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { codeOf } from './errorText.ts';
import { openRootsFile, type RootsFile, type StoredRoot } from './rootsFile.ts';
import { toRootId } from './runIdentity.ts';
import { RunsForbidden, RunsProblem } from './runs.ts';
import type { OpenRoot } from './runsMessages.ts';

interface KnownRoot extends OpenRoot {
  readonly createdAt: Date;
}

const MAX_ROOTS = 50;
/** A start waits no longer for all folders together. */
const START_MS = 2_000;

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the studio may not read it',
  EPERM: 'the studio may not read it',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
};

const toWholePath = (written: string): string =>
  written === '~' || written.startsWith('~/') ? join(homedir(), written.slice(1)) : written;

/** The folder with links resolved. Throws RunsProblem. */
async function findFolder(files: Files, written: string): Promise<FoundFile> {
  const fail = (why: string): RunsProblem =>
    new RunsProblem(
      `The folder ${written} can't be shown: ${why}. Give the absolute path of a folder on the machine of the studio.`,
    );
  const path = toWholePath(written);
  if (path.includes('\0')) throw fail('the path holds a zero byte');
  if (!isAbsolute(path)) throw fail('the path is not absolute');
  const found = await files.find(resolve(path)).catch((error: unknown) => {
    throw fail(error instanceof Silence ? error.message : (REASONS[codeOf(error)] ?? codeOf(error)));
  });
  if (found === null) throw fail('there is no such folder');
  if (found.kind !== 'folder') throw fail('it is a file');
  if (!found.isReadable) throw fail('the studio may not read it');
  return found;
}

/** Why a folder can't be shown beside those that are: each of its runs would be there twice. null: it can. */
function findOverlap(path: string, roots: readonly { readonly path: string }[]): string | null {
  const around = roots.find((root) => isIn(root.path, path));
  if (around)
    return `its runs are shown already, with those of ${around.path}. Remove that folder first to show this alone.`;
  const inner = roots.find((root) => isIn(path, root.path));
  return inner
    ? `${inner.path}, which lies in it, is shown already, so its runs would be shown twice. Remove that folder first.`
    : null;
}

const toFound = (look: FoundFile | 'silent' | null): FoundFile | null => (look === 'silent' ? null : look);

function toKnownRoot(
  path: string,
  found: Pick<FoundFile, 'createdAt'> | null,
  { isFromFlag, stored }: { readonly isFromFlag: boolean; readonly stored: StoredRoot | undefined },
): KnownRoot {
  const grouping = stored?.grouping ?? { by: 'folder' };
  const measure = stored?.measure ?? null;
  const createdAt = new Date(found?.createdAt ?? 0);
  return { id: toRootId(path), path, isFromFlag, grouping, measure, createdAt };
}

/** `silent`: its disk or mount did not answer in time. null: there is nothing. */
async function findAtStart(files: Files, path: string): Promise<FoundFile | 'silent' | null> {
  const found = files.find(path).then(
    (each) => ({ each }),
    (error: unknown) => (error instanceof Silence ? null : { each: null }),
  );
  const told = await soon(found, START_MS);
  return told === null ? 'silent' : told.each;
}

export interface RootListOptions {
  /** Folders of `--runs`, absolute. */
  readonly folders: readonly string[];
  /** Holds `run-roots.json`. null: nothing is kept. */
  readonly dataDir: string | null;
  readonly report: (line: string) => void;
}

/** Looks at all folders, and says which can't be shown. */
export async function openRootList(files: Files, { folders, dataDir, report }: RootListOptions): Promise<RootList> {
  const file = dataDir === null ? null : openRootsFile(dataDir, report);
  const list = new RootList(files, file, (await file?.read()) ?? []);
  await list.start(folders, report);
  return list;
}

class RootList {
  readonly #roots = new Map<string, KnownRoot>();
  /** Added ones that one of --runs holds now. They are shown again when it does not. */
  readonly #covered = new Set<string>();

  constructor(
    readonly files: Files,
    readonly file: RootsFile | null,
    readonly stored: readonly StoredRoot[],
  ) {}

  get all(): readonly KnownRoot[] {
    return [...this.#roots.values()];
  }

  has(id: string): boolean {
    return this.#roots.has(id);
  }

  async start(folders: readonly string[], report: (line: string) => void): Promise<void> {
    const added = this.stored.filter((each) => each.added);
    const places = [...folders, ...added.map(({ path }) => path)];
    const looks = await Promise.all(places.map((path) => findAtStart(this.files, path)));
    for (const [at, folder] of folders.entries()) {
      const look = looks[at] ?? null;
      const found = toFound(look);
      // Where it is now, or where it will be when its disk is mounted.
      const path = found?.path ?? resolve(folder);
      if (look === 'silent')
        report(`Warning: the disk or network mount of ${folder} does not answer. Its runs are shown when it does.`);
      else if (found === null)
        report(`Warning: there is no folder ${folder} yet. Its runs are shown when it is there.`);
      else if (found.kind !== 'folder') report(`Warning: ${folder} is a file, not a folder: it has no runs to show.`);
      const other = this.has(toRootId(path)) ? null : findOverlap(path, this.all);
      if (other !== null) report(`Warning: ${folder} is not shown: ${other}`);
      else this.#put(path, found, { isFromFlag: true, stored: this.stored.find((each) => each.path === path) });
    }
    for (const [at, stored] of added.entries()) {
      const { path } = stored;
      if (!this.has(toRootId(path)) && findOverlap(path, this.all) !== null) this.#covered.add(path);
      else this.#put(path, toFound(looks[folders.length + at] ?? null), { isFromFlag: false, stored });
    }
  }

  /** The id of the folder, which is in the list from now on. Throws RunsProblem and RunsForbidden. */
  async add(written: string, from: 'anywhere' | 'given folders'): Promise<string> {
    // Before anything is said of what is there, and again where its links lead.
    if (from === 'given folders') this.#checkIsGiven(resolve(toWholePath(written)));
    const found = await findFolder(this.files, written);
    const { path } = found;
    if (from === 'given folders') this.#checkIsGiven(path);
    const id = toRootId(path);
    if (this.has(id)) return id;
    if (this.#roots.size >= MAX_ROOTS)
      throw new RunsProblem(`The studio shows at most ${MAX_ROOTS} folders. Remove one, then add this one again.`);
    const other = findOverlap(path, this.all);
    if (other !== null) throw new RunsProblem(`The folder ${written} can't be added: ${other}`);
    this.#put(path, found, { isFromFlag: false, stored: undefined });
    return id;
  }

  remove(id: string): 'removed' | 'from-flag' | null {
    const root = this.#roots.get(id);
    if (!root) return null;
    if (root.isFromFlag) return 'from-flag';
    this.#roots.delete(id);
    return 'removed';
  }

  /** false: there is no such root. */
  change(id: string, { grouping, measure }: { [Key in 'grouping' | 'measure']: OpenRoot[Key] | undefined }): boolean {
    const root = this.#roots.get(id);
    if (!root) return false;
    this.#roots.set(id, {
      ...root,
      grouping: grouping ?? root.grouping,
      measure: measure === undefined ? root.measure : measure,
    });
    return true;
  }

  /** Throws RunsProblem. */
  async keep(): Promise<void> {
    const list = this.all.map(({ path, isFromFlag, grouping, measure }): StoredRoot => ({
      path,
      added: !isFromFlag,
      grouping,
      measure,
    }));
    // Choices for folders that are not given this time stay for the next.
    const others = this.stored.filter(
      ({ path, added }) => (!added || this.#covered.has(path)) && !list.some((root) => root.path === path),
    );
    await this.file?.write([...list, ...others]).catch((error: unknown) => {
      throw new RunsProblem(
        `The list of folders can't be kept (${codeOf(error)}). Check the data folder ${this.file?.folder}; the folder is shown ` +
          'until the studio ends.',
      );
    });
  }

  #put(path: string, ...about: [FoundFile | null, { isFromFlag: boolean; stored: StoredRoot | undefined }]): void {
    const root = toKnownRoot(path, ...about);
    if (!this.has(root.id)) this.#roots.set(root.id, root);
  }

  #checkIsGiven(path: string): void {
    const given = this.all.filter(({ isFromFlag }) => isFromFlag).map((root) => root.path);
    if (given.some((folder) => isIn(folder, path))) return;
    const place = given.length === 0 ? 'none was given' : given.join(', ');
    throw new RunsForbidden(
      `This token may only show folders in those that the studio was started with: ${place}. Whoever runs the studio can ` +
        "start it with --runs and this folder, or add it with the studio's own token.",
    );
  }
}
