import { expect, it } from 'vitest';
import { baseName, folderOf, lastPart, pathIn, toPathParts } from './paths.ts';

it('puts a path below the root together and takes it apart', () => {
  expect([pathIn('', 'a'), pathIn('a/b', 'c')]).toEqual(['a', 'a/b/c']);
  expect([baseName('a'), baseName('a/b/c')]).toEqual(['a', 'c']);
  expect([folderOf('a'), folderOf('a/b/c')]).toEqual(['', 'a/b']);
});

it('reads paths as they were written, also on Windows', () => {
  expect(toPathParts('./out//run 1/')).toEqual(['out', 'run 1']);
  expect(toPathParts('C:\\runs\\sft')).toEqual(['C:', 'runs', 'sft']);
  expect([lastPart('/data/out/'), lastPart('C:\\runs\\sft'), lastPart('.'), lastPart('')]).toEqual([
    'out',
    'sft',
    '.',
    '',
  ]);
});
