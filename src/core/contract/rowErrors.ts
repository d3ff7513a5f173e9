// Which validation rows a run answers wrong, where they are alike.
// ASSUMED: not in SPEC. Only a local studio has the rows.
import * as z from 'zod/mini';
import { DATA_LIMITS } from './dataLimits.ts';
import { countSchema } from './schemas.ts';

const positionsSchema = z
  .array(countSchema)
  .check(
    z.maxLength(DATA_LIMITS.placed),
    z.describe(`Places of the rows in the dataset, the first ${DATA_LIMITS.placed}.`),
  );

const labelSchema = z.strictObject({
  value: z.string(),
  rows: countSchema.check(z.describe('Measured validation rows with this label.')),
  wrong: countSchema.check(z.describe('Of these, how many the run answers wrong.')),
  training_rows: z.nullable(countSchema).check(z.describe('null: too many training rows to read.')),
});

export const rowErrorsSchema = z.strictObject({
  rows: z.nullable(countSchema).check(z.describe('Measured validation rows; null: not known which of them are right.')),
  wrong: countSchema,
  /** Labels that hold more than half of the errors, each with more of them than chance gives. */
  labels: z.nullable(
    z.strictObject({
      field: z.nullable(z.string()).check(z.describe('Of JSON answers; null: the whole answer is the label.')),
      values: z.array(labelSchema),
      /** Different values of the field among the validation rows. */
      kinds: countSchema,
      positions: positionsSchema,
      training_rows: z.nullable(countSchema),
      contradicting: z
        .nullable(z.strictObject({ count: countSchema, positions: positionsSchema }))
        .check(z.describe('Training rows with these labels whose question others answer differently.')),
    }),
  ),
  /** Errors that the other runs of the snapshot make as well, if they are more than half, and more than chance gives. */
  shared: z.nullable(
    z.strictObject({
      runs: countSchema.check(z.describe('Runs that were measured on the same rows, this one included.')),
      least: countSchema.check(z.describe('Each of these rows is wrong in at least so many of them.')),
      count: countSchema,
      positions: positionsSchema,
    }),
  ),
});
export type RowErrors = z.infer<typeof rowErrorsSchema>;
