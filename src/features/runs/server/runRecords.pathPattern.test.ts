import { expect, it } from 'vitest';
import { toPathPart } from './runRecords.ts';

it.each([
  ['sweeps/lr/run-1', 'sweeps/{}/', 'lr'],
  ['sweeps/lr/run-1', '{}/run', 'lr'],
  ['sweeps/lr/run-1', 'run-{}', '1'],
  ['a/qwen-r16-lr1e-4', '-{}-', 'r16'],
  ['a/qwen-r16-lr1e-4/seed-3', '*-r{}-*', '16'],
  ['a/qwen/seed-3', '{}', 'a'],
  ['a/lr-1', 'lr-', 'lr-'],
  ['a/lr-1', 'lr-*', 'lr-1'],
  ['a/lr-1', 'x{}', null],
  ['a//b', 'a/{}/b', null],
  ['', '{}', null],
  ['a', '', null],
  ['a.b', 'a?b', null],
])('%j by %j is %j', (path, pattern, part) => expect(toPathPart(path, pattern)).toBe(part));

it('takes no time, whatever the pattern', () => {
  expect(toPathPart('a/'.repeat(2000), `${'*a'.repeat(90)}{}b`)).toBeNull();
});
