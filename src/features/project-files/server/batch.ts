// Rows of one table that are inserted together, because each statement costs more than a row.
import { setImmediate as rest } from 'node:timers/promises';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { HeldLease } from '#service/database/leases/leases.ts';

/** Rows of one statement, and characters of texts that wait for it. */
export const BATCH = 200;
const BATCH_TEXT = 1024 * 1024;

/** In characters, roughly. */
const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : typeof value === 'object' ? JSON.stringify(value).length : 0;

export function openBatch(write: HeldLease['write']) {
  let table: PgTable | null = null;
  let rows: Readonly<Record<string, unknown>>[] = [];
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
    async add(into: PgTable, row: Readonly<Record<string, unknown>>): Promise<void> {
      if (table !== into || rows.length >= BATCH || text >= BATCH_TEXT) await flush();
      table = into;
      rows.push(row);
      for (const value of Object.values(row)) text += lengthOf(value);
    },
  };
}
