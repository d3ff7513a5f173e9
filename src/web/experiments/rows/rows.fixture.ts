// Rows and nodes for this folder's tests.
import type { ReadJobExperiment } from '#shared/contract/jobReader.ts';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import type { ExperimentRow } from './experimentRows.ts';

export const toTestNode = (
  type: string,
  id: string,
  children: readonly TreeNode[] = [],
  rest: Partial<TreeNode> = {},
): TreeNode => ({
  id,
  type,
  label: id,
  children,
  metadata: {},
  ...rest,
});

export const toTestJobFacts = (id: string, rest: Partial<ReadJobExperiment> = {}): ReadJobExperiment => ({
  id,
  experiment_number: 1,
  base_model_id: 'base',
  training_type: 'lora',
  n_epochs: 3,
  batch_size: 8,
  learning_rate_multiplier: 2e-4,
  status: 'succeeded',
  model_id: null,
  failure: null,
  steps: null,
  seconds: null,
  first_loss: null,
  last_loss: null,
  held_out: {},
  held_out_rows: null,
  losses: [],
  extra: {},
  ...rest,
});

export const toTestRow = (id: string, rest: Partial<ExperimentRow> = {}): ExperimentRow => ({
  id,
  label: id,
  status: 'succeeded',
  job_id: 'j',
  job: 'Job',
  snapshot: 'Snapshot',
  dataset_id: 'd',
  dataset: 'Dataset',
  base_model_id: 'base',
  training_type: 'lora',
  n_epochs: 3,
  batch_size: 8,
  learning_rate_multiplier: 2e-4,
  first_loss: null,
  last_loss: null,
  steps: null,
  seconds: null,
  held_out_rows: null,
  held_out: {},
  losses: [],
  extras: new Map(),
  model_id: null,
  failure: null,
  problem: null,
  isPending: false,
  isUnread: false,
  ...rest,
});
