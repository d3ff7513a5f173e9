// The runs of other trainers for the service: keeps the list of roots, and asks a process about all else.
import { join } from 'node:path';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import type { ProjectNode, ProjectSummary } from '#core/contract/tree.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import { openRootList, type RootListOptions } from './rootList.ts';
import { toRootName } from './rootRuns.ts';
import { RunsUnavailable, type RunModelFile, type Runs } from './runs.ts';
import type { FoundModel } from './runsMessages.ts';
import { openRunsLink, type LinkOptions } from './runsLink.ts';

export interface RunsOptions extends RootListOptions, Pick<LinkOptions, 'open' | 'longest'> {
  readonly files?: Files;
  /** Ids that notes are written on, or models served of. */
  readonly used?: readonly string[];
}

const IDS_FOLDER = 'run-ids';
/** A list of models waits no longer for those of runs: then it has what was there before. */
const MODELS_MS = 1_000;

/** `dataDir` also holds the ids of runs. */
export async function openRuns(given: RunsOptions): Promise<Runs> {
  const { folders, dataDir, files = nearFiles, used = [], report, ...options } = given;
  const roots = await openRootList(files, { folders, dataDir, report });
  const trees = new Map<string, { readonly version: string; readonly project: ProjectNode }>();
  let models: readonly RunModelFile[] = [];
  let listing: Promise<void> | null = null;
  const memory = { folder: dataDir === null ? null : join(dataDir, IDS_FOLDER), used };
  const link = openRunsLink({
    ...options,
    report,
    onStart(ask) {
      // A failure is said by the link.
      ask('setRoots', roots.all, memory).catch(() => undefined);
    },
  });
  const apply = (): Promise<void> => link.ask('setRoots', roots.all, memory);
  if (roots.all.length > 0) apply().catch(() => undefined);

  /** A change is kept also while the process is away: it gets the roots when it starts. */
  async function applyAndKeep(): Promise<void> {
    const [kept, applied] = await Promise.allSettled([roots.keep(), apply()]);
    if (kept.status === 'rejected') throw kept.reason;
    if (applied.status === 'rejected' && !(applied.reason instanceof RunsUnavailable)) throw applied.reason;
  }

  async function findRoot(id: string): Promise<RunRoot | null> {
    return (await link.ask('listRoots')).find((root) => root.id === id) ?? null;
  }

  async function listModels(): Promise<void> {
    try {
      const found = await link.ask('listModels');
      const toModel = ({ id, path, created }: FoundModel): RunModelFile => ({
        id,
        aliases: [],
        path,
        adapter: null,
        created,
        owned_by: 'runs',
      });
      models = found.map(toModel);
    } catch (error) {
      // Models that are loaded go on answering.
      if (!(error instanceof RunsUnavailable)) throw error;
    }
  }

  const isEmpty = (): boolean => roots.all.length === 0;
  return {
    listProjects: async () =>
      roots.all.map(({ id, path, createdAt }): ProjectSummary => ({
        id,
        name: toRootName(path),
        created_at: createdAt.toISOString(),
      })),
    listRoots: async () => (isEmpty() ? [] : link.ask('listRoots')),
    async addRoot(written, from) {
      const before = roots.all.length;
      const id = await roots.add(written, from);
      if (roots.all.length > before) await applyAndKeep();
      const root = await findRoot(id);
      if (root === null) throw new RunsUnavailable('The folder was removed meanwhile. Add it again.');
      return root;
    },
    async removeRoot(id) {
      const result = roots.remove(id);
      if (result !== 'removed') return result;
      trees.delete(id);
      await applyAndKeep();
      return result;
    },
    async changeRoot(id, { grouping, main_measure: measure }) {
      if (!roots.change(id, { grouping, measure })) return null;
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
