// The tables of traces, and a trace as it is sent.
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  pgSchema,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Band } from '#features/traces/shared/traceLimits.ts';
import type { PROCESSING, Trace } from '#features/traces/shared/traces.ts';
import { SCHEMA } from '#service/database/tables.ts';

const schema = pgSchema(SCHEMA);

/** `traces`: how many there are. */
export const traceGroups = schema.table('trace_groups', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  project_id: uuid(),
  model_id: text().notNull(),
  band: text().$type<Band>().notNull(),
  traces: integer().notNull(),
});

export const traces = schema.table('traces', {
  id: uuid().primaryKey(),
  /** The order in which they came. */
  position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  group_id: integer().notNull(),
  created_at: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  input: text().notNull(),
  output: text().notNull(),
  /** JSON: the conversation before the output; null: the input alone. */
  messages: text(),
  score: doublePrecision(),
  feedback: text(),
  processing: text().$type<(typeof PROCESSING)[number]>().notNull(),
  reason: text(),
  /** Times that a correction was begun. */
  attempts: smallint().notNull(),
  /** Where it was added, or is to be once it is corrected. */
  dataset_id: uuid(),
  /** null: it was not added. */
  row_position: integer(),
});

export const traceSettings = schema.table('trace_settings', {
  project_id: uuid().primaryKey(),
  keeps_chats: boolean().notNull(),
  keep_days: integer(),
  /** Chats that were too large to be kept. */
  left_out: integer().notNull().default(0),
  corrector: text(),
});

type TraceRow = typeof traces.$inferSelect;

/** A trace with what its group says. */
export type GroupedRow = TraceRow & Pick<typeof traceGroups.$inferSelect, 'project_id' | 'model_id'>;

export const toTrace = (row: GroupedRow): Trace => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  modelId: row.model_id,
  projectId: row.project_id,
  input: row.input,
  output: row.output,
  score: row.score,
  feedback: row.feedback,
  addedToDataset: row.row_position !== null,
  processingStatus: row.processing,
  reason: row.reason,
  datasetId: row.dataset_id,
});
