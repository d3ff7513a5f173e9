// A whole project as one file: its paths, limits and answers.
// ASSUMED: not in SPEC. Only a local studio has rows and runs of its own; a gateway answers 404.
import * as z from 'zod/mini';
import { countSchema, fileSchema, uuidSchema } from '#core/contract/schemas.ts';

/** What is known of a model that an imported run names. `ready`: it can be asked now. */
const importedModelSchema = z.strictObject({
  id: z.string().check(z.describe('Its name here. `changes` says if the file has another.')),
  state: z.enum(['ready', 'missing']),
  reason: z.nullable(z.string()).check(z.describe('Why it is missing, as sentences.')),
  bytes: countSchema.check(z.describe('Of the files of it that come along.')),
});
export type ImportedModel = z.infer<typeof importedModelSchema>;

/** What an import may change of what a project's file says. */
export const IMPORT_CHANGES = [
  'project_renamed',
  'model_renamed',
  'alias_dropped',
  'run_ended',
  'job_ended',
  'recommendation_ended',
  'date_moved',
  'function_dropped',
] as const;
export type ImportChangeKind = (typeof IMPORT_CHANGES)[number];

/** So many of a kind of change are named; all are counted. */
export const NAMED_CHANGES = 50;

const importChangeSchema = z.strictObject({
  kind: z.enum(IMPORT_CHANGES),
  reason: z.string().check(z.describe('Why, as sentences.')),
  count: countSchema,
  named: z
    .array(
      z.strictObject({
        of: z.nullable(z.string()).check(z.describe('The name of what it is about, where `from` does not say it.')),
        from: z.string().check(z.describe('What the file says.')),
        to: z.nullable(z.string()).check(z.describe('What is here instead; null: nothing.')),
      }),
    )
    .check(z.maxLength(NAMED_CHANGES), z.describe(`The first ${NAMED_CHANGES}.`)),
});
export type ImportChange = z.infer<typeof importChangeSchema>;

/** The query of an export. */
export const exportQuerySchema = z.object({
  models: z
    .optional(z.enum(['include', 'leave']))
    .check(z.describe('`include`: with the files of its models. Absent: they are named only.')),
});

/** The form of `POST .../studio/projects/import`, but for its file. */
export const importFieldsSchema = z.strictObject({
  ids: z
    .optional(z.enum(['keep', 'new']))
    .check(z.describe('`keep` (if absent): the ids of the file. `new`: a copy with ids of its own. Before the file.')),
  models: z
    .optional(z.enum(['include', 'leave']))
    .check(z.describe('`include`: the model files of the file are taken, too. `leave` if absent. Before the file.')),
  seed: z
    .optional(uuidSchema)
    .check(z.describe('Of a preview of the file: the names that are made are those that it told. Before the file.')),
});

/** The whole form. The file is last: many clients write the parts in this order. */
export const importFormSchema = z.extend(importFieldsSchema, { file: fileSchema });

export const projectImportedSchema = z.strictObject({
  project_id: uuidSchema,
  name: z.string(),
  counts: z.strictObject({
    datasets: countSchema,
    rows: countSchema,
    snapshots: countSchema,
    jobs: countSchema,
    experiments: countSchema,
    notes: countSchema,
  }),
  models: z.array(importedModelSchema),
  changes: z
    .array(importChangeSchema)
    .check(z.describe('What is not as the file says: names, states and dates from elsewhere are not believed.')),
});
export type ProjectImported = z.infer<typeof projectImportedSchema>;

/** What an import of the file would answer now. Nothing is stored. */
export const importPreviewSchema = z.extend(projectImportedSchema, {
  seed: uuidSchema.check(z.describe('To be sent with the import.')),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;
