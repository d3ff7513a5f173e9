// The runs of other trainers for the service: keeps the list of roots, and asks a process about all else.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import type { ProjectNode, ProjectSummary } from '#core/contract/tree.ts';
import { isIn, nearFiles, type Files, type FoundFile } from '#service/files/files.ts';
import { soon } from '#service/files/inTime.ts';
import { Silence } from '#service/files/place.ts';
import { codeOf } from './errorText.ts';
import { openRootsFile, type StoredRoot } from './rootsFile.ts';
import { toRootId } from './runIdentity.ts';
import { toRootName } from './rootRuns.ts';
import { RunsForbidden, RunsProblem, RunsUnavailable, type RunModelFile, type Runs } from './runs.ts';
import type { FoundModel, OpenRoot } from './runsMessages.ts';
import { openRunsLink, type LinkOptions } from './runsLink.ts';

export interface RunsOptions extends Pick<LinkOptions, 'open' | 'longest'> {
  /** Folders of `--runs`, absolute. */
  readonly folders: readonly string[];
  /** Holds `run-roots.json` and `run-ids`. null: nothing is kept. */
  readonly dataDir: string | null;
  readonly files?: Files;
  /** Ids that notes are written on, or models served of. */
  readonly used?: readonly string[];
  readonly report: (line: string) => void;
}

interface KnownRoot extends OpenRoot {
  readonly createdAt: Date;
}

const IDS_FOLDER = 'run-ids';
const MAX_ROOTS = 50;
/** A start waits no longer for all folders together. */
const START_MS = 2_000;
/** Nor does a list of models for those of runs: then it has what was there before. */
const MODELS_MS = 1_000;

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

const toRunModel = ({ id, path, created }: FoundModel): RunModelFile => ({
  id,
  aliases: [],
  path,
  adapter: null,
  created,
  owned_by: 'runs',
});

/** `silent`: its disk or mount did not answer in time. null: there is nothing. */
async function findAtStart(files: Files, path: string): Promise<FoundFile | 'silent' | null> {
  const found = files.find(path).then(
    (each) => ({ each }),
    (error: unknown) => (error instanceof Silence ? null : { each: null }),
  );
  const told = await soon(found, START_MS);
  return told === null ? 'silent' : told.each;
}

export async function openRuns(given: RunsOptions): Promise<Runs> {
  const { folders, dataDir, files = nearFiles, used = [], report, ...options } = given;
  const file = dataDir === null ? null : openRootsFile(dataDir, report);
  const stored = (await file?.read()) ?? [];
  const roots = new Map<string, KnownRoot>();
  const add = (root: KnownRoot): void => void (roots.has(root.id) || roots.set(root.id, root));
  const storedOf = (path: string): StoredRoot | undefined => stored.find((each) => each.path === path);
  const added = stored.filter((each) => each.added);
  const places = [...folders, ...added.map(({ path }) => path)];
  const looks = await Promise.all(places.map((path) => findAtStart(files, path)));
  for (const [at, folder] of folders.entries()) {
    const look = looks[at] ?? null;
    const found = look === 'silent' ? null : look;
    // Where it is now, or where it will be when its disk is mounted.
    const path = found?.path ?? resolve(folder);
    if (look === 'silent')
      report(`Warning: the disk or network mount of ${folder} does not answer. Its runs are shown when it does.`);
    else if (found === null) report(`Warning: there is no folder ${folder} yet. Its runs are shown when it is there.`);
    else if (found.kind !== 'folder') report(`Warning: ${folder} is a file, not a folder: it has no runs to show.`);
    const other = roots.has(toRootId(path)) ? null : findOverlap(path, [...roots.values()]);
    if (other !== null) report(`Warning: ${folder} is not shown: ${other}`);
    else add(toKnownRoot(path, found, { isFromFlag: true, stored: storedOf(path) }));
  }
  /** One of --runs holds them now. They are shown again when it does not. */
  const covered = new Set<string>();
  for (const [at, root] of added.entries()) {
    const look = looks[folders.length + at] ?? null;
    const known = [...roots.values()];
    if (!roots.has(toRootId(root.path)) && findOverlap(root.path, known) !== null) covered.add(root.path);
    else add(toKnownRoot(root.path, look === 'silent' ? null : look, { isFromFlag: false, stored: root }));
  }

  const trees = new Map<string, { readonly version: string; readonly project: ProjectNode }>();
  let models: readonly RunModelFile[] = [];
  let listing: Promise<void> | null = null;
  const toOpenRoots = (): readonly OpenRoot[] =>
    [...roots.values()].map(({ id, path, isFromFlag, grouping, measure }) => ({
      id,
      path,
      isFromFlag,
      grouping,
      measure,
    }));
  const memory = { folder: dataDir === null ? null : join(dataDir, IDS_FOLDER), used };
  const link = openRunsLink({
    ...options,
    report,
    onStart(ask) {
      // A failure is said by the link.
      ask('setRoots', toOpenRoots(), memory).catch(() => undefined);
    },
  });
  const apply = (): Promise<void> => link.ask('setRoots', toOpenRoots(), memory);
  if (roots.size > 0) apply().catch(() => undefined);

  async function keep(): Promise<void> {
    const list = [...roots.values()].map(({ path, isFromFlag, grouping, measure }) => ({
      path,
      added: !isFromFlag,
      grouping,
      measure,
    }));
    // Choices for folders that are not given this time stay for the next.
    const others = stored.filter(
      ({ path, added }) => (!added || covered.has(path)) && !list.some((root) => root.path === path),
    );
    await file?.write([...list, ...others]).catch((error: unknown) => {
      throw new RunsProblem(
        `The list of folders can't be kept (${codeOf(error)}). Check the data folder ${dataDir}; the folder is shown until ` +
          'the studio ends.',
      );
    });
  }

  /** A change is kept also while the process is away: it gets the roots when it starts. */
  async function applyAndKeep(): Promise<void> {
    const [kept, applied] = await Promise.allSettled([keep(), apply()]);
    if (kept.status === 'rejected') throw kept.reason;
    if (applied.status === 'rejected' && !(applied.reason instanceof RunsUnavailable)) throw applied.reason;
  }

  async function findRoot(id: string): Promise<RunRoot | null> {
    return (await link.ask('listRoots')).find((root) => root.id === id) ?? null;
  }

  async function listModels(): Promise<void> {
    try {
      const found = await link.ask('listModels');
      models = found.map(toRunModel);
    } catch (error) {
      // Models that are loaded go on answering.
      if (!(error instanceof RunsUnavailable)) throw error;
    }
  }

  function checkIsGiven(path: string): void {
    const given = [...roots.values()].filter(({ isFromFlag }) => isFromFlag).map((root) => root.path);
    if (given.some((folder) => isIn(folder, path))) return;
    const place = given.length === 0 ? 'none was given' : given.join(', ');
    throw new RunsForbidden(
      `This token may only show folders in those that the studio was started with: ${place}. Whoever runs the studio can ` +
        "start it with --runs and this folder, or add it with the studio's own token.",
    );
  }

  const isEmpty = (): boolean => roots.size === 0;
  return {
    listProjects: async () =>
      [...roots.values()].map(({ id, path, createdAt }): ProjectSummary => ({
        id,
        name: toRootName(path),
        created_at: createdAt.toISOString(),
      })),
    listRoots: async () => (isEmpty() ? [] : link.ask('listRoots')),
    async addRoot(written, from) {
      // Before anything is said of what is there, and again where its links lead.
      if (from === 'given folders') checkIsGiven(resolve(toWholePath(written)));
      const found = await findFolder(files, written);
      const { path } = found;
      if (from === 'given folders') checkIsGiven(path);
      const id = toRootId(path);
      if (!roots.has(id)) {
        if (roots.size >= MAX_ROOTS)
          throw new RunsProblem(`The studio shows at most ${MAX_ROOTS} folders. Remove one, then add this one again.`);
        const other = findOverlap(path, [...roots.values()]);
        if (other !== null) throw new RunsProblem(`The folder ${written} can't be added: ${other}`);
        add(toKnownRoot(path, found, { isFromFlag: false, stored: undefined }));
        await applyAndKeep();
      }
      const root = await findRoot(id);
      if (root === null) throw new RunsUnavailable('The folder was removed meanwhile. Add it again.');
      return root;
    },
    async removeRoot(id) {
      const root = roots.get(id);
      if (!root) return null;
      if (root.isFromFlag) return 'from-flag';
      roots.delete(id);
      trees.delete(id);
      await applyAndKeep();
      return 'removed';
    },
    async changeRoot(id, { grouping, main_measure: measure }) {
      const root = roots.get(id);
      if (!root) return null;
      roots.set(id, {
        ...root,
        grouping: grouping ?? root.grouping,
        measure: measure === undefined ? root.measure : measure,
      });
      await applyAndKeep();
      return findRoot(id);
    },
    async findProject(id) {
      if (!roots.has(id)) return null;
      const known = trees.get(id);
      const found = await link.ask('findProject', id, known?.version ?? null);
      if (found === null) return null;
      if (found.project === null) return known?.project ?? null;
      trees.set(id, { version: found.version, project: found.project });
      return found.project;
    },
    findJob: async (id) => (isEmpty() ? null : link.ask('findJob', id)),
    findRun: async (id) => (isEmpty() ? null : link.ask('findRun', id)),
    findCurves: async (request) =>
      isEmpty() ? { version: 'none', curves: [], names: [] } : link.ask('findCurves', request),
    findCompletions: async (id, question) => (isEmpty() ? null : link.ask('findCompletions', id, question)),
    findSnapshotRoot: async (id) => (isEmpty() ? null : link.ask('findSnapshotRoot', id)),
    async listModelFiles() {
      if (isEmpty()) return [];
      listing ??= listModels().finally(() => {
        listing = null;
      });
      await soon(listing, MODELS_MS);
      return models;
    },
    look: async () => (isEmpty() ? undefined : link.ask('look')),
    close: () => link.close(),
  };
}
