// What the sample is made of. The full plan takes about 95 minutes of one core; the tiny one, for tests, some seconds.
import type { DatasetName, RowCounts } from './rows.ts';
import type { BaseShape } from './startModel.ts';
import type { BaseSettings } from './trainBase.ts';

export interface SampleExperiment {
  readonly dataset: DatasetName;
  readonly number: number;
  readonly lora: boolean;
  readonly rate: number;
  readonly epochs: number;
}

export interface SamplePlan {
  readonly shape: BaseShape;
  /** Texts from which the vocabulary is learnt. */
  readonly texts: number;
  readonly base: BaseSettings;
  readonly rows: Readonly<Record<DatasetName, RowCounts>>;
  readonly experiments: readonly SampleExperiment[];
  /** Prompts written by hand that each model is asked. */
  readonly handWritten: number;
}

export const BATCH = 8;
export const SEED = 4;

/** Full training and LoRA, and a rate at which training diverges. */
const EXPERIMENTS: readonly SampleExperiment[] = [
  { dataset: 'triage', number: 1, lora: true, rate: 6e-3, epochs: 2 },
  { dataset: 'triage', number: 2, lora: false, rate: 1.5e-3, epochs: 3 },
  { dataset: 'triage', number: 3, lora: false, rate: 1, epochs: 1 },
  { dataset: 'orders', number: 1, lora: true, rate: 6e-3, epochs: 4 },
  { dataset: 'orders', number: 2, lora: false, rate: 1.5e-3, epochs: 5 },
  { dataset: 'replies', number: 1, lora: false, rate: 1.5e-3, epochs: 3 },
  { dataset: 'replies', number: 2, lora: true, rate: 6e-3, epochs: 2 },
];

export const FULL_PLAN: SamplePlan = {
  shape: { layers: 4, width: 128, heads: 4, innerWidth: 352, vocabulary: 1536, context: 512 },
  texts: 8_000,
  base: { rows: 320_000, chunk: 5000, rate: 2e-3, batchSize: 4, seed: 7, measured: 60 },
  rows: {
    triage: { training: 20_000, heldOut: 200 },
    orders: { training: 3000, heldOut: 200 },
    replies: { training: 2200, heldOut: 200 },
  },
  experiments: EXPERIMENTS,
  handWritten: 30,
};

/** All the same steps, on next to nothing. What comes out knows nothing. */
export const TINY_PLAN: SamplePlan = {
  shape: { layers: 1, width: 32, heads: 2, innerWidth: 64, vocabulary: 480, context: 512 },
  texts: 200,
  base: { ...FULL_PLAN.base, rows: 60, chunk: 12, measured: 1 },
  rows: {
    triage: { training: 24, heldOut: 2 },
    orders: { training: 16, heldOut: 2 },
    replies: { training: 16, heldOut: 2 },
  },
  experiments: [
    { dataset: 'triage', number: 1, lora: true, rate: 6e-3, epochs: 2 },
    { dataset: 'triage', number: 2, lora: false, rate: 1e30, epochs: 1 },
    { dataset: 'orders', number: 1, lora: false, rate: 1.5e-3, epochs: 1 },
  ],
  handWritten: 2,
};
