// The runs of other trainers for the service: keeps the list of roots, and asks a thread about all else.
import type { Stats } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import type { RunRoot } from '#shared/contract/runs.ts';
import type { ProjectNode, ProjectSummary } from '#shared/contract/tree.ts';
import { codeOf } from './errorText.ts';
import { inTime } from './inTime.ts';
import { openRootsFile, type StoredRoot } from './rootsFile.ts';
import { toRootId } from './runIdentity.ts';
import { toRootName } from './rootRuns.ts';
import { RunsProblem, RunsUnavailable, type RunModelFile, type Runs } from './runs.ts';
import type { FoundModel, OpenRoot } from './runsMessages.ts';
import { openRunsLink, type LinkOptions } from './runsLink.ts';

export interface RunsOptions extends Pick<LinkOptions, 'open' | 'longest'> {
  /** Folders of `--runs`, absolute. */
  readonly folders: readonly string[];
  /** Holds `run-roots.json`. null: nothing is kept. */
  readonly dataDir: string | null;
  readonly report: (line: string) => void;
}

interface KnownRoot extends OpenRoot {
  readonly createdAt: Date;
}

const MAX_ROOTS = 50;
/** What doesn't answer for so long hangs. */
const SILENT_MS = 5_000;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'the studio may not read it',
  EPERM: 'the studio may not read it',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its links lead in a circle',
};

/** The folder with links resolved. Throws RunsProblem. */
async function findFolder(written: string): Promise<string> {
  const fail = (why: string): RunsProblem =>
    new RunsProblem(
      `The folder ${written} can't be shown: ${why}. Give the absolute path of a folder on the machine of the studio.`,
    );
  const path = written === '~' || written.startsWith('~/') ? join(homedir(), written.slice(1)) : written;
  if (path.includes('\0')) throw fail('the path holds a zero byte');
  if (!isAbsolute(path)) throw fail('the path is not absolute');
  const look = async (): Promise<string> => {
    const real = await realpath(resolve(path));
    if (!(await stat(real)).isDirectory()) throw fail('it is a file');
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  };
  try {
    return await inTime(look(), SILENT_MS, () => fail('its disk or network mount does not answer'));
  } catch (error) {
    throw error instanceof RunsProblem ? error : fail(REASONS[codeOf(error)] ?? codeOf(error));
  }
}

const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Why a folder can't be shown beside those that are: each of its runs would be there twice. null: it can. */
function findOverlap(path: string, roots: readonly { readonly path: string }[]): string | null {
  const around = roots.find((root) => isInside(path, root.path));
  if (around)
    return `its runs are shown already, with those of ${around.path}. Remove that folder first to show this alone.`;
  const inner = roots.find((root) => isInside(root.path, path));
  return inner
    ? `${inner.path}, which lies in it, is shown already, so its runs would be shown twice. Remove that folder first.`
    : null;
}

const toSilence = (): Error => new Error('Its disk or network mount does not answer.');

/** Where it is now, or where it will be when its disk is mounted. */
const toRealPath = (path: string): Promise<string> =>
  inTime(realpath(path), SILENT_MS, toSilence).catch(() => resolve(path));

const findStats = (path: string): Promise<Stats | null> => inTime(stat(path), SILENT_MS, toSilence).catch(() => null);

async function toKnownRoot(path: string, isFromFlag: boolean, stored: StoredRoot | undefined): Promise<KnownRoot> {
  const found = await findStats(path);
  const created = found === null ? new Date(0) : found.birthtime.getTime() > 0 ? found.birthtime : found.mtime;
  const grouping = stored?.grouping ?? { by: 'folder' };
  const measure = stored?.measure ?? null;
  return { id: toRootId(path), path, isFromFlag, grouping, measure, createdAt: created };
}

/** The file of a model if it is a file in its root; links that leave the root are not followed. */
async function toModelFile({ id, path, root, created }: FoundModel): Promise<RunModelFile | null> {
  try {
    const [file, folder] = await inTime(Promise.all([realpath(path), realpath(root)]), SILENT_MS, toSilence);
    if (!isInside(file, folder) || !(await findStats(file))?.isFile()) return null;
    return { id, aliases: [], path: file, adapter: null, created, owned_by: 'runs' };
  } catch {
    return null;
  }
}

export async function openRuns({ folders, dataDir, report, ...options }: RunsOptions): Promise<Runs> {
  const file = dataDir === null ? null : openRootsFile(dataDir, report);
  const stored = (await file?.read()) ?? [];
  const roots = new Map<string, KnownRoot>();
  const add = (root: KnownRoot): void => void (roots.has(root.id) || roots.set(root.id, root));
  const storedOf = (path: string): StoredRoot | undefined => stored.find((each) => each.path === path);
  for (const folder of folders) {
    const path = await toRealPath(folder);
    const found = await findStats(path);
    if (found === null) report(`Warning: there is no folder ${folder} yet. Its runs are shown when it is there.`);
    else if (!found.isDirectory()) report(`Warning: ${folder} is a file, not a folder: it has no runs to show.`);
    const other = roots.has(toRootId(path)) ? null : findOverlap(path, [...roots.values()]);
    if (other !== null) report(`Warning: ${folder} is not shown: ${other}`);
    else add(await toKnownRoot(path, true, storedOf(path)));
  }
  /** One of --runs holds them now. They are shown again when it does not. */
  const covered = new Set<string>();
  for (const root of stored.filter(({ added }) => added)) {
    const known = [...roots.values()];
    if (!roots.has(toRootId(root.path)) && findOverlap(root.path, known) !== null) covered.add(root.path);
    else add(await toKnownRoot(root.path, false, root));
  }

  const trees = new Map<string, { readonly version: string; readonly project: ProjectNode }>();
  let models: readonly RunModelFile[] = [];
  const toOpenRoots = (): readonly OpenRoot[] =>
    [...roots.values()].map(({ id, path, isFromFlag, grouping, measure }) => ({
      id,
      path,
      isFromFlag,
      grouping,
      measure,
    }));
  const link = openRunsLink({
    ...options,
    report,
    onStart(ask) {
      // A failure is said by the link.
      ask('setRoots', toOpenRoots()).catch(() => undefined);
    },
  });
  const apply = (): Promise<void> => link.ask('setRoots', toOpenRoots());
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

  /** A change is kept also while the thread is away: it gets the roots when it starts. */
  async function applyAndKeep(): Promise<void> {
    const [kept, applied] = await Promise.allSettled([keep(), apply()]);
    if (kept.status === 'rejected') throw kept.reason;
    if (applied.status === 'rejected' && !(applied.reason instanceof RunsUnavailable)) throw applied.reason;
  }

  async function findRoot(id: string): Promise<RunRoot | null> {
    return (await link.ask('listRoots')).find((root) => root.id === id) ?? null;
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
    async addRoot(written) {
      const path = await findFolder(written);
      const id = toRootId(path);
      if (!roots.has(id)) {
        if (roots.size >= MAX_ROOTS)
          throw new RunsProblem(`The studio shows at most ${MAX_ROOTS} folders. Remove one, then add this one again.`);
        const other = findOverlap(path, [...roots.values()]);
        if (other !== null) throw new RunsProblem(`The folder ${written} can't be added: ${other}`);
        add(await toKnownRoot(path, false, undefined));
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
      try {
        const found = await Promise.all((await link.ask('listModels')).map(toModelFile));
        models = found.flatMap((model) => model ?? []);
      } catch (error) {
        // Models that are loaded go on answering.
        if (!(error instanceof RunsUnavailable)) throw error;
      }
      return models;
    },
    look: async () => (isEmpty() ? undefined : link.ask('look')),
    close: () => link.close(),
  };
}
