// Rows and nodes for this folder's tests.
import { toEmptyExperiment, type ReadJobExperiment } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
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
  ...toEmptyExperiment(id),
  experiment_number: 1,
  base_model_id: 'base',
  training_type: 'lora',
  n_epochs: 3,
  batch_size: 8,
  learning_rate_multiplier: 2e-4,
  status: 'succeeded',
  ...rest,
});

export const toTestRow = (id: string, rest: Partial<ExperimentRow> = {}): ExperimentRow => ({
  ...toTestJobFacts(id),
  label: id,
  is_starred: false,
  tags: [],
  job_id: 'j',
  job: 'Job',
  snapshot: 'Snapshot',
  dataset_id: 'd',
  dataset: 'Dataset',
  snapshot_id: 's',
  validation_count: null,
  answer_shape: null,
  main_measure: null,
  extras: new Map(),
  problem: null,
  tried_base: 'base',
  base_problem: null,
  isPending: false,
  isUnread: false,
  ...rest,
});
