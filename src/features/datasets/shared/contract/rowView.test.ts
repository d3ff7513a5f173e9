import { expect, it } from 'vitest';
import { MAX_CONTEXT, rowViewQuerySchema, rowViewSchema, type RowView } from './rowView.ts';

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

it('a view with all its fields is valid', () => {
  expect(rowViewSchema.parse(view)).toEqual(view);
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
