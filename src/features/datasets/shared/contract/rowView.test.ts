import { expect, it } from 'vitest';
import { findingsPath, rowViewPath, statisticsPath } from './dataRoutes.ts';
import { MAX_CONTEXT, readRowView, rowViewQuerySchema, rowViewSchema, type RowView } from './rowView.ts';

const view: RowView = {
  model: 'support-base',
  context: 4,
  model_context: 512,
  template: 'file',
  tokens: 6,
  trained: 3,
  cut: 2,
  trained_cut: 1,
  dropped: [1],
  problem: null,
  spans: [
    { text: 'Ask', is_trained: false, is_cut: false, message: null, tokens: [1, 3] },
    { text: 'Answer', is_trained: true, is_cut: true, message: 1, tokens: [6] },
  ],
  left_out: 0,
};

it('what the service sends is read as it is', () => {
  expect(rowViewSchema.parse(view)).toEqual(view);
  expect(readRowView(view)).toEqual({ ok: true, value: view });
});

it('missing fields are empty, and a problem keeps its words', () => {
  const read = readRowView({ spans: [{}, 'no span'], problem: { kind: 'new', message: 'It rains.' } });
  expect(read).toMatchObject({
    ok: true,
    value: {
      model: '',
      context: null,
      template: 'file',
      tokens: 0,
      problem: { kind: 'refused', message: 'It rains.' },
      spans: [{ text: '', is_trained: false, message: null, tokens: [] }],
    },
  });
  expect(readRowView({ spans: [], problem: {} })).toMatchObject({
    value: { problem: { message: 'Nothing of the row is trained.' } },
  });
});

it.each([[null], [[]], [{}], [{ spans: 'text' }]])('%j is no view', (body) => {
  expect(readRowView(body)).toEqual({ ok: false, reason: 'it has no spans' });
});

it.each([
  [{ model: 'a' }, true],
  [{ model: 'a', context: '1' }, true],
  [{ model: 'a', context: String(MAX_CONTEXT) }, true],
  [{ model: 'a', context: String(MAX_CONTEXT + 1) }, false],
  [{ model: 'a', context: '0' }, false],
  [{ model: 'a', context: '1.5' }, false],
  [{ model: '' }, false],
  [{ context: '5' }, false],
  [{ model: 'a', contxt: '5' }, false],
])('the query %j is taken: %s', (query, isTaken) => {
  expect(rowViewQuerySchema.safeParse(query).success).toBe(isTaken);
});

it('the path of a view names its model and, if there is one, its context', () => {
  const path = rowViewPath({ kind: 'snapshot', id: 'a/b' }, 7, 'qwen 3', 512);
  expect(path).toBe('/api/v1/studio/snapshots/a%2Fb/table/7/view?model=qwen+3&context=512');
  expect(rowViewPath({ kind: 'dataset', id: 'c' }, 0, 'm', null)).toBe(
    '/api/v1/studio/datasets/c/table/0/view?model=m',
  );
});

it('positions that are no whole numbers are left out, and counts are never below 0', () => {
  const read = readRowView({ spans: [{ text: 'a', tokens: [1, 'x', -1] }], tokens: -4, dropped: [2, null] });
  expect(read).toMatchObject({ value: { tokens: 0, dropped: [2] } });
});

it('the paths of statistics and findings name a model only if there is one', () => {
  const owner = { kind: 'snapshot', id: 's' } as const;
  expect(statisticsPath(owner, 'm', 9)).toBe('/api/v1/studio/snapshots/s/statistics?model=m&context=9');
  expect(findingsPath(owner, 'm')).toBe('/api/v1/studio/snapshots/s/findings?model=m');
  expect(findingsPath(owner)).toBe('/api/v1/studio/snapshots/s/findings');
});

it.each([
  ['chatml', 'chatml'],
  ['file', 'file'],
  ['jinja', 'file'],
  [undefined, 'file'],
])('the template %j is read as %s', (template, read) => {
  expect(readRowView({ ...view, template })).toMatchObject({ value: { template: read } });
});

it.each([
  [{ tokens: -1 }],
  [{ tokens: 0.5 }],
  [{ context: undefined }],
  [{ model_context: '512' }],
  [{ template: 'jinja' }],
  [{ problem: { kind: 'new', message: 'It rains.' } }],
  [{ problem: { kind: 'refused' } }],
  [{ spans: [{ ...view.spans[0], tokens: [-1] }] }],
  [{ spans: [{ ...view.spans[0], message: 'first' }] }],
  [{ spans: [{ text: 'a' }] }],
  [{ left_out: null }],
  [{ other: 1 }],
])('the service sends no view with %j', (part) => {
  expect(rowViewSchema.safeParse({ ...view, ...part }).success).toBe(false);
});

it.each(['', 'model_context', 'dropped', 'left_out'])(
  'a view without %s is read with something in its place',
  (name) => {
    const { [name as 'dropped']: _, ...rest } = view;
    const read = readRowView(rest);
    expect(read.ok && rowViewSchema.safeParse(read.value).success).toBe(true);
  },
);
