// The tables of migrations/*.sql for drizzle. Columns that the API has too have the same names as there.
import { and, isNull, type Column, type SQL } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  jsonb,
  pgSchema,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import type { ChosenSettings } from '#core/contract/trainingSettings.ts';
import type { JobExperiment } from '#core/contract/job.ts';
import type { ProposedExperiment, ModelRecommendation } from '#core/contract/recommendation.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';
import type { DatasetStatus, ExperimentStatus, JobStatus, RecommendationStatus } from '#core/contract/statuses.ts';

export const SCHEMA = 'studio';
const schema = pgSchema(SCHEMA);

const moment = () => timestamp({ withTimezone: true, mode: 'date' });

/**
 * `deleted_at` of a project that is being imported: it is hidden as deleted ones are, from a moment so far ahead that it is not
 * swept.
 */
export const INCOMPLETE = new Date('9999-01-01T00:00:00.000Z');

/** `deleted_at` of what is being removed for good: it is hidden, and can't be restored any more. */
export const REMOVED = new Date('9998-01-01T00:00:00.000Z');

export const projects = schema.table('projects', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  goal: text(),
  created_at: moment().notNull(),
  /** When it came in as a file: what ran before did so elsewhere. null: it was made here. */
  imported_at: moment(),
  /** When a person deleted it; it is hidden, and removed a day later. */
  deleted_at: moment(),
});

export const datasets = schema.table('datasets', {
  id: uuid().primaryKey(),
  project_id: uuid().notNull(),
  position: integer().notNull(),
  label: text().notNull(),
  status: text().$type<DatasetStatus>().notNull(),
  datapoints_count: integer().notNull(),
  /** The measure that a person chose to compare its runs by; null: the first one that can decide. */
  main_measure: text(),
  /** The form of the rows of its file; null: it was not imported from one. */
  form: text(),
  digest: text(),
  bad_line_count: integer().notNull().default(0),
  bad_lines: text(),
  /** Another one after each change of what its rows are: set aside, taken back or edited. */
  marks_revision: integer().notNull().default(0),
  created_at: moment().notNull(),
  /** When a row was added or marked last; null: never. */
  updated_at: moment(),
  deleted_at: moment(),
});

/** Written as SQL: see rows/rowStore.ts. */
const bytes = customType<{ data: SQL | Uint8Array }>({ dataType: () => 'bytea' });

export const rowBlocks = schema.table('row_blocks', {
  dataset_id: uuid().notNull(),
  first_position: integer().notNull(),
  row_count: integer().notNull(),
  body: bytes().notNull(),
  grams: bytes().notNull(),
});

export const rowMarks = schema.table('row_marks', {
  dataset_id: uuid().notNull(),
  position: integer().notNull(),
  is_set_aside: boolean().notNull(),
  tags: jsonb().$type<string[]>().notNull(),
  edited: text('mended'),
  edited_hash: text('mended_hash'),
});

export const snapshotRows = schema.table('snapshot_rows', {
  snapshot_id: uuid().primaryKey(),
  sides: text().notNull(),
  edited: text('mended'),
});

export const imports = schema.table('imports', {
  dataset_id: uuid().primaryKey(),
  project_id: uuid(),
  name: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  total: bigint({ mode: 'number' }),
  row_count: integer().notNull(),
  is_cancelled: boolean().notNull(),
  started_at: moment().notNull(),
});

export const snapshots = schema.table('snapshots', {
  id: uuid().primaryKey(),
  dataset_id: uuid().notNull(),
  position: integer().notNull(),
  label: text().notNull(),
  /** The snapshot holds the dataset's rows with a position below this one. */
  rows_end: integer().notNull(),
  training_count: integer().notNull(),
  validation_count: integer().notNull(),
  /** null until its rows have been read. */
  answer_shape: text().$type<AnswerShape>(),
  created_at: moment().notNull(),
  deleted_at: moment(),
});

export const jobs = schema.table('jobs', {
  id: uuid().primaryKey(),
  snapshot_id: uuid().notNull(),
  position: integer().notNull(),
  label: text().notNull(),
  status: text().$type<JobStatus>().notNull(),
  reasoning: boolean().notNull(),
  created_at: moment().notNull(),
  deleted_at: moment(),
});

/** `rows`: the number of validation rows; all other keys are measures (training/measures.ts). */
export type HeldOut = Readonly<Record<string, number>>;

/** Settings of a training that have no column of their own, and how its answers were generated for the measures. */
export type TrainingSettings = Pick<
  JobExperiment,
  'right_rows' | 'decoding' | 'optimizer' | Extract<keyof ChosenSettings, keyof JobExperiment>
> & {
  /** Whether the model's files answer as the trainer did. Not a field of the job: `progress` of its training has it. */
  readonly parity?: ExportParity;
};

export const experiments = schema.table('experiments', {
  id: uuid().primaryKey(),
  job_id: uuid().notNull(),
  experiment_number: integer().notNull(),
  label: text().notNull(),
  status: text().$type<ExperimentStatus>().notNull(),
  base_model_id: text().notNull(),
  model_id: text(),
  lora: boolean().notNull(),
  n_epochs: integer().notNull(),
  batch_size: integer().notNull(),
  learning_rate_multiplier: doublePrecision().notNull(),
  steps: integer(),
  seconds: doublePrecision(),
  first_loss: doublePrecision(),
  last_loss: doublePrecision(),
  held_out: jsonb().$type<HeldOut>(),
  held_out_base: jsonb().$type<HeldOut>(),
  settings: jsonb().$type<TrainingSettings>(),
  losses: jsonb().$type<readonly (readonly [step: number, loss: number | null])[]>(),
  failure: text(),
  created_at: moment().notNull(),
  deleted_at: moment(),
});

export const models = schema.table('models', {
  id: text().primaryKey(),
  /** Order of display. */
  position: integer().notNull(),
  experiment_id: uuid(),
  /** File names; the folder is decided when the studio opens. */
  file: text().notNull(),
  adapter: text(),
  aliases: jsonb().$type<readonly string[]>().notNull(),
  owned_by: text().notNull(),
  about: text().notNull(),
  /** Set for a model without an experiment, whose prompts can't come from a dataset's rows. */
  examples: jsonb().$type<{ readonly system_prompt: string; readonly prompts: readonly string[] }>(),
  created_at: moment().notNull(),
});

export interface RecommendationBody {
  readonly recommended_models: ModelRecommendation[];
  readonly recommended_experiments: ProposedExperiment[];
}

export const recommendations = schema.table('recommendations', {
  snapshot_id: uuid().primaryKey(),
  status: text().$type<RecommendationStatus>().notNull(),
  /** The queue's job that computes it. */
  job_id: uuid().notNull(),
  attempts: integer().notNull(),
  error: text(),
  body: jsonb().$type<RecommendationBody>(),
  started_at: moment().notNull(),
  finished_at: moment(),
});

export const samples = schema.table('samples', {
  project_id: uuid().primaryKey(),
  digest: text().notNull(),
  edition: integer().notNull(),
});

/** One row. Triggers increase its number whenever a table of the tree changes. */
export const treeRevision = schema.table('tree_revision', { number: bigint({ mode: 'number' }).notNull() });

/** The revision of the last change beneath a snapshot, written by the same triggers; no row before the first change. */
export const snapshotMarks = schema.table('snapshot_marks', {
  snapshot_id: uuid().primaryKey(),
  revision: bigint({ mode: 'number' }).notNull(),
});

export const notes = schema.table('notes', {
  node_id: uuid().primaryKey(),
  name: text(),
  tags: jsonb().$type<string[]>().notNull(),
  is_starred: boolean().notNull(),
  is_archived: boolean().notNull(),
  body: text().notNull(),
  revision: integer().notNull(),
  updated_at: moment().notNull(),
  updated_by: text(),
});

/** Of rows of these tables, joined: none was deleted. */
export const notDeleted = (...tables: readonly { readonly deleted_at: Column }[]): SQL | undefined =>
  and(...tables.map(({ deleted_at }) => isNull(deleted_at)));
