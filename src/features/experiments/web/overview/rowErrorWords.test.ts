import { expect, it } from 'vitest';
import type { RowErrors } from '#core/contract/rowErrors.ts';
import { toRowAdvice } from './rowErrorWords.ts';

type Labels = NonNullable<RowErrors['labels']>;

const labels: Labels = {
  field: 'category',
  values: [{ value: 'refund', rows: 14, wrong: 12, training_rows: 9 }],
  kinds: 5,
  positions: [3, 5],
  training_rows: 1800,
  contradicting: { count: 0, positions: [] },
};
const toText = (change: Partial<Labels>): string | undefined =>
  toRowAdvice({ rows: 200, wrong: 17, shared: null, labels: { ...labels, ...change } })?.text;
const two = [...labels.values, { value: 'login', rows: 20, wrong: 3, training_rows: 400 }];

it.each<[Partial<Labels>, string]>([
  [{}, 'with category “refund”; only 9 of 1,800 training rows are like that.'],
  [{ values: two }, 'with category “refund” or “login”.'],
  [
    { values: two, contradicting: { count: 5, positions: [8] } },
    '“login”; 5 of the 409 training rows like that contradict others.',
  ],
  [{ values: two, contradicting: { count: 4, positions: [8] } }, '“login”.'],
  [{ field: null }, 'whose answer is “refund”; only 9 of 1,800 training rows are like that.'],
  [{ training_rows: null, contradicting: null }, 'with category “refund”.'],
  [
    { contradicting: { count: 3, positions: [8, 9, 10] } },
    'only 9 of 1,800 training rows are like that, and 3 of them contradict others.',
  ],
  [{ contradicting: { count: 1, positions: [8] } }, 'and 1 of them contradicts others.'],
])('says in which rows most errors are: %j', (change, words) => expect(toText(change)).toContain(words));

it('counts the errors and rows of all named labels', () => {
  expect(toText({})).toMatch(/^12 of the 17 errors are in the 14 validation rows /);
  expect(toRowAdvice({ rows: 200, wrong: 12, shared: null, labels })?.text).toMatch(/^All 12 errors are in /);
  expect(toText({ values: two })).toMatch(/^15 of the 17 errors are in the 34 validation rows /);
});

it('links to the wrong rows and to the training rows that contradict others', () => {
  const contradicting = { count: 300, positions: Array.from({ length: 200 }, (_, at) => at) };
  const found = { ...labels, values: [{ value: 'refund', rows: 2, wrong: 2, training_rows: 9 }], contradicting };
  expect(toRowAdvice({ rows: 200, wrong: 3, shared: null, labels: found })?.links).toEqual([
    { label: 'Look at these rows', rows: [3, 5] },
    { label: 'Look at the first 200 of the contradictions', rows: contradicting.positions },
  ]);
});

it('says which errors the other runs make as well', () => {
  const shared = { runs: 3, least: 3, count: 4, positions: [3, 4, 5, 6] };
  const toShared = (change: object) =>
    toRowAdvice({ rows: 200, wrong: 5, labels: null, shared: { ...shared, ...change } });
  expect(toShared({})).toEqual({
    text: '4 of the 5 errors are made by all 3 runs.',
    links: [{ label: 'Look at these rows', rows: [3, 4, 5, 6] }],
  });
  expect(toShared({ runs: 11, least: 10 })?.text).toContain('by at least 10 of 11 runs');
});

it('says nothing where nothing is known', () => {
  expect(toRowAdvice({ rows: null, wrong: 0, labels: null, shared: null })).toBeNull();
});
