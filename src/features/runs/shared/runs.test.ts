// What our service sends and takes about runs of other trainers is accepted to the last field, and nothing else is.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  curveListSchema,
  curveRequestSchema,
  newRunRootSchema,
  runGroupingSchema,
  runRootChangeSchema,
  runRootSchema,
  runSchema,
} from './runs.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const source = { format: 'tensorboard', file: 'a/events', place: null };

const root = {
  id: ID,
  path: '/data/outputs',
  state: 'watching',
  from_flag: false,
  folders: 3,
  files: 9,
  runs: 1,
  formats: [{ format: 'tensorboard', label: 'TensorBoard', runs: 1 }],
  not_understood: [{ folder: 'photos', reason: 'It is empty.' }],
  not_understood_count: 1,
  problems: [],
  scanned_at: null,
  grouping: { by: 'folder' },
};

const run = {
  id: ID,
  root_id: ID,
  label: 'lr1',
  folder: 'sweep/lr1',
  status: 'stopped',
  status_reason: 'Stopped without a result; last sign 3 h ago.',
  is_status_certain: false,
  formats: ['tensorboard'],
  started_at: 1,
  ended_at: null,
  last_sign_at: 2,
  step: 10,
  total_steps: null,
  parts: ['a'],
  facts: [{ name: 'learning_rate', value: 2e-4, source, others: [{ value: 'auto', source }] }],
  parameters: [{ name: 'bf16', value: true, source }],
  environment: [],
  summary: [],
  metrics: [
    { name: 'loss', points: 2, first: 3, last: 'NaN', lowest: 3, highest: 3, last_step: 2, source },
    { name: 'kl', points: 1, first: 'Infinity', last: '-Infinity', lowest: null, highest: null, last_step: 1, source },
  ],
  checkpoints: [
    {
      path: 'a/checkpoint-1',
      step: 1,
      kind: 'adapter',
      bytes: 9,
      is_complete: true,
      saved_at: null,
      measures: { 'eval/loss': 1 },
      model_id: null,
    },
  ],
  row_files: [{ path: 'a/c.parquet', step: null }],
  problems: ['The state is cut.'],
};

const request = { runs: [ID], names: ['loss'] };
const curves = [{ run_id: ID, name: 'loss', length: 2, steps: [1, 2], values: [3, 'NaN'], times: [null, 5] }];

describe('runs of other trainers on the wire', () => {
  it.each<[string, z.ZodMiniType, unknown]>([
    ['a folder', runRootSchema, root],
    ['a folder that says why it polls', runRootSchema, { ...root, state: 'polling', state_reason: 'A network mount.' }],
    ['a folder with a chosen measure', runRootSchema, { ...root, main_measure: 'rewards/accuracies' }],
    ['a change of nothing', runRootChangeSchema, {}],
    ['a change of the grouping', runRootChangeSchema, { grouping: { by: 'folder' } }],
    ['a measure that was chosen', runRootChangeSchema, { main_measure: 'validation_loss' }],
    ['a measure that is no longer chosen', runRootChangeSchema, { main_measure: null }],
    ['a new folder', newRunRootSchema, { path: '/a' }],
    ['a grouping by pattern', runGroupingSchema, { by: 'pattern', pattern: 'lr-{}' }],
    ['a run', runSchema, run],
    ['a question for curves', curveRequestSchema, { ...request, points: 10, from_step: 0.5, to_step: 9, version: 'v' }],
    ['curves', curveListSchema, { version: 'v', curves, names: [{ name: 'loss', runs: 1 }] }],
  ])('%s is accepted', (_what, schema, value) => expect(schema.safeParse(value).error).toBeUndefined());

  it.each<[string, z.ZodMiniType, unknown]>([
    ['a folder with another state', runRootSchema, { ...root, state: 'idle' }],
    ['a folder with a further field', runRootSchema, { ...root, token: 'x' }],
    ['a new folder without a path', newRunRootSchema, { path: '' }],
    ['a path beyond all bounds', newRunRootSchema, { path: 'x'.repeat(4097) }],
    ['a grouping without its pattern', runGroupingSchema, { by: 'pattern' }],
    ['a measure without a name', runRootChangeSchema, { main_measure: '' }],
    ['a change of the path', runRootChangeSchema, { path: '/b' }],
    ['a run in an unknown status', runSchema, { ...run, status: 'crashed' }],
    ['a run without a reason', runSchema, { ...run, status_reason: undefined }],
    ['a value that JSON can not have', runSchema, { ...run, metrics: [{ ...run.metrics[0], first: Number.NaN }] }],
    ['a question for no run', curveRequestSchema, { ...request, runs: [] }],
    ['a question for 1,001 runs', curveRequestSchema, { ...request, runs: Array.from({ length: 1001 }, () => ID) }],
    ['a question for two points', curveRequestSchema, { ...request, points: 2 }],
  ])('%s is refused', (_what, schema, value) => expect(schema.safeParse(value).success).toBe(false));
});
