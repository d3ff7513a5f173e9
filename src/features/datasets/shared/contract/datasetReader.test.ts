import * as z from 'zod/mini';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetSchema, deletedListSchema, snapshotComparisonSchema, splitSchema } from './datasets.ts';
import {
  readBadLines,
  readComparison,
  readDataset,
  readDeleted,
  readMadeId,
  readSplit,
  toCount,
  toPositions,
} from './datasetReader.ts';

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const AT = '2026-11-23T10:00:00.000Z';
const compared = { count: 2, positions: [3, 5] };

const DATASET = {
  id: ID,
  name: 'Tickets',
  project_id: ID,
  status: 'processing',
  datapoints_count: 3,
  created_at: AT,
  form: 'alpaca',
  progress: { bytes: 10, total: null, rows: 3, rows_per_second: 1.5 },
  bad_lines: { count: 30, first: [{ line: 4, column: 1, message: 'No answer.', start: '{}' }] },
  same_file_as: { id: ID, name: 'Tickets' },
  error: null,
};

/** What our service may send of each kind, with everything in it. */
const WHOLE = {
  // The others are for the SDK of the hosted studio: the dashboard has them of the tree.
  dataset: {
    schema: z.omit(datasetSchema, { updated_at: true, labels: true, snapshots: true }),
    read: readDataset,
    body: DATASET,
  },
  split: {
    schema: splitSchema,
    read: readSplit,
    body: {
      percentage: 80,
      training_count: 8,
      validation_count: 2,
      left_out_count: 1,
      chosen_count: 3,
      leak_count: 1,
    },
  },
  comparison: {
    schema: snapshotComparisonSchema,
    read: readComparison,
    body: {
      same_count: 9,
      added: compared,
      gone: compared,
      changed: { count: 7, pairs: [[1, 2]] },
      moved: compared,
    },
  },
};

describe.each(Object.entries(WHOLE))('%s', (_name, { schema, read, body }) => {
  it('is read as our service sends it', () => {
    expect(schema.safeParse(body).error).toBeUndefined();
    expect(read(body)).toEqual({ ok: true, value: body });
  });

  it('is refused by our schema with a field that the contract does not have', () => {
    expect(schema.safeParse({ ...body, other: 1 }).success).toBe(false);
  });

  it('reads anything without a throw, and what it reads with every field', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(body)), fc.jsonValue()));
    fc.assert(
      fc.property(anything, (value) => {
        const result = read(value);
        if (result.ok) expect(Object.keys(result.value).sort()).toEqual(Object.keys(body).sort());
        else expect(result.reason).toMatch(/^it /);
      }),
    );
  });
});

describe('a dataset', () => {
  it('of another studio may be in a field of its name, and have a status of its own', () => {
    const read = readDataset({ dataset: { id: ID, status: 'indexing', datapoints_count: 3 } });
    expect(read).toMatchObject({ ok: true, value: { id: ID, status: 'indexing', progress: null, same_file_as: null } });
  });

  it('without what the hosted studio does not send has nulls and an empty list', () => {
    expect(readDataset({ id: ID, name: 'A', status: 'completed', datapoints_count: 7 })).toEqual({
      ok: true,
      value: {
        id: ID,
        name: 'A',
        project_id: null,
        status: 'completed',
        datapoints_count: 7,
        created_at: '',
        form: null,
        progress: null,
        bad_lines: { count: 0, first: [] },
        same_file_as: null,
        error: null,
      },
    });
  });

  it.each([null, [], 'x', {}, { dataset: {} }, { id: 3 }])('is not in %j', (body) => {
    expect(readDataset(body)).toEqual({ ok: false, reason: 'it has no id' });
  });
});

it('reads deleted nodes, without those of a kind that it does not know', () => {
  const node = { id: ID, type: 'snapshot', label: 'First', project_id: ID, deleted_at: AT, gone_at: AT };
  expect(deletedListSchema.safeParse({ deleted: [node] }).success).toBe(true);
  expect(readDeleted({ deleted: [node, { ...node, type: 'planet' }, null, 3] })).toEqual({ ok: true, value: [node] });
  expect(readDeleted({})).toMatchObject({ ok: false });
});

it('reads ids of what was made', () => {
  expect(readMadeId({ dataset_id: ID }, 'dataset_id')).toEqual({ ok: true, value: ID });
  for (const body of [null, {}, { dataset_id: 3 }, { dataset_id: '' }, { project_id: ID }])
    expect(readMadeId(body, 'dataset_id')).toEqual({ ok: false, reason: 'it has no dataset_id' });
});

it('reads the bad lines beside an error', () => {
  const first = [{ line: 1, column: 3, message: 'The line is no JSON.', start: '{' }];
  expect(readBadLines({ error: { message: 'x' }, bad_lines: { count: 7, first } })).toEqual({ count: 7, first });
  expect(readBadLines('no')).toEqual({ count: 0, first: [] });
});

it('takes as pairs of changed rows only pairs', () => {
  const changed = { count: 3, pairs: [[1, 2], [3], [4, 5, 6], 'x', [-1, 2]] };
  const read = readComparison({ added: {}, changed });
  expect(read).toMatchObject({ ok: true, value: { changed: { count: 3, pairs: [[1, 2]] } } });
});

it('reads counts and positions as whole numbers that are not negative', () => {
  expect([3, 2.7, -1, '3', null, Number.NaN].map(toCount)).toEqual([3, 2, 0, 0, 0, 0]);
  expect(toPositions([0, 1, -1, 1.5, '2', null])).toEqual([0, 1]);
  expect(toPositions(null)).toEqual([]);
});
