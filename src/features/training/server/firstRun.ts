// Which run one that learns preferences may go on from: it has learnt to answer the same kind of prompts.
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import { isSucceeded } from '#core/contract/statuses.ts';
import { arrayOr, isObject, textOr } from '#core/contract/readJson.ts';
import { readFrame, readSnapshotPage } from '#features/datasets/server/rows/snapshotFrame.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { datasets, experiments, jobs, snapshots } from '#service/database/tables.ts';

/** The newest runs: each of their snapshots is looked at. */
const MOST_RUNS = 100;

/** The system prompt of the first training row; null: it has none. */
async function readSystem(orm: Orm, snapshotId: string): Promise<string | null> {
  const frame = await readFrame(orm, snapshotId);
  if (!frame) return null;
  const { rows } = await readSnapshotPage(orm, frame, { from: 0, end: Math.min(64, frame.rows_end) }, 'training');
  const row: unknown = JSON.parse(rows[0]?.body ?? 'null');
  const [first] = arrayOr(isObject(row) ? row['messages'] : null);
  return isObject(first) && first['role'] === 'system' ? textOr(first['content'], '') || null : null;
}

/**
 * Of the runs of the same project on single answers to the same system prompt, the one with the lowest validation loss; null:
 * there is none.
 */
export async function findFirstRun(
  { orm, guard }: Pick<Database, 'orm' | 'guard'>,
  snapshotId: string,
): Promise<string | null> {
  return guard(async () => {
    const system = await readSystem(orm, snapshotId);
    if (system === null) return null;
    const [own] = await orm
      .select({ project_id: datasets.project_id })
      .from(snapshots)
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .where(eq(snapshots.id, snapshotId));
    if (!own) return null;
    const runs = await orm
      .select({ run: experiments, snapshot_id: jobs.snapshot_id })
      .from(experiments)
      .innerJoin(jobs, eq(experiments.job_id, jobs.id))
      .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .where(
        and(
          eq(datasets.project_id, own.project_id),
          isNotNull(experiments.model_id),
          isNull(experiments.deleted_at),
          isNull(jobs.deleted_at),
        ),
      )
      .orderBy(desc(experiments.created_at))
      .limit(MOST_RUNS);
    const taught = runs.filter(({ run }) => isSucceeded(run.status) && run.settings?.objective === undefined);
    const systems = new Map<string, string | null>();
    for (const { snapshot_id: id } of taught) if (!systems.has(id)) systems.set(id, await readSystem(orm, id));
    const lossOf = ({ run }: (typeof taught)[number]): number => run.held_out?.['validation_loss'] ?? Infinity;
    const fitting = taught.filter(({ snapshot_id: id }) => systems.get(id) === system);
    const [best] = fitting.toSorted((a, b) => lossOf(a) - lossOf(b));
    return best?.run.id ?? null;
  });
}
