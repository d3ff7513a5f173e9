// SPEC 2.1 and 4.1: what our service sends is accepted to the last field, and nothing else is.
import { describe, expect, it } from 'vitest';
import { isUuid } from './uuid.ts';
import { DATASET_STATUSES, EXPERIMENT_STATUSES, JOB_STATUSES } from './statuses.ts';
import {
  datasetNodeSchema,
  experimentNodeSchema,
  MAX_NODE_TEXT,
  projectListSchema,
  projectResponseSchema,
} from './tree.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';

const experiment = {
  id: ID,
  type: 'experiment',
  label: 'Experiment 1',
  status: 'succeeded',
  children: [],
  metadata: { id: ID, experiment_number: 1, base_model_id: 'qwen3-0.6b', model_id: 'ft-1' },
};
const job = {
  id: ID,
  type: 'finetuning-job',
  label: 'Job',
  status: 'processing',
  children: [experiment],
  metadata: { id: ID, reasoning: false },
};
const snapshot = {
  id: ID,
  type: 'snapshot',
  label: 'Snapshot',
  children: [job],
  metadata: { id: ID, training_count: 10, validation_count: 0, created_at: '2025-11-20T10:00:00Z' },
};
const dataset = {
  id: ID,
  type: 'dataset',
  label: 'Data',
  status: 'completed',
  children: [snapshot],
  metadata: { id: ID, datapoints_count: 12 },
};
const project = { id: ID, type: 'project', name: 'Project', children: [dataset] };

it('may hold a run of another trainer, of which little is known', () => {
  const run = { ...experiment, status: 'stopped', metadata: { id: ID, experiment_number: 1 } };
  const children = [{ ...job, status: 'stopped', children: [run] }];
  const bare = { ...snapshot, children, metadata: { id: ID } };
  const tree = { ...project, children: [{ ...dataset, children: [bare], metadata: { id: ID } }] };
  expect(projectResponseSchema.safeParse({ project: tree }).success).toBe(true);
});

type Node = Record<string, unknown>;

/** The tree with one node changed. */
const WITH: Readonly<Record<string, (change: Node) => unknown>> = {
  project: (change) => ({ project: { ...project, ...change } }),
  dataset: (change) => ({ project: { ...project, children: [{ ...dataset, ...change }] } }),
  snapshot: (change) => ({
    project: { ...project, children: [{ ...dataset, children: [{ ...snapshot, ...change }] }] },
  }),
  job: (change) => ({
    project: { ...project, children: [{ ...dataset, children: [{ ...snapshot, children: [{ ...job, ...change }] }] }] },
  }),
  experiment: (change) => ({
    project: {
      ...project,
      children: [
        { ...dataset, children: [{ ...snapshot, children: [{ ...job, children: [{ ...experiment, ...change }] }] }] },
      ],
    },
  }),
};

const isGood = (level: string, change: Node): boolean => projectResponseSchema.safeParse(WITH[level]?.(change)).success;

it('accepts the tree of SPEC 2.1', () => {
  for (const level of Object.keys(WITH)) expect(isGood(level, {})).toBe(true);
});

it.each<[string, Node]>([
  ['project', { id: 'p1' }],
  ['project', { type: 'dataset' }],
  ['project', { name: undefined }],
  ['project', { label: 'x' }],
  ['project', { metadata: {} }],
  ['project', { status: 'completed' }],
  ['project', { children: undefined }],
  ['project', { children: [snapshot] }],
  ['dataset', { status: 'running' }],
  ['dataset', { status: undefined }],
  ['dataset', { name: 'x' }],
  ['dataset', { metadata: { id: ID, datapoints_count: -1 } }],
  ['dataset', { metadata: { id: ID, datapoints_count: 1.5 } }],
  ['dataset', { metadata: { id: 'x', datapoints_count: 1 } }],
  ['dataset', { metadata: { id: ID, datapoints_count: 1, extra: 1 } }],
  ['dataset', { children: [job] }],
  ['snapshot', { status: 'completed' }],
  ['snapshot', { metadata: { id: ID, training_count: -1 } }],
  ['snapshot', { children: [experiment] }],
  ['job', { type: 'job' }],
  ['job', { status: 'succeeded' }],
  ['job', { metadata: { id: ID } }],
  ['job', { metadata: { id: ID, reasoning: 'no' } }],
  ['experiment', { status: 'completed' }],
  ['experiment', { children: [experiment] }],
  ['experiment', { metadata: { id: ID, base_model_id: 'b' } }],
  ['experiment', { metadata: { id: ID, experiment_number: 1, base_model_id: 'b', model_id: null } }],
])('refuses a %s with %j', (level, change) => expect(isGood(level, change)).toBe(false));

describe('statuses (SPEC 3)', () => {
  it.each([
    ['dataset', DATASET_STATUSES],
    ['job', JOB_STATUSES],
    ['experiment', EXPERIMENT_STATUSES],
  ])('takes every status of a %s', (level, statuses) => {
    for (const status of statuses) expect(isGood(level, { status })).toBe(true);
  });

  it('lets an experiment have no model id until it has succeeded', () => {
    expect(
      isGood('experiment', { status: 'running', metadata: { id: ID, experiment_number: 1, base_model_id: 'b' } }),
    ).toBe(true);
  });
});

it('wants the project in an envelope, and nothing beside it', () => {
  expect(projectResponseSchema.safeParse(project).success).toBe(false);
  expect(projectResponseSchema.safeParse({ project, extra: 1 }).success).toBe(false);
  expect(projectListSchema.safeParse({ projects: [{ id: ID, name: 'P', created_at: '2025-11-20' }] }).success).toBe(
    true,
  );
  expect(projectListSchema.safeParse({ projects: [{ id: 'x', name: 'P', created_at: '2025-11-20' }] }).success).toBe(
    false,
  );
});

it.each([
  [ID, true],
  [ID.toUpperCase(), true],
  ['00000000-0000-0000-0000-000000000000', true],
  [`${ID}\n`, false],
  [` ${ID}`, false],
  [ID.slice(1), false],
  [ID.replaceAll('-', ''), false],
  [`{${ID}}`, false],
  ['../../../../etc/passwd', false],
  ['3f0c1a52-7b1e-4a1d-9c55-0123456789ag', false],
  ['', false],
])('%j is a UUID: %s', (text, expected) => expect(isUuid(text)).toBe(expected));

it.each([
  [{ is_recorded: false }, true],
  [{ is_recorded: true }, false],
  [{ datapoints_count: 0 }, true],
  [{ datapoints_count: null }, false],
])('a dataset may say of its data: %j, %s', (more, isGood) => {
  const dataset = {
    id: ID,
    type: 'dataset',
    label: 'Data',
    status: 'completed',
    children: [],
    metadata: { id: ID, ...more },
  };
  expect(datasetNodeSchema.safeParse(dataset).success).toBe(isGood);
});

describe('what a run of a folder has beside its own fields', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const metadata = { id, experiment_number: 1 };
  const run = (more: Readonly<Record<string, unknown>>) => ({
    id,
    type: 'experiment',
    label: 'Run',
    status: 'failed',
    children: [],
    metadata: { ...metadata, ...more },
  });

  it.each([
    [{ served: { base_model_id: 'qwen' } }, true],
    [{ served: { base_model_id: null } }, true],
    [{ served: {} }, false],
    [{ failure: 'Failed: out of memory.', note: 'Again' }, true],
    [{ failure: 'x'.repeat(MAX_NODE_TEXT + 1) }, false],
    [{ note: 'x'.repeat(MAX_NODE_TEXT + 1) }, false],
  ])('is read by its schema: %j', (more, isGood) => {
    expect(experimentNodeSchema.safeParse(run(more)).success).toBe(isGood);
  });
});
