// The tables of nodes, and which ids are taken: an id names one node, of whatever kind.
import { inArray } from 'drizzle-orm';
import type { Orm } from '#service/database/database.ts';
import { datasets, experiments, imports, jobs, projects, snapshots } from '#service/database/tables.ts';

export const NODE_TABLES = {
  project: projects,
  dataset: datasets,
  snapshot: snapshots,
  'finetuning-job': jobs,
  experiment: experiments,
} as const;

/** Those of the ids that a node has, also one that was deleted, or a dataset whose file is being imported. */
export async function findTakenIds(orm: Orm, ids: readonly string[]): Promise<string[]> {
  const wanted = [...ids];
  const taken: string[] = [];
  for (const table of Object.values(NODE_TABLES)) {
    const found = await orm.select({ id: table.id }).from(table).where(inArray(table.id, wanted));
    taken.push(...found.map(({ id }) => id));
  }
  const found = await orm.select({ id: imports.dataset_id }).from(imports).where(inArray(imports.dataset_id, wanted));
  return [...taken, ...found.map(({ id }) => id)];
}
