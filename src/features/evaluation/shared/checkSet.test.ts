import { expect, it } from 'vitest';
import { findCheckProblem, openCheckSet } from './checkSet.ts';
import { DEFAULT_CHECK, type CheckSpec } from './checks.ts';

const contains = (expected: string): CheckSpec => ({ ...DEFAULT_CHECK, kind: 'contains', expected });

it('passes when every check passes', () => {
  const check = openCheckSet([contains('a'), contains('b')]);
  expect(check('ab', null)).toEqual({ state: 'pass' });
  expect(check('a', null)).toEqual({ state: 'fail', reason: 'contains: The answer does not contain “b”.' });
});

it('a failure outweighs a check that can not be applied', () => {
  const check = openCheckSet([DEFAULT_CHECK, contains('b')]);
  expect(check('a', null)?.state).toBe('fail');
  expect(check('b', null)?.state).toBe('no-check');
});

it('a check without a text stands aside for the others, and alone checks nothing', () => {
  const check = openCheckSet([contains(''), contains('b')]);
  expect([check('b', null)?.state, check('a', null)?.state]).toEqual(['pass', 'fail']);
  expect(openCheckSet([contains('')])('b', null)).toEqual({
    state: 'no-check',
    reason: 'Not checked: write the text to look for.',
  });
});

it('one check speaks for itself, none says nothing', () => {
  expect(openCheckSet([contains('a')])('b', null)).toEqual({
    state: 'fail',
    reason: 'The answer does not contain “a”.',
  });
  expect(openCheckSet([])('b', null)).toBeNull();
});

it.each([
  ['no pattern', { ...DEFAULT_CHECK, kind: 'regex' }, /write the pattern/],
  ['a broken pattern', { ...DEFAULT_CHECK, kind: 'regex', expected: '(' }, /not a regular expression/],
  ['a pattern', { ...DEFAULT_CHECK, kind: 'regex', expected: 'a+' }, null],
  ['no schema', { ...DEFAULT_CHECK, kind: 'json-schema', expected: ' ' }, /write the JSON schema/],
  ['a broken schema', { ...DEFAULT_CHECK, kind: 'json-schema', expected: '{' }, /not JSON/],
  ['no text', contains(' '), /^Not checked: write the text to look for\.$/],
  ['a text', contains('a'), null],
  ['a pattern of white space', { ...DEFAULT_CHECK, kind: 'regex', expected: ' ' }, null],
  ['a schema', { ...DEFAULT_CHECK, kind: 'json-schema', expected: '{"type":"object"}' }, null],
  ['a tolerance below 0', { ...DEFAULT_CHECK, kind: 'number', tolerance: -1 }, /tolerance/],
  ['the default', DEFAULT_CHECK, null],
] as const)('%s', (_what, spec, problem) => {
  const found = findCheckProblem(spec);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});
