import type * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { toIssue } from '#core/contract/issues.ts';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import {
  badLineSchema,
  datapointMadeSchema,
  datasetMadeSchema,
  datasetSchema,
  deletedListSchema,
  newDatapointSchema,
  newDatasetSchema,
  newProjectSchema,
  newSnapshotSchema,
  projectMadeSchema,
  snapshotComparisonSchema,
  snapshotMadeSchema,
  splitSchema,
} from './datasets.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const messages = [{ role: 'user', content: 'Hi' }];

/** What a person reads of the first fault; null: there is none. */
function faultOf(schema: z.ZodMiniType, body: unknown): { message: string; param: string | null } | null {
  const parsed = schema.safeParse(body);
  return parsed.success ? null : toIssue(parsed.error.issues);
}

describe('requests take what the SDKs of the hosted studio send, and drop what is unknown', () => {
  it('a project', () => {
    const given = { name: ' Desk ', goal: 'Sort.', color: 'red' };
    expect(newProjectSchema.parse(given)).toEqual({ name: 'Desk', goal: 'Sort.' });
  });

  it('a dataset', () => {
    expect(newDatasetSchema.parse({ name: 'A', project_id: ID, x: '1' })).toEqual({ name: 'A', project_id: ID });
  });

  it('a snapshot, with a share of training rows or without', () => {
    expect(newSnapshotSchema.parse({ dataset_id: ID })).toEqual({ dataset_id: ID });
    expect(newSnapshotSchema.parse({ dataset_id: ID, split_percentage: null, x: 1 })).toEqual({
      dataset_id: ID,
      split_percentage: null,
    });
  });

  it('a datapoint, with tools and a bucket', () => {
    const tools = [{ type: 'function', function: { name: 'search' } }];
    const given = { messages, tools, bucket: 'training' };
    expect(newDatapointSchema.parse({ ...given, id: 3 })).toEqual(given);
    expect(newDatapointSchema.parse({ messages, bucket: null })).toEqual({ messages, bucket: null });
  });
});

describe('the fault of a request names its field', () => {
  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(DATA_LIMITS.name + 1) }, 'name'],
    [{ name: 3 }, 'name'],
    [{ name: 'A\0' }, 'name'],
    [{ name: 'A\nB' }, 'name'],
    [{ name: 'A', goal: 'x'.repeat(DATA_LIMITS.goal + 1) }, 'goal'],
    [{ name: 'A', goal: 'Sort.\0' }, 'goal'],
    [null, null],
  ])('of a project %#', (body, param) => expect(faultOf(newProjectSchema, body)?.param).toBe(param));

  it.each([
    [{ project_id: ID }, 'name'],
    [{ name: 'A' }, 'project_id'],
    [{ name: 'A', project_id: 'x' }, 'project_id'],
    [{ name: 'A', project_id: ID, dataset_id: '../x' }, 'dataset_id'],
    [{ name: 'A', project_id: ID, form: 'csv' }, 'form'],
    [{ name: 'A', project_id: ID, form: 'mapped' }, 'form'],
    [{ name: 'A', project_id: ID, bad_lines: 'keep' }, 'bad_lines'],
  ])('of a dataset %#', (body, param) => expect(faultOf(newDatasetSchema, body)?.param).toBe(param));

  it.each([0, 101, -1, 79.5, '80', Number.NaN])('of a snapshot with a share of %s', (split_percentage) => {
    expect(faultOf(newSnapshotSchema, { dataset_id: ID, split_percentage })?.param).toBe('split_percentage');
  });

  it.each([
    [{}, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    [{ messages: [...messages, { role: 'assistant', content: 3 }] }, 'messages[1].content'],
    [{ messages, bucket: 'test' }, 'bucket'],
    [{ messages, tools: 'search' }, 'tools'],
  ])('of a datapoint %#', (body, param) => expect(faultOf(newDatapointSchema, body)?.param).toBe(param));

  it('but a goal has several lines', () => {
    const project = { name: 'A', goal: 'Sort.\n\tBy topic.' };
    expect(newProjectSchema.parse(project)).toEqual(project);
  });

  it('and says what may be there', () => {
    expect(faultOf(newProjectSchema, { name: 'A\0' })?.message).toBe('name must not contain control characters.');
    expect(faultOf(newDatapointSchema, { messages, bucket: 'test' })?.message).toBe(
      'bucket must be "training" or "validation" or "uncategorized".',
    );
    expect(faultOf(newSnapshotSchema, { dataset_id: ID, split_percentage: 0 })?.message).toBe(
      'split_percentage must be at least 1.',
    );
  });
});

it('has limits that agree with each other', () => {
  expect(SPLIT_PERCENTAGE.fallback).toBeLessThanOrEqual(SPLIT_PERCENTAGE.max);
  expect(SPLIT_PERCENTAGE.fallback).toBeGreaterThanOrEqual(SPLIT_PERCENTAGE.min);
  expect(DATA_LIMITS.badLinesShown).toBeLessThan(DATA_LIMITS.badLinesKept);
});

describe('what was made is answered with its id alone', () => {
  it.each([
    ['project', projectMadeSchema, { project_id: ID }],
    ['dataset', datasetMadeSchema, { dataset_id: ID }],
    ['snapshot', snapshotMadeSchema, { snapshot_id: ID }],
    ['datapoint', datapointMadeSchema, { id: ID, message: 'Added.' }],
  ])('of a %s', (_name, schema, body) => {
    expect(faultOf(schema, body)).toBeNull();
    expect(faultOf(schema, { ...body, x: 1 })).not.toBeNull();
    for (const field of Object.keys(body)) expect(faultOf(schema, { ...body, [field]: 3 })?.param).toBe(field);
  });
});

const BAD_LINE = { line: 1, column: 1, message: 'No JSON.', start: '{' };

const RECORD = {
  id: ID,
  name: 'Tickets',
  project_id: null,
  status: 'completed',
  datapoints_count: 3,
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  labels: [],
  snapshots: [{ id: ID, created_at: '2026-11-23T10:00:00.000Z' }],
  form: 'mapped',
  progress: null,
  bad_lines: { count: 0, first: [] },
  same_file_as: null,
  error: null,
};
const PROGRESS = { bytes: 10, total: 20, rows: 3, rows_per_second: 1.5 };

describe('a dataset that is answered', () => {
  it.each([
    {},
    { project_id: ID },
    { form: null },
    { status: 'processing', progress: PROGRESS },
    { status: 'processing', progress: { ...PROGRESS, total: null } },
    { status: 'failed', error: 'The disk is full.' },
    { same_file_as: { id: ID, name: 'Same' } },
    { bad_lines: { count: 21, first: [BAD_LINE] } },
  ])('may have %j', (part) => expect(faultOf(datasetSchema, { ...RECORD, ...part })).toBeNull());

  it.each([
    [{ id: 'x' }, 'id'],
    [{ status: 'running' }, 'status'],
    [{ form: 'csv' }, 'form'],
    [{ datapoints_count: -1 }, 'datapoints_count'],
    [{ datapoints_count: 0.5 }, 'datapoints_count'],
    [{ progress: { ...PROGRESS, bytes: -1 } }, 'progress.bytes'],
    [{ progress: { ...PROGRESS, rows: 1.5 } }, 'progress.rows'],
    [{ progress: { bytes: 1, rows: 1 } }, 'progress.total'],
    [{ bad_lines: { count: 1 } }, 'bad_lines.first'],
    [{ same_file_as: { id: ID } }, 'same_file_as.name'],
    [{ error: 3 }, 'error'],
  ])('may not have %j', (part, param) => {
    expect(faultOf(datasetSchema, { ...RECORD, ...part })?.param).toBe(param);
  });
});

it.each([
  [{ line: 0 }, 'line'],
  [{ column: 0 }, 'column'],
  [{ message: null }, 'message'],
  [{ start: 3 }, 'start'],
])('a bad line has a place and a text, not %j', (part, param) => {
  expect(faultOf(badLineSchema, BAD_LINE)).toBeNull();
  expect(faultOf(badLineSchema, { ...BAD_LINE, ...part })?.param).toBe(param);
});

const SPLIT = {
  percentage: 80,
  training_count: 8,
  validation_count: 2,
  left_out_count: 0,
  chosen_count: 0,
  leak_count: 0,
};

it('a split has whole counts', () => {
  expect(faultOf(splitSchema, SPLIT)).toBeNull();
  for (const field of Object.keys(SPLIT)) {
    expect(faultOf(splitSchema, { ...SPLIT, [field]: 0.5 })?.param).toBe(field);
    expect(faultOf(splitSchema, { ...SPLIT, [field]: -1 })?.param).toBe(field);
    expect(faultOf(splitSchema, { ...SPLIT, [field]: undefined })?.param).toBe(field);
  }
});

it('a comparison has pairs of what changed, and positions of the rest', () => {
  const some = { count: 1, positions: [0] };
  const whole = { same_count: 0, added: some, gone: some, moved: some, changed: { count: 1, pairs: [[0, 1]] } };
  expect(faultOf(snapshotComparisonSchema, whole)).toBeNull();
  for (const field of ['added', 'gone', 'moved'])
    expect(faultOf(snapshotComparisonSchema, { ...whole, [field]: { count: 1 } })?.param).toBe(`${field}.positions`);
  const odd = { ...whole, changed: { count: 1, pairs: [[0]] } };
  expect(faultOf(snapshotComparisonSchema, odd)?.param).toMatch(/^changed\.pairs\[0\]/);
});

it.each(['project', 'dataset', 'snapshot', 'finetuning-job', 'experiment'])('a %s can be deleted', (type) => {
  const at = '2026-11-23T10:00:00.000Z';
  const node = { id: ID, type, label: 'First', project_id: ID, deleted_at: at, gone_at: at };
  expect(faultOf(deletedListSchema, { deleted: [node] })).toBeNull();
  expect(faultOf(deletedListSchema, { deleted: [{ ...node, type: 'row' }] })?.param).toBe('deleted[0].type');
  expect(faultOf(deletedListSchema, { deleted: [{ ...node, gone_at: null }] })?.param).toBe('deleted[0].gone_at');
});
