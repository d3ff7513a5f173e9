import { expect, it } from 'vitest';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isSampleFile, toImportedId } from './modelNames.ts';

const FROM = '4da2acc4-0000-4000-8000-000000000001';
const TO = '0badcafe-0000-4000-8000-000000000002';

it.each([
  ['ft-support-base-4da2acc4', 'ft-support-base-0badcafe'],
  ['ft-Qwen/Qwen3-8B-4da2acc4-step-25', 'ft-Qwen/Qwen3-8B-0badcafe-step-25'],
  ['ft-mödel 1-4da2acc4-2', 'ft-mödel 1-0badcafe-2'],
  // Digits that are there twice: the last ones are the run's.
  ['ft-4da2acc4-4da2acc4', 'ft-4da2acc4-0badcafe'],
])('%s is called %s with its run', (id, named) => {
  expect(toImportedId(id, FROM, TO)).toBe(named);
  expect(toImportedId(id, FROM, FROM)).toBe(id);
  expect(toImportedId(id.toUpperCase(), FROM, FROM)).not.toBe(id);
});

it.each([
  ['Qwen/Qwen3-8B', 'ft-Qwen/Qwen3-8B-4da2acc4'],
  ['support-base', 'ft-support-base-4da2acc4'],
  ['llama3:8b', 'ft-llama3:8b-4da2acc4'],
  // Of another run.
  ['ft-support-base-00000000', 'ft-support-base-00000000-4da2acc4'],
  ['ft-4da2acc4', 'ft-4da2acc4-4da2acc4'],
  ['ft-a-4da2acc4 ', 'ft-a-4da2acc4--4da2acc4'],
  ['ft-a\u202Eb-4da2acc4', 'ft-a-b-4da2acc4-4da2acc4'],
  ['a\u0000\n\u2028b\tc', 'ft-a-b-c-4da2acc4'],
])('%j can not be the name of an imported model: it is called %s', (id, named) => {
  expect(toImportedId(id, FROM, FROM)).toBe(named);
});

it('a long name is cut, so that it can be asked for', () => {
  for (const id of ['a'.repeat(500), `ft-${'b'.repeat(480)}-4da2acc4`]) {
    const named = toImportedId(id, FROM, TO);
    expect(named.length).toBeLessThanOrEqual(REQUEST_LIMITS.modelCharacters - 20);
    expect(named).toMatch(/^ft-[ab]+-0badcafe$/);
  }
});

it('files of the sample have bare names', () => {
  expect(['a.Q8_0.gguf', 'models/a.gguf', '../a.gguf', '.gguf', 'a.bin'].map(isSampleFile)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
