// Deleted nodes: hidden at once, with what is below them, restorable for a day, then removed.
import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { DeletedNode, NodeType } from '#features/datasets/shared/contract/datasets.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { NODE_TABLES } from '#features/datasets/server/importing/nodeIds.ts';
import { removeMarked } from '#features/datasets/server/importing/removal.ts';
import { datasets, experiments, jobs, projects, REMOVED, snapshots } from '#service/database/tables.ts';
import { DataProblem, notThere } from './dataProblem.ts';

const TYPES = Object.keys(NODE_TABLES) as readonly NodeType[];

const DAY_MS = DATA_LIMITS.deletedHours * 3600 * 1000;

/** The type of a node that was changed; null: there is none of this id, or it is in that state already. */
async function setDeleted(orm: Orm, id: string, deleted_at: Date | null): Promise<NodeType | null> {
  for (const type of TYPES) {
    const table = NODE_TABLES[type];
    // What is being imported or removed is neither shown nor restored.
    const isOther = deleted_at === null ? lt(table.deleted_at, REMOVED) : isNull(table.deleted_at);
    const changed = await orm
      .update(table)
      .set({ deleted_at })
      .where(and(eq(table.id, id), isOther))
      .returning({ id: table.id });
    if (changed.length > 0) return type;
  }
  return null;
}

/** Throws DataProblem 404. */
export async function deleteNode(orm: Orm, id: string, now: Date): Promise<NodeType> {
  const type = await setDeleted(orm, id, now);
  if (type === null) throw notThere('node', id);
  return type;
}

/** What a node is below, by the type of the node. */
const ABOVE = {
  dataset: { type: 'project', id: datasets.project_id },
  snapshot: { type: 'dataset', id: snapshots.dataset_id },
  'finetuning-job': { type: 'snapshot', id: jobs.snapshot_id },
  experiment: { type: 'finetuning-job', id: experiments.job_id },
} as const satisfies Partial<Record<NodeType, { type: NodeType; id: unknown }>>;

/** The highest deleted node above this one: while it is deleted, nothing below it is shown. */
async function findDeletedAbove(orm: Orm, type: NodeType, id: string): Promise<NodeType | null> {
  if (type === 'project') return null;
  const above = ABOVE[type];
  const own = NODE_TABLES[type];
  const table = NODE_TABLES[above.type];
  const [found] = await orm
    .select({ id: table.id, deleted_at: table.deleted_at })
    .from(own)
    .innerJoin(table, eq(table.id, above.id))
    .where(eq(own.id, id));
  if (!found) return null;
  return (await findDeletedAbove(orm, above.type, found.id)) ?? (found.deleted_at === null ? null : above.type);
}

const NOUNS: Readonly<Record<NodeType, string>> = {
  project: 'project',
  dataset: 'dataset',
  snapshot: 'snapshot',
  'finetuning-job': 'job',
  experiment: 'run',
};

/** Throws DataProblem 404; 409 while something above it is deleted. */
export async function restoreNode(orm: Orm, id: string): Promise<void> {
  await orm.transaction(async (transaction) => {
    const type = await setDeleted(transaction, id, null);
    if (type === null) throw notThere('deleted node', id, 'nodeId');
    const above = await findDeletedAbove(transaction, type, id);
    if (above === null) return;
    throw new DataProblem(
      409,
      `The ${NOUNS[above]} that this ${NOUNS[type]} belongs to is deleted. Restore it first.`,
      {
        param: 'nodeId',
        code: 'parent_deleted',
      },
    );
  });
}

/** What can be restored, newest first. */
export async function listDeleted(orm: Orm): Promise<DeletedNode[]> {
  const at = { id: projects.id };
  const found = [
    ...(await orm
      .select({ id: projects.id, label: projects.name, deleted_at: projects.deleted_at, project: at })
      .from(projects)
      .where(lt(projects.deleted_at, REMOVED))
      .then((rows) => rows.map((row) => ({ ...row, type: 'project' as const })))),
    ...(await orm
      .select({ id: datasets.id, label: datasets.label, deleted_at: datasets.deleted_at, project: at })
      .from(datasets)
      .innerJoin(projects, eq(projects.id, datasets.project_id))
      .where(lt(datasets.deleted_at, REMOVED))
      .then((rows) => rows.map((row) => ({ ...row, type: 'dataset' as const })))),
    ...(await orm
      .select({ id: snapshots.id, label: snapshots.label, deleted_at: snapshots.deleted_at, project: at })
      .from(snapshots)
      .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
      .innerJoin(projects, eq(projects.id, datasets.project_id))
      .where(lt(snapshots.deleted_at, REMOVED))
      .then((rows) => rows.map((row) => ({ ...row, type: 'snapshot' as const })))),
    ...(await orm
      .select({ id: jobs.id, label: jobs.label, deleted_at: jobs.deleted_at, project: at })
      .from(jobs)
      .innerJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
      .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
      .innerJoin(projects, eq(projects.id, datasets.project_id))
      .where(lt(jobs.deleted_at, REMOVED))
      .then((rows) => rows.map((row) => ({ ...row, type: 'finetuning-job' as const })))),
    ...(await orm
      .select({ id: experiments.id, label: experiments.label, deleted_at: experiments.deleted_at, project: at })
      .from(experiments)
      .innerJoin(jobs, eq(jobs.id, experiments.job_id))
      .innerJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
      .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
      .innerJoin(projects, eq(projects.id, datasets.project_id))
      .where(lt(experiments.deleted_at, REMOVED))
      .orderBy(desc(experiments.deleted_at))
      .limit(1000)
      .then((rows) => rows.map((row) => ({ ...row, type: 'experiment' as const })))),
  ];
  return found
    .map(({ id, type, label, deleted_at, project }): DeletedNode => {
      const moment = deleted_at ?? new Date(0);
      return {
        id,
        type,
        label,
        project_id: project.id,
        deleted_at: moment.toISOString(),
        gone_at: new Date(moment.getTime() + DAY_MS).toISOString(),
      };
    })
    .sort((a, b) => (a.deleted_at < b.deleted_at ? 1 : -1));
}

/** Removes what was deleted more than a day ago, with all below it, and what an earlier call has left. */
export async function sweepDeleted(database: Database, now: Date): Promise<void> {
  const { orm } = database;
  const before = new Date(now.getTime() - DAY_MS);
  // From here on nobody restores it, and its rows can go before it.
  for (const type of TYPES) {
    const table = NODE_TABLES[type];
    const isDue = lt(table.deleted_at, before);
    // A statement that changes no row makes readers read trees again all the same.
    if ((await orm.$count(table, isDue)) > 0) await orm.update(table).set({ deleted_at: REMOVED }).where(isDue);
  }
  await removeMarked(database);
}
