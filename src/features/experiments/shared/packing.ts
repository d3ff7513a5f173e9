// What a batch of a trainer that packs rows is in rows. The local studio's trainer joins short rows into sequences of
// fixed length, and its batch size counts those. Measured on its runs; the wire and the reasons stay as they are. Pure.
import type { ReadJob } from '#core/contract/jobReader.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import type { Candidate, Choices } from './candidates.ts';
import type { ExtraParameter } from './extraParameters.ts';
import { PACKED_BATCH } from './packedBatch.ts';

interface MeasuredRun {
  readonly status: string | null;
  readonly n_epochs: number | null;
  readonly batch_size: number | null;
  readonly steps: number | null;
}

/** Trainers drop or fill the last batch, so a little more than one row is not packing. */
const MIN_PACKED = 1.1;

/**
 * Rows in each sequence of a batch: rows x epochs / (steps x batch size). null if the run did not go through all rows,
 * something is unknown, or a batch is just that many rows.
 */
export function toRowsPerSequence(run: MeasuredRun, rows: number | null): number | null {
  const { n_epochs, batch_size, steps } = run;
  if (!isSucceeded(run.status) || !rows || !n_epochs || !batch_size || !steps) return null;
  const perSequence = (rows * n_epochs) / (steps * batch_size);
  return Number.isFinite(perSequence) && perSequence >= MIN_PACKED ? perSequence : null;
}

/** `8 packed sequences, about 14 rows`. */
export function toPackedText(batch_size: number, rowsPerSequence: number): string {
  const sequences = `${batch_size} packed ${batch_size === 1 ? 'sequence' : 'sequences'}`;
  return `${sequences}, about ${Math.round(batch_size * rowsPerSequence)} rows`;
}

export const toPackedParameter = (value: string): ExtraParameter => ({ name: PACKED_BATCH, kind: 'text', value });

/** Rows per sequence by base model, as measured on a snapshot's runs; base models without packing are left out. */
export function findPacking(jobs: readonly ReadJob[], rows: number | null): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const run of jobs.flatMap(({ experiments }) => experiments)) {
    const perSequence = toRowsPerSequence(run, rows);
    if (perSequence !== null && !found.has(run.base_model_id)) found.set(run.base_model_id, perSequence);
  }
  return found;
}

/** Adds to a candidate what its packed batch is in rows, where its base model's rows are packed. */
export function withPackedBatch(candidate: Candidate, packing: ReadonlyMap<string, number>): Candidate {
  const perSequence = packing.get(candidate.base_model_id);
  if (perSequence === undefined || candidate.batch_size === null) return candidate;
  const parameter = toPackedParameter(toPackedText(candidate.batch_size, perSequence));
  return { ...candidate, extras: [...candidate.extras, parameter] };
}

/** The same for all candidates of a recommendation. */
export function withPackedBatches(choices: Choices, packing: ReadonlyMap<string, number>): Choices {
  if (packing.size === 0) return choices;
  const noted = new Map(choices.candidates.map((candidate) => [candidate, withPackedBatch(candidate, packing)]));
  const toNoted = <T extends Candidate | null>(candidate: T): T =>
    candidate === null ? candidate : ((noted.get(candidate) ?? candidate) as T);
  return {
    models: choices.models.map((model) => ({ ...model, full: toNoted(model.full), lora: toNoted(model.lora) })),
    experiments: choices.experiments.map(toNoted),
    candidates: choices.candidates.map(toNoted),
  };
}
