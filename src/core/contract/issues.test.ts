import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { newDatasetSchema, newSnapshotSchema } from '#features/datasets/shared/contract/datasets.ts';
import { toIssue, toParam } from './issues.ts';
import { createJobSchema, generateRecommendationSchema } from '#features/training/shared/createJob.ts';
import { queueOrderSchema } from '#features/training/shared/trainingRecords.ts';
import { wantedLeaseSchema } from '#features/training/shared/worker.ts';

it.each<[PropertyKey[], string | null]>([
  [[], null],
  [['model'], 'model'],
  [['messages', 0], 'messages[0]'],
  [['messages', 1, 'role'], 'messages[1].role'],
  [['tools', 0, 'function', 'parameters', 'a b'], 'tools[0].function.parameters.a b'],
  [[2, 'x'], '[2].x'],
])('writes the path %j as %j', (path, param) => expect(toParam(path)).toBe(param));

const schema = z.strictObject({
  text: z.string().check(z.minLength(2), z.maxLength(3)),
  one: z.string().check(z.minLength(1)),
  count: z.int().check(z.minimum(1), z.maximum(9)),
  rate: z.number(),
  on: z.boolean(),
  list: z.array(z.string()).check(z.minLength(1), z.maxLength(2)),
  map: z.record(z.string(), z.string()),
  kind: z.enum(['a', 'b']),
  code: z.string().check(z.regex(/^x/, 'must start with x')),
  either: z.union([z.string(), z.number()]),
});

it('of a union the form that was sent is explained, with the path of the whole', () => {
  const one = z.object({ count: z.int() });
  const both = z.object({ of: z.union([z.array(one), one]) });
  const explain = (value: unknown) => toIssue(both.safeParse(value, { reportInput: true }).error?.issues ?? []);
  expect(explain({ of: [{ count: 1 }, {}] })).toEqual({ message: 'of[1].count is required.', param: 'of[1].count' });
  expect(explain({ of: { count: 'x' } }).param).toBe('of.count');
  expect(explain({ of: 'x' })).toEqual({ message: 'of is not valid.', param: 'of' });
});

const GOOD = {
  text: 'ab',
  one: 'a',
  count: 1,
  rate: 0.5,
  on: true,
  list: ['a'],
  map: {},
  kind: 'a',
  code: 'x',
  either: 1,
};

it('accepts what the cases below start from', () => expect(schema.safeParse(GOOD).success).toBe(true));

it.each<[string, unknown, string]>([
  ['text', undefined, 'text is required.'],
  ['text', 5, 'text must be a text.'],
  ['text', 'a', 'text must have at least 2 characters.'],
  ['text', 'abcd', 'text must have at most 3 characters.'],
  ['one', '', 'one must have at least 1 character.'],
  ['count', 0, 'count must be at least 1.'],
  ['count', 10, 'count must be at most 9.'],
  ['count', 2 ** 53, 'count must be at most 9.'],
  ['count', -(2 ** 53), 'count must be at least 1.'],
  ['count', 1.5, 'count must be a whole number.'],
  ['rate', 'x', 'rate must be a number.'],
  ['on', 1, 'on must be true or false.'],
  ['list', {}, 'list must be a list.'],
  ['list', null, 'list must be a list, not null.'],
  ['list', [], 'list must have at least 1 item.'],
  ['list', ['a', 'b', 'c'], 'list must have at most 2 items.'],
  ['list', [5], 'list[0] must be a text.'],
  ['map', [], 'map must be an object.'],
  ['map', { a: 5 }, 'map.a must be a text.'],
  ['kind', 'c', 'kind must be "a" or "b".'],
  ['code', 'y', 'code must start with x.'],
  ['either', null, 'either is not valid.'],
  ['extra', 1, 'The request body must not have extra.'],
])('says of %s = %j: %s', (name, value, message) => {
  const parsed = schema.safeParse({ ...GOOD, [name]: value }, { reportInput: true });
  if (parsed.success) throw new Error('accepted');
  expect(toIssue(parsed.error.issues).message).toBe(message);
});

it('names what the field is missing from', () => {
  const parsed = schema.safeParse({ ...GOOD, extra: 1 });
  expect(toIssue(parsed.error?.issues ?? [], 'The query')).toEqual({
    message: 'The query must not have extra.',
    param: null,
  });
});

it('says something of no issue at all', () => {
  expect(toIssue([])).toEqual({ message: 'The request body is not valid.', param: null });
});

const ID = '3f0c1a52-7b1e-4a1d-9c55-0123456789ab';
const RUN = { base_model_id: 'm', batch_size: 8, n_epochs: 3, learning_rate_multiplier: 0.006 };
const job = (run: object): object => ({ snapshot_id: ID, name: 'A', experiments: [{ ...RUN, ...run }] });
const UUID = 'must be a UUID, such as 6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab.';

it.each<[z.ZodMiniType, object, string]>([
  [newSnapshotSchema, { dataset_id: 'x' }, `dataset_id ${UUID}`],
  [newDatasetSchema, { name: 'A', project_id: '' }, `project_id ${UUID}`],
  [generateRecommendationSchema, { snapshot_id: 'x' }, `snapshot_id ${UUID}`],
  [queueOrderSchema, { experiment_ids: ['x'] }, `experiment_ids[0] ${UUID}`],
  [
    createJobSchema,
    job({ refinetune_from_experiment_id: 'last' }),
    `experiments[0].refinetune_from_experiment_id ${UUID}`,
  ],
  [newSnapshotSchema, { dataset_id: ID, split_percentage: 2 ** 53 }, 'split_percentage must be at most 100.'],
  [createJobSchema, job({ batch_size: 2 ** 53 }), 'experiments[0].batch_size must be at most 128.'],
  [createJobSchema, job({ n_epochs: 2 ** 53 }), 'experiments[0].n_epochs must be at most 10.'],
  [
    wantedLeaseSchema,
    { name: '/gpu', is_built_in: true },
    'name must be 1 to 60 letters, digits, spaces or any of "._@+-", and begin with a letter or a digit.',
  ],
])('says what a request may hold: %#', (request, body, message) => {
  const parsed = request.safeParse(body, { reportInput: true });
  if (parsed.success) throw new Error('accepted');
  expect(toIssue(parsed.error.issues).message).toBe(message);
});
