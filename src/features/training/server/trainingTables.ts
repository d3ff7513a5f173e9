// The tables of migrations/0011 and 0031 for drizzle.
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ChosenSettings } from '#core/contract/trainingSettings.ts';
import type { TrainingType } from '#features/training/shared/createJob.ts';
import type { RunHalving } from '#features/training/shared/halving.ts';
import type { Said } from './launchers/launcher.ts';
import type { ValidationPoint } from '#features/training/shared/trainingRecords.ts';
import { SCHEMA } from '#service/database/tables.ts';

const schema = pgSchema(SCHEMA);
const moment = () => timestamp({ withTimezone: true, mode: 'date' });

export const trainings = schema.table('trainings', {
  experiment_id: uuid().primaryKey(),
  training_type: text().$type<TrainingType>().notNull(),
  refinetune_from: uuid(),
  seed: integer().notNull(),
  chosen: jsonb().$type<ChosenSettings>().notNull().default({}),
  /** null: its job trains all runs to their ends. */
  halving: jsonb().$type<RunHalving>(),
  /** The launcher that places it; null: it is trained here, or by a worker that asks. */
  launcher: text(),
  /** The name of the token that asked for it; null: the studio's own. */
  asked_by: text(),
  /** Place in the queue, the smallest first; null: it does not wait. */
  position: doublePrecision(),
  reason: text(),
  wish: text().$type<'cancel' | 'stop'>(),
  /** How often it was begun since its last checkpoint. */
  attempts: integer().notNull().default(0),
  can_resume: boolean().notNull().default(false),
  step: integer().notNull().default(0),
  steps: integer(),
  seconds_left: doublePrecision(),
  tokens_per_step: doublePrecision(),
  rows_cut: integer(),
  rows_left_out: integer(),
  /** Every n-th step is kept. */
  stride: integer().notNull().default(1),
  /** Time of training, without that between attempts. */
  seconds: doublePrecision().notNull().default(0),
  log_size: bigint({ mode: 'number' }).notNull().default(0),
  started_at: moment(),
  ended_at: moment(),
  /** How often its end was told to the webhook in vain; null: there is nothing to tell. */
  untold: integer(),
  /** When the webhook is told again; null: at once. */
  tell_at: moment(),
});

export type Metrics = Readonly<Record<string, number>>;

const experimentId = () => uuid().notNull();

export const trainingPoints = schema.table(
  'training_points',
  {
    experiment_id: experimentId(),
    step: integer().notNull(),
    at: moment().notNull(),
    /** NaN: not a finite number. */
    loss: doublePrecision().notNull(),
    epoch: doublePrecision(),
    learning_rate: doublePrecision(),
    gradient_norm: doublePrecision(),
    tokens_per_second: doublePrecision(),
    /** Further curves by name; null: none. */
    metrics: jsonb().$type<Metrics>(),
  },
  (table) => [primaryKey({ columns: [table.experiment_id, table.step] })],
);

export const trainingValidations = schema.table(
  'training_validations',
  {
    experiment_id: experimentId(),
    step: integer().notNull(),
    at: moment().notNull(),
    loss: doublePrecision(),
    exact_match: doublePrecision(),
    metrics: jsonb().$type<Metrics>(),
    answers: jsonb().$type<ValidationPoint['answers']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.experiment_id, table.step] })],
);

export const trainingCheckpoints = schema.table(
  'training_checkpoints',
  { experiment_id: experimentId(), step: integer().notNull(), at: moment().notNull(), model_id: text() },
  (table) => [primaryKey({ columns: [table.experiment_id, table.step] })],
);

export const trainingLogs = schema.table(
  'training_logs',
  { experiment_id: experimentId(), starts_at: bigint({ mode: 'number' }).notNull(), body: text().notNull() },
  (table) => [primaryKey({ columns: [table.experiment_id, table.starts_at] })],
);

/** The job of a run at its launcher. */
export const launches = schema.table('launches', {
  experiment_id: uuid().primaryKey(),
  id: text().notNull(),
  launcher: text().notNull(),
  state: text().$type<'placing' | 'placed' | 'over'>().notNull(),
  token_hash: text(),
  claim_hash: text(),
  job: text(),
  said: jsonb().$type<Said>().notNull(),
  log_at: bigint({ mode: 'number' }).notNull().default(0),
  resumes: integer().notNull().default(0),
  placed_at: moment().notNull(),
  ends_at: moment(),
});

export const jobRequests = schema.table('job_requests', {
  key: text().primaryKey(),
  digest: text().notNull(),
  job_id: uuid().notNull(),
  created_at: moment().notNull(),
});
