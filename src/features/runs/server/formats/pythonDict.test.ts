import { expect, it } from 'vitest';
import { numberOf, parsePythonDict } from './pythonDict.ts';

const plain = (line: string): unknown => {
  const found = parsePythonDict(line);
  return found && Object.fromEntries(found);
};

it('reads the lines of transformers 4 and 5', () => {
  expect(plain("{'loss': 1.679, 'grad_norm': nan, 'learning_rate': 4.91e-05, 'epoch': 0.08}")).toEqual({
    loss: 1.679,
    grad_norm: NaN,
    learning_rate: 4.91e-5,
    epoch: 0.08,
  });
  expect(plain("{'loss': '1.679', 'learning_rate': '0.000491', 'num_tokens': 5120}\r")).toEqual({
    loss: 1.679,
    learning_rate: 0.000491,
    num_tokens: 5120,
  });
});

it('passes over words, texts, lists, tuples and dicts', () => {
  const line = `{'a': True, "b's": None, 'c': [1, -inf, inf,], 'd': (0.9, 'x\\'y\\n'), 'e': {1: False}, 'f': {}, 'g': 1_0,}`;
  expect(plain(line)).toEqual({ a: null, "b's": null, c: null, d: null, e: null, f: null, g: 10 });
});

it.each([
  '',
  '{',
  "{'loss': }",
  "{'loss': 1.5",
  "{'loss': 1.5} done",
  "{'loss': tensor(1.5)}",
  "{'loss' 1.5}",
  '{1.5}',
  "{'a': 'b}",
  "{'a': 1 'b': 2}",
  "{'a': nano}",
  '[1]',
  '{'.repeat(60_000) + '}',
  `{'a': ${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  `{'a': '${'x'.repeat(70_000)}'}`,
])('sees no dict in %.40s', (line) => expect(parsePythonDict(line)).toBeNull());

it.each([
  ['0.0002', 0.0002],
  ['1e-05', 1e-5],
  ['nan', NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
  ['No log', null],
  ['1.5 GiB', null],
  ['0x10', null],
  ['', null],
  [2, 2],
  [true, null],
  [undefined, null],
])('takes %s for the number %s', (value, expected) => expect(numberOf(value)).toBe(expected));
