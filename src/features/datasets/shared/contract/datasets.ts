// Projects, datasets and snapshots as they are made, on the wire. ASSUMED: not in SPEC; paths and fields are those of the
// hosted studio's SDKs. What they lack (progress, bad lines, forms) is ours.
import * as z from 'zod/mini';
import {
  countSchema,
  fileSchema,
  maxCharacters,
  newIdSchema,
  noNulCheck,
  oneLineCheck,
  uuidSchema,
  wholeTextSchema,
  wordsSchema,
} from '#core/contract/schemas.ts';
import { ROW_BUCKETS } from '#core/contract/rowsFile.ts';
import { DATASET_STATUSES } from '#core/contract/statuses.ts';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import { ROW_FORMS } from '#core/rows/chatRow.ts';
import { newRowFields } from './newRow.ts';
import { rowMappingSchema } from './rowMapping.ts';

export const nameSchema = wordsSchema(DATA_LIMITS.name).check(oneLineCheck);

/** `POST .../projects/create`. Unknown fields are dropped here and below, because other clients send more. */
export const newProjectSchema = z.object({
  name: nameSchema,
  goal: z.optional(z.string().check(maxCharacters(DATA_LIMITS.goal), noNulCheck)),
});
export const projectMadeSchema = z.strictObject({ project_id: uuidSchema });

/** `mapped`: by columns that a person chose. */
export const DATASET_FORMS = [...ROW_FORMS, 'mapped'] as const;

/** The form of `POST .../datasets/create-from-jsonl`, but for its file. */
export const newDatasetSchema = z.object({
  name: nameSchema,
  project_id: uuidSchema,
  /** Chosen by the caller, so that progress can be asked for while the file is sent. */
  dataset_id: z.optional(newIdSchema),
  /** Absent: found out from the first rows. */
  form: z.optional(z.enum(ROW_FORMS)),
  /** JSON, read by `parseMapping`. */
  mapping: z.optional(z.string()),
  bad_lines: z.optional(z.enum(['refuse', 'skip'])),
});
export type NewDataset = z.infer<typeof newDatasetSchema>;

/** The whole form. The file is last: many clients write the parts in this order, and what comes after the file is read late. */
export const newDatasetFormSchema = z.extend(newDatasetSchema, {
  mapping: z.optional(rowMappingSchema),
  file: fileSchema,
});

export const datasetMadeSchema = z.strictObject({ dataset_id: uuidSchema });

export const badLineSchema = z.strictObject({
  line: z.int().check(z.minimum(1)),
  column: z.int().check(z.minimum(1), z.describe('In UTF-16 units.')),
  message: z.string(),
  start: z.string().check(z.describe('The first 200 characters of the line.')),
});
export type BadLine = z.infer<typeof badLineSchema>;

export const datasetSchema = z.strictObject({
  id: uuidSchema,
  name: z.string(),
  project_id: z.nullable(uuidSchema).check(z.describe('null: not known yet, because the file was sent first.')),
  status: z.enum(DATASET_STATUSES),
  datapoints_count: countSchema,
  created_at: z.string(),
  updated_at: z.string().check(z.describe('When its rows, what is marked of them, or its snapshots changed last.')),
  labels: z
    .array(z.strictObject({ id: z.string(), name: z.string(), description: z.optional(z.nullable(z.string())) }))
    .check(z.describe('Always empty: rows have tags here. The SDK of the hosted studio asks for the field.')),
  snapshots: z.array(z.strictObject({ id: uuidSchema, created_at: z.string() })),
  form: z.nullable(z.enum(DATASET_FORMS)),
  progress: z.nullable(
    z.strictObject({
      bytes: countSchema,
      total: z.nullable(countSchema).check(z.describe('null: the length of the upload is not known.')),
      rows: countSchema,
      rows_per_second: z.number(),
    }),
  ),
  bad_lines: z.strictObject({ count: countSchema, first: z.array(badLineSchema) }),
  same_file_as: z.nullable(z.strictObject({ id: uuidSchema, name: z.string() })),
  /** Why it has failed. */
  error: z.nullable(z.string()),
});
export type Dataset = z.infer<typeof datasetSchema>;

/** `POST .../datasets/{datasetId}/addDatapoint`. */
export const newDatapointSchema = z.object({
  ...newRowFields,
  // ASSUMED: `uncategorized` is the SDK's word for none.
  bucket: z.optional(z.nullable(z.enum([...ROW_BUCKETS, 'uncategorized']))),
});
export type NewDatapoint = z.infer<typeof newDatapointSchema>;
/** `id`: that of the row, a UUID made of the dataset's id and the row's position. */
export const datapointMadeSchema = z.strictObject({ id: uuidSchema, message: z.string() });

const percentageSchema = z.int().check(z.minimum(SPLIT_PERCENTAGE.min), z.maximum(SPLIT_PERCENTAGE.max));

/** `POST .../snapshots/create`. */
export const newSnapshotSchema = z.object({
  dataset_id: uuidSchema,
  split_percentage: z.optional(z.nullable(percentageSchema)),
  name: z.optional(nameSchema),
});
/** The parts of `POST .../snapshots/create-from-files` that are files, and the side of the rows in each. */
export const SNAPSHOT_FILES = { training_file: 'training', validation_file: 'validation' } as const;

/** The form of `POST .../snapshots/create-from-files`, but for its files. */
export const newFilesSnapshotSchema = z.object({ project_id: uuidSchema, label: nameSchema });
export const newFilesSnapshotFormSchema = z.extend(newFilesSnapshotSchema, {
  training_file: fileSchema,
  validation_file: z.optional(fileSchema),
});
export type NewSnapshot = z.infer<typeof newSnapshotSchema>;
export const snapshotMadeSchema = z.strictObject({ snapshot_id: uuidSchema });

export const splitQuerySchema = z.object({
  percentage: z
    .optional(wholeTextSchema(SPLIT_PERCENTAGE.min, SPLIT_PERCENTAGE.max))
    .check(z.describe(`Whole percent of rows for training, ${SPLIT_PERCENTAGE.fallback} if absent.`)),
});

/** `GET .../datasets/{datasetId}/split?percentage=`. */
export const splitSchema = z.strictObject({
  percentage: percentageSchema,
  training_count: countSchema,
  validation_count: countSchema,
  /** Rows that were set aside: in neither. */
  left_out_count: countSchema,
  /** Rows whose side a bucket chose, and validation rows that are training rows too because of that. */
  chosen_count: countSchema,
  leak_count: countSchema,
});
export type Split = z.infer<typeof splitSchema>;

const comparedSchema = z.strictObject({ count: countSchema, positions: z.array(countSchema) });

export const compareQuerySchema = z.object({ with: uuidSchema.check(z.describe('UUID of the other snapshot.')) });

/** `GET .../snapshots/{snapshotId}/compare?with=`. Rows are the same if their content is. Positions: the first 200. */
export const snapshotComparisonSchema = z.strictObject({
  same_count: countSchema,
  /** Only in this snapshot. */
  added: comparedSchema,
  /** Only in the other; positions in the other's dataset. */
  gone: comparedSchema,
  /** The same question with another answer; in pairs: the position in the other's dataset, and in this one's. */
  changed: z.strictObject({ count: countSchema, pairs: z.array(z.tuple([countSchema, countSchema])) }),
  /** In both, on the other side. Positions in this one's dataset. */
  moved: comparedSchema,
});
export type SnapshotComparison = z.infer<typeof snapshotComparisonSchema>;

const NODE_TYPES = ['project', 'dataset', 'snapshot', 'finetuning-job', 'experiment'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

const deletedNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.enum(NODE_TYPES),
  label: z.string(),
  /** The project that it belongs to. */
  project_id: uuidSchema,
  deleted_at: z.string(),
  /** When it can no longer be restored. */
  gone_at: z.string(),
});
export const deletedListSchema = z.strictObject({ deleted: z.array(deletedNodeSchema) });
export type DeletedNode = z.infer<typeof deletedNodeSchema>;
