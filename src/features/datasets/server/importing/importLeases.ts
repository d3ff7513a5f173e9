// Imports in the database: their progress for all processes, and what a killed one left behind.
import { and, eq } from 'drizzle-orm';
import type { Database, Orm } from '#service/database/database.ts';
import { openLeases, type HeldLease, type Leases } from '#service/database/leases/leases.ts';
import { removeAllBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { datasets, imports } from '#service/database/tables.ts';

export interface ImportRecord {
  readonly dataset_id: string;
  readonly project_id: string | null;
  readonly name: string;
  readonly bytes: number;
  readonly total: number | null;
  readonly row_count: number;
  readonly is_cancelled: boolean;
  readonly started_at: Date;
}

/** After so long without a word its service is gone. Nobody can go on with an upload, so there is no hurry. */
const LEASE_MS = 60_000;

export const openImportLeases = (database: Database): Leases => openLeases(database, 'import', LEASE_MS);

/**
 * Removes what was stored of a dataset that never became complete, for whoever has its lease, and gives its space back. One
 * that is complete stays. `write`: a transaction. `end`: called in the last one.
 */
export async function removeImport(
  { orm: outer, tidy }: Pick<Database, 'orm' | 'tidy'>,
  id: string,
  write: HeldLease['write'] = (work) => outer.transaction(work),
  end: (orm: Orm) => Promise<void> = async () => undefined,
): Promise<void> {
  // From here on it can't become complete. If the rest fails, its record says what is left.
  const isLeft = await write((orm) => cancelImport(orm, id));
  if (isLeft) await removeAllBlocks(write, id);
  await write(async (orm) => {
    if (isLeft) {
      await orm.delete(datasets).where(and(eq(datasets.id, id), eq(datasets.status, 'processing')));
      await orm.delete(imports).where(eq(imports.dataset_id, id));
    }
    await end(orm);
  });
  await tidy?.();
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
