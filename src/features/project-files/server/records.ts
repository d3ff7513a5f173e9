// The table of the kinds of lines in a project's file, version 1. Export, import, checks and their order derive from it. The
// README describes the file as a whole.
import { rightRowsSchema } from '#core/contract/rightRows.ts';
import { getTableColumns } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import * as z from 'zod/mini';
import { ANSWER_SHAPES, DECODINGS } from '#core/contract/answerShapes.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import {
  evaluationFields,
  evaluationRowsFields,
  evaluationVersionFields,
} from '#features/evaluation/shared/contract/evaluationTransfer.ts';
import { badLineSchema } from '#features/datasets/shared/contract/datasets.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { proposedExperimentSchema, modelRecommendationSchema } from '#core/contract/recommendation.ts';
import { newIdSchema, oneLineCheck, uuidSchema, wholePairsCheck } from '#core/contract/schemas.ts';
import { ROW_BUCKETS } from '#core/contract/rowsFile.ts';
import { EXPERIMENT_STATUSES, JOB_STATUSES, RECOMMENDATION_STATUSES } from '#core/contract/statuses.ts';
import { chosenSchema, OBJECTIVES } from '#core/contract/trainingSettings.ts';
import { exportParitySchema } from '#core/contract/exportParity.ts';
import { TRANSFER_FORMAT, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';
import * as tables from '#service/database/tables.ts';
import * as training from '#features/training/server/trainingTables.ts';

/** What an `integer` and a `bigint` of the database hold. */
const MAX_INTEGER = 2 ** 31 - 1;
const integerSchema = z.int().check(z.minimum(-MAX_INTEGER), z.maximum(MAX_INTEGER));
const countSchema = integerSchema.check(z.minimum(0));
const bytesSchema = z.int().check(z.minimum(0));
/** In capitals or not, an id is the same one. */
const idSchema = uuidSchema.check(z.toLowerCase());
const ownIdSchema = newIdSchema.check(z.toLowerCase());
/** Of a node among its siblings. The next one that is made here gets a number more, which must be one too. */
const placeSchema = countSchema.check(z.maximum(1_000_000));
const MOMENT = 'must be a date and time from 1970 to 9999, such as 2026-11-23T10:00:00Z';
const momentSchema = z.iso
  .datetime({ error: MOMENT })
  .check(z.refine((text) => Number(text.slice(0, 4)) >= 1970, MOMENT));
const labelSchema = z.string().check(z.maxLength(1000));
/** Of a node, by the rules of those that are made here. */
const nameSchema = labelSchema.check(
  oneLineCheck,
  z.refine((text) => text.trim() !== '', 'must not be blank'),
  wholePairsCheck,
);
const modelIdSchema = z.string().check(z.minLength(1), z.maxLength(500));
const numberSchema = z.nullable(z.number());
/** A figure that a training measured. JSON has no word for the last three. */
const measuredSchema = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])], {
  error: 'must be a number, "NaN", "Infinity" or "-Infinity"',
});
const figureSchema = z.nullable(measuredSchema);
const measuresSchema = z.nullable(z.record(z.string(), z.number()));
/** Files of earlier versions have none. */
const metricsSchema = z._default(measuresSchema, null);
/** Only what has a place of its own in a job: another name here would stand for a field of the run. */
const settingsSchema = z.object({
  right_rows: z.optional(rightRowsSchema),
  decoding: z.optional(z.enum(DECODINGS)),
  lora_rank: z.optional(z.int()),
  lora_alpha: z.optional(z.number()),
  seed: z.optional(z.int()),
  optimizer: z.optional(labelSchema),
  scheduler: z.optional(labelSchema),
  warmup_steps: z.optional(z.int()),
  lora_dropout: z.optional(z.number()),
  target_modules: z.optional(labelSchema),
  weight_decay: z.optional(z.number()),
  max_length: z.optional(countSchema),
  objective: z.optional(z.enum(OBJECTIVES)),
  beta: z.optional(z.number()),
  desirable_weight: z.optional(z.number()),
  undesirable_weight: z.optional(z.number()),
  reward_function: z.optional(labelSchema),
  parity: z.optional(exportParitySchema),
});
const answerSchema = z.strictObject({
  prompt: z.string(),
  expected: z.string(),
  answer: z.string(),
  is_right: z.nullable(z.boolean()),
});

interface Place {
  /** Order of kinds in a file. Those that belong to the node before them share its place. */
  readonly place: number;
  /** Its table: columns have the names of the fields. */
  readonly table?: PgTable;
  /** The field with the id of what it belongs to, and of which kind that is. `isLast`: it is the last one of its kind. */
  readonly parent?: { readonly field: string; readonly kind: string; readonly isLast?: true };
  /** A parent has one at most. */
  readonly isOnly?: true;
  /** The column by which rows of one parent are ordered, if not `id`. */
  readonly order?: string;
  /** The field with the rows, where a record has many. */
  readonly list?: string;
  /** Rows that one parent may have. */
  readonly most?: number;
}

const of = <Kind extends string, Own extends Place, Shape extends z.core.$ZodLooseShape>(
  kind: Kind,
  place: Own,
  shape: Shape,
) => ({
  ...place,
  schema: z.strictObject({ kind: z.literal(kind), ...shape }),
});
const at = <const More extends Omit<Place, 'place'> = object>(place: number, more: More = {} as More) => ({
  place,
  ...more,
});
/** Of a run, in the order of steps. What is kept of one is bounded (progressStore.ts); one that goes on may have some more. */
const ofTraining = <Table extends PgTable>(table: Table, most: number, order = 'step') =>
  ({ place: 6, table, parent: { field: 'experiment_id', kind: 'training', isLast: true }, order, most }) as const;
const ofSnapshot = { place: 3, parent: { field: 'snapshot_id', kind: 'snapshot', isLast: true } } as const;
const ofEvaluation = { place: 8, parent: { field: 'evaluation_id', kind: 'evaluation', isLast: true } } as const;
const ofDataset = { place: 2, parent: { field: 'dataset_id', kind: 'dataset', isLast: true } } as const;

const rowSchema = z.strictObject({
  /** The chat row as JSON. */
  text: z.string(),
  /** The line of the file that it came from, where that differs. */
  original: z.optional(z.string()),
  bucket: z.optional(z.enum(ROW_BUCKETS)),
});

const markSchema = z.strictObject({
  position: countSchema,
  is_set_aside: z.boolean(),
  tags: z.array(z.string().check(z.maxLength(DATA_LIMITS.tag))).check(z.maxLength(DATA_LIMITS.tags)),
  edited: z.nullable(z.string()),
});

export const KINDS = {
  manifest: of('manifest', at(0), {
    format: z.literal(TRANSFER_FORMAT),
    version: z.literal(TRANSFER_VERSION),
    exported_at: momentSchema,
    project_id: idSchema,
    name: nameSchema,
    rows: bytesSchema,
    model_bytes: bytesSchema,
  }),
  project: of('project', at(1, { table: tables.projects }), {
    id: ownIdSchema,
    name: nameSchema,
    goal: z.nullable(z.string().check(z.maxLength(DATA_LIMITS.goal))),
    created_at: momentSchema,
  }),
  dataset: of('dataset', at(2, { table: tables.datasets }), {
    id: ownIdSchema,
    position: placeSchema,
    label: nameSchema,
    datapoints_count: countSchema.check(z.maximum(DATA_LIMITS.rows)),
    main_measure: z.nullable(labelSchema),
    form: z.nullable(labelSchema),
    digest: z.nullable(z.string().check(z.maxLength(100))),
    bad_line_count: countSchema,
    bad_lines: z.array(badLineSchema).check(z.maxLength(DATA_LIMITS.badLinesKept)),
    created_at: momentSchema,
  }),
  rows: of('rows', ofDataset, {
    dataset_id: idSchema,
    first: countSchema,
    rows: z.array(rowSchema).check(z.minLength(1)),
  }),
  marks: of('marks', at(2, { ...ofDataset, table: tables.rowMarks, order: 'position', list: 'marks' }), {
    dataset_id: idSchema,
    marks: z.array(markSchema).check(z.minLength(1)),
  }),
  snapshot: of('snapshot', at(3, { table: tables.snapshots, parent: { field: 'dataset_id', kind: 'dataset' } }), {
    id: ownIdSchema,
    dataset_id: idSchema,
    position: placeSchema,
    label: nameSchema,
    rows_end: countSchema,
    training_count: countSchema,
    validation_count: countSchema,
    answer_shape: z.nullable(z.enum(ANSWER_SHAPES)),
    created_at: momentSchema,
  }),
  frozen: of('frozen', at(3, { ...ofSnapshot, table: tables.snapshotRows }), {
    snapshot_id: idSchema,
    sides: z.base64(),
  }),
  'frozen-texts': of('frozen-texts', ofSnapshot, {
    snapshot_id: idSchema,
    texts: z.array(z.tuple([countSchema, z.string()])).check(z.minLength(1)),
  }),
  recommendation: of('recommendation', at(3, { ...ofSnapshot, table: tables.recommendations, isOnly: true }), {
    snapshot_id: idSchema,
    status: z.enum(RECOMMENDATION_STATUSES),
    attempts: countSchema,
    error: z.nullable(z.string()),
    body: z.nullable(
      z.strictObject({
        recommended_models: z.array(modelRecommendationSchema),
        recommended_experiments: z.array(proposedExperimentSchema),
      }),
    ),
    started_at: momentSchema,
    finished_at: z.nullable(momentSchema),
  }),
  job: of('job', at(4, { table: tables.jobs, parent: { field: 'snapshot_id', kind: 'snapshot' } }), {
    id: ownIdSchema,
    snapshot_id: idSchema,
    position: placeSchema,
    label: nameSchema,
    status: z.enum(JOB_STATUSES),
    reasoning: z.boolean(),
    created_at: momentSchema,
  }),
  experiment: of('experiment', at(5, { table: tables.experiments, parent: { field: 'job_id', kind: 'job' } }), {
    id: ownIdSchema,
    job_id: idSchema,
    experiment_number: placeSchema,
    label: nameSchema,
    status: z.enum(EXPERIMENT_STATUSES),
    base_model_id: modelIdSchema,
    model_id: z.nullable(modelIdSchema),
    lora: z.boolean(),
    n_epochs: countSchema,
    batch_size: countSchema,
    learning_rate_multiplier: z.number().check(z.minimum(JOB_LIMITS.rate.min)),
    steps: z.nullable(countSchema),
    seconds: numberSchema,
    first_loss: figureSchema,
    last_loss: figureSchema,
    held_out: measuresSchema,
    held_out_base: measuresSchema,
    settings: z.nullable(settingsSchema),
    losses: z.nullable(z.array(z.tuple([countSchema, z.nullable(z.number())]))),
    failure: z.nullable(z.string()),
    created_at: momentSchema,
  }),
  training: of(
    'training',
    at(6, { table: training.trainings, parent: { field: 'experiment_id', kind: 'experiment' }, isOnly: true }),
    {
      experiment_id: idSchema,
      training_type: z.enum(['full', 'lora', 'qlora']),
      refinetune_from: z.nullable(idSchema),
      seed: integerSchema,
      // Files of earlier versions have none.
      chosen: z._default(chosenSchema, {}),
      reason: z.nullable(z.string()),
      step: countSchema,
      steps: z.nullable(countSchema),
      tokens_per_step: figureSchema,
      rows_cut: z.nullable(countSchema),
      rows_left_out: z.nullable(countSchema),
      stride: countSchema.check(z.minimum(1)),
      seconds: z.number(),
      log_size: bytesSchema,
      started_at: z.nullable(momentSchema),
      ended_at: z.nullable(momentSchema),
    },
  ),
  points: of('points', at(6, { ...ofTraining(training.trainingPoints, 50_000), list: 'points' }), {
    experiment_id: idSchema,
    points: z
      .array(
        z.strictObject({
          step: countSchema,
          at: momentSchema,
          loss: measuredSchema,
          epoch: figureSchema,
          learning_rate: figureSchema,
          gradient_norm: figureSchema,
          tokens_per_second: figureSchema,
          metrics: metricsSchema,
        }),
      )
      .check(z.minLength(1)),
  }),
  validation: of('validation', ofTraining(training.trainingValidations, 5_000), {
    experiment_id: idSchema,
    step: countSchema,
    at: momentSchema,
    loss: figureSchema,
    exact_match: figureSchema,
    metrics: metricsSchema,
    answers: z.array(answerSchema),
  }),
  checkpoint: of('checkpoint', ofTraining(training.trainingCheckpoints, 5_000), {
    experiment_id: idSchema,
    step: countSchema,
    at: momentSchema,
    model_id: z.nullable(modelIdSchema),
  }),
  log: of('log', ofTraining(training.trainingLogs, 10_000, 'starts_at'), {
    experiment_id: idSchema,
    starts_at: bytesSchema,
    body: z.string(),
  }),
  model: of('model', at(7, { parent: { field: 'experiment_id', kind: 'experiment' } }), {
    id: modelIdSchema,
    experiment_id: idSchema,
    /** An adapter is loaded over the weights of the model `base`. */
    form: z.enum(['whole', 'adapter']),
    base: modelIdSchema,
    /** The name of those weights, if they come with Model Studio. */
    base_file: z.nullable(z.string()),
    aliases: z.array(modelIdSchema).check(z.maxLength(100)),
    about: labelSchema,
    created_at: momentSchema,
    /** The name of its own file in the studio that wrote this, and its bytes; null: it was not there. */
    file: z.nullable(z.strictObject({ name: z.string(), bytes: bytesSchema })),
  }),
  /** A file of the model before it; its parts follow. `format` null: the model itself; else another form of it. */
  file: of('file', at(7, { parent: { field: 'model_id', kind: 'model', isLast: true } }), {
    model_id: modelIdSchema,
    format: z.nullable(z.string().check(z.regex(/^[\w-]+( [\w-]+)*$/), z.maxLength(60))),
    bytes: bytesSchema,
  }),
  part: of('part', at(7), { data: z.base64() }),
  'file-end': of('file-end', at(7), { sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  evaluation: of('evaluation', at(8, { parent: { field: 'project_id', kind: 'project' } }), {
    id: ownIdSchema,
    project_id: idSchema,
    dataset_id: z.nullable(idSchema),
    ...evaluationFields,
    created_at: momentSchema,
    updated_at: momentSchema,
  }),
  'evaluation-rows': of('evaluation-rows', ofEvaluation, { evaluation_id: idSchema, ...evaluationRowsFields }),
  'evaluation-version': of('evaluation-version', ofEvaluation, {
    evaluation_id: idSchema,
    ...evaluationVersionFields,
    created_at: momentSchema,
  }),
  note: of('note', at(9, { table: tables.notes, parent: { field: 'node_id', kind: 'node' }, isOnly: true }), {
    node_id: idSchema,
    name: z.nullable(z.string().check(z.maxLength(NOTE_LIMITS.name))),
    tags: z.array(z.string().check(z.maxLength(NOTE_LIMITS.tag))).check(z.maxLength(NOTE_LIMITS.tags)),
    is_starred: z.boolean(),
    is_archived: z.boolean(),
    text: z.string().check(z.maxLength(NOTE_LIMITS.text)),
    updated_at: momentSchema,
  }),
  /** How many lines stand before it, and their SHA-256, each with a line feed. */
  end: of('end', at(10), { lines: bytesSchema, sha256: z.string() }),
} as const;

type Kinds = typeof KINDS;
export type RecordKind = keyof Kinds;
export type RecordOf<Kind extends RecordKind> = z.infer<Kinds[Kind]['schema']>;
export type TransferRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind];
/** Kinds that are rows of a table. */
export type TableKind = { [Kind in RecordKind]: Kinds[Kind] extends { table: PgTable } ? Kind : never }[RecordKind];
export type RowOf<Kind extends TableKind> = Kinds[Kind]['table']['$inferSelect'];

export const placeOf = (kind: RecordKind): Place => KINDS[kind];
export const columnsOf = (kind: TableKind): Readonly<Record<string, PgColumn>> => getTableColumns(KINDS[kind].table);

/** Bytes of a line of a file at most: a row of 16 MB with its original, in quotes. */
export const MAX_LINE = 128 * 1024 * 1024;
/** Bytes of a model file in one line. */
export const PART_BYTES = 384 * 1024;
/** Nodes of a project, and bytes of a file once it is inflated: more than that is no project of this studio. */
export const MAX_NODES = 1_000_000;
export const MAX_INFLATED = 256 * 1024 ** 3;
