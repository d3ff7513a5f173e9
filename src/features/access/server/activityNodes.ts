// The nodes that changes are about, as they are now.
import type { ActivityNode } from '#features/access/shared/activity.ts';
import type { Database } from '#service/database/database.ts';

/** From a table up to the project, with what says that one of them was deleted. */
const LEVELS = [
  { type: 'project', table: 'projects', short: 'p', above: null, name: 'name' },
  { type: 'dataset', table: 'datasets', short: 'd', above: 'project_id', name: 'label' },
  { type: 'snapshot', table: 'snapshots', short: 's', above: 'dataset_id', name: 'label' },
  { type: 'finetuning-job', table: 'jobs', short: 'j', above: 'snapshot_id', name: 'label' },
  { type: 'experiment', table: 'experiments', short: 'e', above: 'job_id', name: 'label' },
] as const;

/** One branch per kind of node: each finds its rows by primary key. */
const QUERY = LEVELS.map(({ type, table, short, name }, depth) => {
  const path = LEVELS.slice(0, depth + 1);
  const joins = path
    .slice(0, -1)
    .map((level, at) => {
      const below = path[at + 1];
      return `join studio.${level.table} ${level.short} on ${level.short}.id = ${below?.short}.${below?.above}`;
    })
    .toReversed();
  const isDeleted = path.map((level) => `${level.short}.deleted_at is not null`).join(' or ');
  return (
    `select ${short}.id, '${type}' as type, coalesce(n.name, ${short}.${name}) as label, p.id as project_id, ` +
    `(${isDeleted}) as is_deleted from studio.${table} ${short} ${joins.join(' ')} ` +
    `left join studio.notes n on n.node_id = ${short}.id where ${short}.id = any($1::uuid[])`
  );
}).join(' union all ');

/** By id; those that are gone for good are left out. `ids`: UUIDs. */
export async function findNodes(
  executeSql: Database['executeSql'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, ActivityNode>> {
  if (ids.length === 0) return new Map();
  const { rows } = await executeSql(QUERY, [`{${ids.join(',')}}`]);
  return new Map((rows as readonly ActivityNode[]).map((node) => [node.id, node]));
}
