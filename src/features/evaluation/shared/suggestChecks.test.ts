import { expect, it } from 'vitest';
import type { PromptRow } from './promptRow.ts';
import { suggestChecks } from './suggestChecks.ts';

const toRows = (expected: readonly (string | null)[]): readonly PromptRow[] =>
  expected.map((text, at) => ({ number: at + 1, messages: null, variables: new Map(), expected: text }));
const CALL = '[{"name":"cancel_order","arguments":{"id":7}}]';

it.each([
  ['tool calls', [CALL, CALL], 'tool-calls'],
  ['objects', ['{"a":1}', '{"a":2}', null], 'json-equal'],
  ['lists', ['[1]', '["b"]'], 'json-equal'],
  ['numbers', ['42', '$3.50', ''], 'number'],
  ['labels', ['high', 'low', 'high', 'low', 'high', 'low '], 'exact'],
])('%s are compared with a check that says something', (_what, expected, kind) => {
  const { check, forms } = suggestChecks(toRows(expected));
  expect([check?.kind, check?.expected, forms]).toEqual([kind, null, []]);
});

it('free text gets no check of equality, the reason, and only checks of form that its own answers pass', () => {
  const free = suggestChecks(toRows(['Hello Ines,\n\nbest regards.', 'I am sorry to **hear**!', 'Is it on?']));
  expect(free.check).toBeNull();
  expect(free.reason).toBe('The expected answers are free text: exact match says nothing about them.');
  expect(free.forms.map(({ label }) => label)).toEqual(['Not empty', 'Ends with a full sentence']);
  const unended = suggestChecks(toRows(['Hello Ines,\n\nbest regards', 'I am sorry.', 'Is it on?']));
  expect(unended.forms.map(({ label }) => label)).toEqual(['Not empty']);
});

it('texts that do not repeat, or are long, are no labels', () => {
  expect(suggestChecks(toRows(['a', 'b', 'c'])).check).toBeNull();
  expect(suggestChecks(toRows(Array.from({ length: 9 }, () => 'word '.repeat(10)))).check).toBeNull();
});

it('where most rows are of one kind, says how many are not checked', () => {
  const { check, reason } = suggestChecks(toRows([CALL, CALL, 'I need your order number.']));
  expect([check?.kind, reason]).toEqual([
    'tool-calls',
    'The expected answers are tool calls: names and arguments have to be equal. 1 other is not checked.',
  ]);
});

it('without expected answers nothing is suggested', () => {
  expect(suggestChecks(toRows([null, '  ']))).toEqual({
    check: null,
    reason: 'The rows have no expected answers.',
    forms: [],
  });
});
