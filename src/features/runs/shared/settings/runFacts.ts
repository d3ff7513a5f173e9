// The facts of finished runs in one form, whatever trained them: what a recommender learns from. A fact that nobody wrote
// down is null, never a default. Pure.
import { UNKNOWN_MODEL, type ReadJob, type ReadJobExperiment } from '#core/contract/jobReader.ts';
import { toLearningRate, type RateMeaning } from '#core/contract/rateMeaning.ts';
import { isActiveStatus, isSucceeded, toStatusMeaning } from '#core/contract/statuses.ts';
import { findBaseModel } from '#features/experiments/shared/baseModels.ts';
import { hasDiverged } from './divergedRun.ts';

/** What is known of the rows that the runs of a job were trained on. */
export interface DataFacts {
  readonly snapshot_id: string | null;
  readonly training_rows: number | null;
  readonly validation_rows: number | null;
  /** UTF-8 bytes of all messages of the training rows. */
  readonly training_bytes: number | null;
}

export interface RunFacts {
  readonly run_id: string;
  /** `folder`: left by another trainer. `studio`: a run of this studio, or of a remote one. */
  readonly source: 'folder' | 'studio';
  readonly has_succeeded: boolean;
  /** It failed because of its settings, and not because of its machine or a person. */
  readonly has_diverged: boolean;
  /** Its name on the hub; null: nobody named it, or by a path alone. */
  readonly base_model: string | null;
  /** As the run names it. */
  readonly base_model_id: string | null;
  readonly training_type: 'full' | 'lora' | 'qlora' | null;
  /** `sft`, `dpo`, `grpo`... in lower case. */
  readonly method: string | null;
  readonly data: DataFacts & {
    /** By name, as a trainer recorded them. */
    readonly datasets: string | null;
    /** The mean of a training row in UTF-8 bytes. */
    readonly bytes_per_row: number | null;
    /** `training_rows` follows from steps, batch and epochs: it is right within a batch, on one device. */
    readonly are_rows_estimated: boolean;
  };
  readonly settings: {
    /** The rate itself, whatever the service's field means. */
    readonly learning_rate: number | null;
    readonly epochs: number | null;
    /** Rows of one step. */
    readonly batch_rows: number | null;
    readonly max_length: number | null;
    readonly lora_rank: number | null;
    readonly lora_alpha: number | null;
    readonly scheduler: string | null;
    readonly optimizer: string | null;
    readonly warmup_steps: number | null;
    readonly warmup_ratio: number | null;
    readonly weight_decay: number | null;
  };
  readonly steps: number | null;
  readonly seconds: number | null;
  /** The lowest loss on rows that it was not trained on, in nats per token. */
  readonly best_held_out_loss: number | null;
  /** The same of its base model, before the training. */
  readonly base_held_out_loss: number | null;
  /** Share of validation rows that are answered exactly, at the end. */
  readonly exact_match: number | null;
  /** Training loss at the end. */
  readonly last_loss: number | null;
}

interface RunOrigin {
  readonly source: RunFacts['source'];
  readonly data: DataFacts;
  /** What `learning_rate_multiplier` means where the runs come from. */
  readonly rate: RateMeaning;
}

/** Trainers' and studios' names for it; the lowest that a run has counts. */
const LOSSES = ['best_validation_loss', 'validation_loss', 'eval_loss'];

const numberOf = ({ extra }: ReadJobExperiment, name: string): number | null => {
  const value = extra[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};
const textOf = ({ extra }: ReadJobExperiment, name: string): string | null => {
  const value = extra[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

function toLowest(measures: Readonly<Record<string, number>>): number | null {
  const found = LOSSES.flatMap((name) => (Object.hasOwn(measures, name) ? (measures[name] ?? []) : []));
  return found.length === 0 ? null : Math.min(...found);
}

/** A job says of an adapter only that it is one; a trainer's own settings say on what it was trained. */
function toTrainingType(run: ReadJobExperiment): RunFacts['training_type'] {
  const { training_type: type, extra } = run;
  if (type === 'full') return 'full';
  if (type !== 'lora' && type !== 'qlora') return null;
  const isQuantized = type === 'qlora' || extra['adapter'] === 'qlora' || String(extra['load_in_4bit']) === 'true';
  return isQuantized ? 'qlora' : 'lora';
}

/** Steps of a batch make an epoch: so many rows. */
function toEstimatedRows({ steps, batch_size: rows, n_epochs: epochs }: ReadJobExperiment): number | null {
  if (steps === null || rows === null || epochs === null || !(epochs > 0) || steps < 1 || rows < 1) return null;
  return Math.round((steps * rows) / epochs);
}

function toFacts(run: ReadJobExperiment, { source, data, rate }: RunOrigin): RunFacts {
  const id = run.base_model_id === UNKNOWN_MODEL ? null : run.base_model_id;
  const hasSucceeded = isSucceeded(run.status);
  // A run that was broken off has fewer steps than its epochs would have had; packed rows are not counted by a batch.
  const isCountable = data.training_rows === null && hasSucceeded && String(run.extra['packing']) !== 'true';
  const estimated = isCountable ? toEstimatedRows(run) : null;
  const rows = data.training_rows ?? estimated;
  return {
    run_id: run.id,
    source,
    has_succeeded: hasSucceeded,
    has_diverged:
      toStatusMeaning(run.status) === 'bad' &&
      hasDiverged(
        run.losses.map(({ loss }) => loss),
        run.failure,
      ),
    base_model: id === null ? null : findBaseModel(id).hub,
    base_model_id: id,
    training_type: toTrainingType(run),
    method: textOf(run, 'method')?.toLowerCase() ?? (source === 'studio' ? 'sft' : null),
    data: {
      ...data,
      training_rows: rows,
      datasets: textOf(run, 'datasets'),
      bytes_per_row: data.training_bytes !== null && rows !== null && rows > 0 ? data.training_bytes / rows : null,
      are_rows_estimated: estimated !== null,
    },
    settings: {
      learning_rate: run.learning_rate_multiplier === null ? null : toLearningRate(run.learning_rate_multiplier, rate),
      epochs: run.n_epochs,
      batch_rows: run.batch_size,
      max_length: numberOf(run, 'max_length'),
      lora_rank: numberOf(run, 'lora_rank'),
      lora_alpha: numberOf(run, 'lora_alpha'),
      scheduler: textOf(run, 'scheduler'),
      optimizer: textOf(run, 'optimizer'),
      warmup_steps: numberOf(run, 'warmup_steps'),
      warmup_ratio: numberOf(run, 'warmup_ratio'),
      weight_decay: numberOf(run, 'weight_decay'),
    },
    steps: run.steps,
    seconds: run.seconds,
    best_held_out_loss: toLowest(run.held_out),
    base_held_out_loss: toLowest(run.held_out_base),
    exact_match: run.held_out['exact_match'] ?? null,
    last_loss: run.last_loss,
  };
}

/** The runs of a job that have ended, also those that failed: what did not work is worth knowing. */
export const toRunFacts = ({ experiments }: ReadJob, origin: RunOrigin): readonly RunFacts[] =>
  experiments
    .filter(({ status }) => !isActiveStatus(status) && status !== 'deleted' && status !== 'unknown')
    .map((run) => toFacts(run, origin));
