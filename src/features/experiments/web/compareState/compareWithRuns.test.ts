import { expect, it } from 'vitest';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toBesideRuns } from './compareWithRuns.ts';
import { MAX_COMPARED } from '#ui/address/urlState.ts';

const node = (id: string, children: readonly TreeNode[] = []): TreeNode => ({
  id,
  type: 'node',
  label: id,
  metadata: {},
  children: [...children],
});

it('the runs of every job come first, then the advice', () => {
  const snapshot = node('s', [node('j1', [node('a'), node('b')]), node('j2', [node('c')])]);
  expect(toBesideRuns(snapshot, ['m:x:lora'])).toEqual({ refs: ['x:a', 'x:b', 'x:c', 'r:s:m:x:lora'], runs: 3 });
  expect(toBesideRuns(node('s'), ['m:x:lora'])).toEqual({ refs: ['r:s:m:x:lora'], runs: 0 });
});

it('runs without room stay out', () => {
  const many = Array.from({ length: MAX_COMPARED + 5 }, (_, index) => node(`e${index}`));
  const { refs, runs } = toBesideRuns(node('s', [node('j', many)]), ['a', 'b']);
  expect([refs.length, runs, refs.at(-1)]).toEqual([MAX_COMPARED, MAX_COMPARED - 2, 'r:s:b']);
});
