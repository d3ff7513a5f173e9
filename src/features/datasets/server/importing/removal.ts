// Removes nodes for good, with all below them, in pieces between which others have their turn: a large dataset or the
// curves of many runs in one statement would keep everybody waiting.
import { setImmediate } from 'node:timers/promises';
import { eq, inArray, or } from 'drizzle-orm';
import type { Database, Orm } from '#service/database/database.ts';
import { removeAllBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, experiments, jobs, projects, REMOVED, snapshots } from '#service/database/tables.ts';
import { NODE_TABLES } from './nodeIds.ts';

/** Runs that one statement removes with their curves and logs. */
const RUNS_AT_ONCE = 20;

const isMarked = (...tables: readonly (typeof NODE_TABLES)[keyof typeof NODE_TABLES][]) =>
  or(...tables.map(({ deleted_at }) => eq(deleted_at, REMOVED)));

async function removeSomeRuns(orm: Orm): Promise<boolean> {
  const some = await orm
    .select({ id: experiments.id })
    .from(experiments)
    .innerJoin(jobs, eq(jobs.id, experiments.job_id))
    .innerJoin(snapshots, eq(snapshots.id, jobs.snapshot_id))
    .innerJoin(datasets, eq(datasets.id, snapshots.dataset_id))
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(isMarked(experiments, jobs, snapshots, datasets, projects))
    .limit(RUNS_AT_ONCE);
  const ids = some.map(({ id }) => id);
  if (ids.length > 0) await orm.delete(experiments).where(inArray(experiments.id, ids));
  return ids.length === RUNS_AT_ONCE;
}

/** Removes what has REMOVED for `deleted_at`, and gives its space back. If it ends before, the next call goes on. */
export async function removeMarked({ orm, tidy }: Database): Promise<void> {
  const marked = await orm
    .select({ id: datasets.id })
    .from(datasets)
    .innerJoin(projects, eq(projects.id, datasets.project_id))
    .where(isMarked(datasets, projects));
  for (const { id } of marked) await removeAllBlocks((work) => work(orm), id);
  while (await removeSomeRuns(orm)) await setImmediate();
  let isAny = false;
  for (const table of Object.values(NODE_TABLES)) {
    if ((await orm.$count(table, isMarked(table))) === 0) continue;
    await orm.delete(table).where(isMarked(table));
    isAny = true;
  }
  if (isAny) await tidy?.();
}
