// The tables of evaluations for drizzle.
import type { SQL } from 'drizzle-orm';
import {
  boolean,
  customType,
  integer,
  jsonb,
  pgSchema,
  real,
  smallint,
  text,
  timestamp,
  uuid,
  bigint,
  doublePrecision,
} from 'drizzle-orm/pg-core';
import type { Rate, RunStatus } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';
import type { RowSource } from '#features/evaluation/shared/contract/evaluations.ts';
import { SCHEMA } from '#service/database/tables.ts';

const schema = pgSchema(SCHEMA);
const moment = () => timestamp({ withTimezone: true, mode: 'date' });
const bytes = customType<{ data: SQL | Uint8Array }>({ dataType: () => 'bytea' });
const count = () => bigint({ mode: 'number' }).notNull().default(0);

export const evaluations = schema.table('evaluations', {
  id: uuid().primaryKey(),
  project_id: uuid().notNull(),
  dataset_id: uuid(),
  name: text().notNull(),
  is_default: boolean().notNull(),
  revision: integer().notNull(),
  version: integer().notNull(),
  models: jsonb().$type<readonly string[]>().notNull(),
  repeats: integer().notNull(),
  baseline: text(),
  created_at: moment().notNull(),
  created_by: text().notNull(),
  updated_at: moment().notNull(),
  updated_by: text().notNull(),
});

export const rowSets = schema.table('evaluation_row_sets', {
  id: uuid().primaryKey(),
  evaluation_id: uuid().notNull(),
  source: jsonb().$type<RowSource>().notNull(),
  row_count: integer().notNull(),
  tags: text().notNull(),
  bytes: count(),
});

export const rowBlocks = schema.table('evaluation_row_blocks', {
  row_set_id: uuid().notNull(),
  first_position: integer().notNull(),
  body: bytes().notNull(),
});

export const versions = schema.table('evaluation_versions', {
  evaluation_id: uuid().notNull(),
  version: integer().notNull(),
  row_set_id: uuid().notNull(),
  prompt: text(),
  system: text(),
  checks: text().notNull(),
  settings: text().notNull(),
  created_at: moment().notNull(),
  created_by: text().notNull(),
});

export const runs = schema.table('evaluation_runs', {
  id: uuid().primaryKey(),
  evaluation_id: uuid().notNull(),
  number: integer().notNull(),
  version: integer().notNull(),
  checks_version: integer().notNull(),
  status: text().$type<RunStatus>().notNull(),
  reason: text(),
  experiment_id: uuid(),
  cause: text().$type<'person' | 'training'>().notNull(),
  repeats: integer().notNull(),
  baseline: text().notNull(),
  row_count: integer().notNull(),
  created_at: moment().notNull(),
  created_by: text().notNull(),
  queued_at: moment().notNull(),
  started_at: moment(),
  ended_at: moment(),
});

export const runModels = schema.table('evaluation_run_models', {
  run_id: uuid().notNull(),
  place: smallint().notNull(),
  model: text().notNull(),
  fingerprints: jsonb().$type<readonly string[]>().notNull().default([]),
  done: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  prompt_tokens: count(),
  completion_tokens: count(),
  /** null: that of some answers is unknown. */
  ms: doublePrecision().default(0),
  judged: integer().notNull().default(0),
  bytes: count(),
  rate: jsonb().$type<Rate>(),
});

export const answers = schema.table('evaluation_answers', {
  run_id: uuid().notNull(),
  model: smallint().notNull(),
  position: integer().notNull(),
  repeat: smallint().notNull(),
  error: text(),
  text: text().notNull(),
  reasoning: text(),
  calls: text(),
  finish_reason: text(),
  prompt_tokens: integer(),
  completion_tokens: integer(),
  ms: real(),
  request_hash: bytes().notNull(),
});

export const verdicts = schema.table('evaluation_verdicts', {
  run_id: uuid().notNull(),
  scorer: text().notNull(),
  model: smallint().notNull(),
  first_position: integer().notNull(),
  outcomes: text().notNull(),
  scores: text(),
  reasons: text(),
});

export const judgements = schema.table('evaluation_judgements', {
  run_id: uuid().notNull(),
  kind: text().$type<JudgementKind>().notNull(),
  position: integer().notNull(),
  repeat: smallint().notNull(),
  first_model: smallint().notNull(),
  second_model: smallint().notNull(),
  rater: text().notNull(),
  outcome: text().$type<'pass' | 'fail' | 'first' | 'second' | 'tie'>().notNull(),
  comment: text(),
  correction: text(),
  at: moment().notNull(),
});
