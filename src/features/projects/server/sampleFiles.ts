// Reads the sample's files: the real runs (runs.json) and the rows that they used.
import { rightRowsSchema } from '#core/contract/rightRows.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { DECODINGS } from '#core/contract/answerShapes.ts';

/** Absolute path of a file of the sample, wherever the product is installed. */
export function toSamplePath(file: string): string {
  return fileURLToPath(new URL(`./sample/${file}`, import.meta.url));
}

/** The folder of all its files. */
export const SAMPLE_FOLDER = fileURLToPath(new URL('./sample', import.meta.url));

/** Increase it with every change of the sample's files. A database with a later edition stays as it is. */
export const SAMPLE_EDITION = 5;

/** One line of runs.json; fields that the studio does not use are left out. */
const runSchema = z.object({
  dataset: z.string(),
  experiment: z.int(),
  mode: z.enum(['lora', 'full']),
  learning_rate: z.number(),
  n_epochs: z.int(),
  /** Starts with the number of packed rows per step. */
  batch: z.string().check(z.regex(/^\d+ /)),
  training_count: z.int(),
  validation_count: z.int(),
  steps: z.int(),
  seconds: z.number(),
  first_loss: z.number(),
  last_loss_mean20: z.nullable(z.number()),
  failed: z.nullable(z.string()),
  file: z.nullable(z.string()),
  held_out_base: z.optional(z.record(z.string(), z.number())),
  held_out: z.optional(z.record(z.string(), z.number())),
  settings: z.optional(
    z.object({
      right_rows: z.optional(rightRowsSchema),
      decoding: z.optional(z.enum(DECODINGS)),
      lora_rank: z.optional(z.int()),
      lora_alpha: z.optional(z.number()),
      seed: z.optional(z.int()),
      optimizer: z.optional(z.string()),
      scheduler: z.optional(z.string()),
      warmup_steps: z.optional(z.int()),
    }),
  ),
  /** Step and loss, thinned; null for a loss that was not finite. */
  losses: z.optional(z.array(z.tuple([z.int(), z.nullable(z.number())]))),
});

export type SampleRun = z.infer<typeof runSchema>;

export interface SampleRow {
  readonly bucket: 'training' | 'validation';
  readonly body: string;
}

export interface SampleFiles {
  readonly runs: readonly SampleRun[];
  /** Rows by the name of the dataset's files, training rows first. */
  readonly rows: ReadonlyMap<string, readonly SampleRow[]>;
  /** Changes when runs.json or any row does; the models' own files are not read here. */
  readonly digest: string;
}

const toRows = (text: string, bucket: SampleRow['bucket']): SampleRow[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((body) => ({ bucket, body }));

/** Throws when a file is missing or malformed: then the product itself is incomplete. */
export async function readSampleFiles(datasets: readonly string[]): Promise<SampleFiles> {
  const runsText = await readFile(toSamplePath('runs.json'), 'utf8');
  const digest = createHash('sha256').update(runsText);
  const rows = new Map<string, readonly SampleRow[]>();
  for (const dataset of datasets) {
    const [training, validation] = await Promise.all(
      ['train', 'val'].map((part) => readFile(toSamplePath(`${dataset}.${part}.jsonl`), 'utf8')),
    );
    digest.update(training ?? '').update(validation ?? '');
    rows.set(dataset, [...toRows(training ?? '', 'training'), ...toRows(validation ?? '', 'validation')]);
  }
  return { runs: z.parse(z.array(runSchema), JSON.parse(runsText)), rows, digest: digest.digest('hex') };
}
