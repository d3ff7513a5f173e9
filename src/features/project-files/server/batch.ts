// Rows of one table that are inserted together, because each statement costs more than a row.
import { setImmediate as rest } from 'node:timers/promises';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { HeldLease } from '#service/database/leases/leases.ts';

/** Rows of one statement, and characters of texts that wait for it. */
export const BATCH = 200;
const BATCH_TEXT = 1024 * 1024;

export function openBatch(write: HeldLease['write']) {
  let table: PgTable | null = null;
  let rows: Record<string, unknown>[] = [];
  let text = 0;
  const flush = async (): Promise<void> => {
    const [into, values] = [table, rows];
    [table, rows, text] = [null, [], 0];
    if (!into || values.length === 0) return;
    await write((transaction) => transaction.insert(into).values(values as never));
    // The embedded database runs in this process: without a rest nobody else would be answered between two statements.
    await rest();
  };
  return {
    flush,
    /** `length`: characters of its texts, roughly. */
    async add(into: PgTable, row: Record<string, unknown>, length = 0): Promise<void> {
      if (table !== into || rows.length >= BATCH || text >= BATCH_TEXT) await flush();
      table = into;
      rows.push(row);
      text += length;
    },
  };
}
