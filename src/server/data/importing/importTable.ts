// Imports in the database: their progress for all processes, and what a killed one left behind.
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { toReason, type Database, type Orm } from '#server/studio/database.ts';
import { datasets, imports, rowBlocks } from '#server/studio/tables.ts';

export interface ImportRecord {
  readonly dataset_id: string;
  readonly project_id: string | null;
  readonly name: string;
  readonly bytes: number;
  readonly total: number | null;
  readonly row_count: number;
  readonly is_cancelled: boolean;
  readonly started_at: Date;
  readonly beat_at: Date;
}

/** An import whose heart has not beaten for so long belongs to a process that is gone. */
const DEAD_MS = 60_000;

/** Removes what was stored of a dataset that never became complete. */
export async function removeImport(orm: Orm, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await orm.transaction(async (transaction) => {
    await transaction.delete(rowBlocks).where(inArray(rowBlocks.dataset_id, [...ids]));
    await transaction.delete(datasets).where(and(inArray(datasets.id, [...ids]), eq(datasets.status, 'processing')));
    await transaction.delete(imports).where(inArray(imports.dataset_id, [...ids]));
  });
}

/** Removes what killed processes left. A database that no other process uses has only those of this one's past. */
export async function removeDeadImports({ orm, isShared }: Database, now: Date, isFirst: boolean): Promise<void> {
  const isDead = isFirst && !isShared ? sql`true` : lt(imports.beat_at, new Date(now.getTime() - DEAD_MS));
  const dead = await orm.select({ id: imports.dataset_id }).from(imports).where(isDead);
  await removeImport(
    orm,
    dead.map(({ id }) => id),
  );
}

export async function findImport(orm: Orm, id: string): Promise<ImportRecord | null> {
  const [found] = await orm.select().from(imports).where(eq(imports.dataset_id, id));
  return found ?? null;
}

/** False: it has ended. */
export async function cancelImport(orm: Orm, id: string): Promise<boolean> {
  const cancelled = await orm
    .update(imports)
    .set({ is_cancelled: true })
    .where(eq(imports.dataset_id, id))
    .returning({ id: imports.dataset_id });
  return cancelled.length > 0;
}

/** Whether a failure of the database means that its disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  /no space|disk quota|disk full|ENOSPC/i.test(toReason(error)) ||
  (error instanceof Error && error.cause !== undefined && /no space|disk full|ENOSPC/i.test(toReason(error.cause)));
