// The lines of a project's file, version 1: one schema for each kind. The README describes the file as a whole.
import * as z from 'zod/mini';
import { ANSWER_SHAPES, DECODINGS } from '#core/contract/answerShapes.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { badLineSchema } from '#features/datasets/shared/contract/datasets.ts';
import { JOB_LIMITS, NOTE_LIMITS } from '#core/contract/limits.ts';
import { proposedExperimentSchema, modelRecommendationSchema } from '#core/contract/recommendation.ts';
import { newIdSchema, oneLineCheck, uuidSchema, wholePairsCheck } from '#core/contract/schemas.ts';
import { ROW_BUCKETS } from '#core/contract/rowsFile.ts';
import { EXPERIMENT_STATUSES, JOB_STATUSES, RECOMMENDATION_STATUSES } from '#core/contract/statuses.ts';
import { exportParitySchema } from '#core/contract/exportParity.ts';
import { TRANSFER_FORMAT, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';

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
/** Only what has a place of its own in a job: another name here would stand for a field of the run. */
const settingsSchema = z.object({
  decoding: z.optional(z.enum(DECODINGS)),
  lora_rank: z.optional(z.int()),
  lora_alpha: z.optional(z.number()),
  seed: z.optional(z.int()),
  optimizer: z.optional(labelSchema),
  scheduler: z.optional(labelSchema),
  warmup_steps: z.optional(z.int()),
  parity: z.optional(exportParitySchema),
});
const answerSchema = z.strictObject({
  prompt: z.string(),
  expected: z.string(),
  answer: z.string(),
  is_right: z.nullable(z.boolean()),
});

const of = <Kind extends string, Shape extends z.core.$ZodLooseShape>(kind: Kind, shape: Shape) =>
  z.strictObject({ kind: z.literal(kind), ...shape });

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

export const RECORDS = {
  manifest: of('manifest', {
    format: z.literal(TRANSFER_FORMAT),
    version: z.literal(TRANSFER_VERSION),
    exported_at: momentSchema,
    project_id: idSchema,
    name: nameSchema,
    rows: bytesSchema,
    model_bytes: bytesSchema,
  }),
  project: of('project', {
    id: ownIdSchema,
    name: nameSchema,
    goal: z.nullable(z.string().check(z.maxLength(DATA_LIMITS.goal))),
    created_at: momentSchema,
  }),
  dataset: of('dataset', {
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
  rows: of('rows', { dataset_id: idSchema, first: countSchema, rows: z.array(rowSchema).check(z.minLength(1)) }),
  marks: of('marks', { dataset_id: idSchema, marks: z.array(markSchema).check(z.minLength(1)) }),
  snapshot: of('snapshot', {
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
  frozen: of('frozen', { snapshot_id: idSchema, sides: z.base64() }),
  'frozen-texts': of('frozen-texts', {
    snapshot_id: idSchema,
    texts: z.array(z.tuple([countSchema, z.string()])).check(z.minLength(1)),
  }),
  recommendation: of('recommendation', {
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
  job: of('job', {
    id: ownIdSchema,
    snapshot_id: idSchema,
    position: placeSchema,
    label: nameSchema,
    status: z.enum(JOB_STATUSES),
    reasoning: z.boolean(),
    created_at: momentSchema,
  }),
  experiment: of('experiment', {
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
  training: of('training', {
    experiment_id: idSchema,
    training_type: z.enum(['full', 'lora', 'qlora']),
    refinetune_from: z.nullable(idSchema),
    seed: integerSchema,
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
  }),
  points: of('points', {
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
        }),
      )
      .check(z.minLength(1)),
  }),
  validation: of('validation', {
    experiment_id: idSchema,
    step: countSchema,
    at: momentSchema,
    loss: figureSchema,
    exact_match: figureSchema,
    answers: z.array(answerSchema),
  }),
  checkpoint: of('checkpoint', {
    experiment_id: idSchema,
    step: countSchema,
    at: momentSchema,
    model_id: z.nullable(modelIdSchema),
  }),
  log: of('log', { experiment_id: idSchema, starts_at: bytesSchema, body: z.string() }),
  model: of('model', {
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
  file: of('file', {
    model_id: modelIdSchema,
    format: z.nullable(z.string().check(z.regex(/^[\w-]+( [\w-]+)*$/), z.maxLength(60))),
    bytes: bytesSchema,
  }),
  part: of('part', { data: z.base64() }),
  'file-end': of('file-end', { sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  note: of('note', {
    node_id: idSchema,
    name: z.nullable(z.string().check(z.maxLength(NOTE_LIMITS.name))),
    tags: z.array(z.string().check(z.maxLength(NOTE_LIMITS.tag))).check(z.maxLength(NOTE_LIMITS.tags)),
    is_starred: z.boolean(),
    is_archived: z.boolean(),
    text: z.string().check(z.maxLength(NOTE_LIMITS.text)),
    updated_at: momentSchema,
  }),
  /** How many lines stand before it, and their SHA-256, each with a line feed. */
  end: of('end', { lines: bytesSchema, sha256: z.string() }),
} as const;

export type RecordKind = keyof typeof RECORDS;
export type RecordOf<Kind extends RecordKind> = z.infer<(typeof RECORDS)[Kind]>;
export type TransferRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind];

/** Bytes of a line of a file at most: a row of 16 MB with its original, in quotes. */
export const MAX_LINE = 128 * 1024 * 1024;
/** Bytes of a model file in one line. */
export const PART_BYTES = 384 * 1024;
/** Nodes of a project, and bytes of a file once it is inflated: more than that is no project of this studio. */
export const MAX_NODES = 1_000_000;
export const MAX_INFLATED = 256 * 1024 ** 3;

/** The figure as JSON has it. */
export const toFigure = (value: number): number | 'NaN' | 'Infinity' | '-Infinity' =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';

/** What is kept of a training is bounded (server/training/progressStore.ts); a run that goes on may have some more for a moment. */
export const MAX_OF_TRAINING = { points: 50_000, validation: 5_000, checkpoint: 5_000, log: 10_000 } as const;
