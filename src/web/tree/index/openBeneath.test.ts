import { describe, expect, it } from 'vitest';
import { closeBeneath, openBeneath } from './openBeneath.ts';
import { ALL_OPEN, collapsedState, isOpen } from './openState.ts';
import { TEST_TREE } from './tree.fixture.ts';
import { toTreeIndex } from './treeIndex.ts';

const index = toTreeIndex(TEST_TREE);
const at = (id: string) => index.placeOf.get(id) ?? -1;
const open = (state: typeof ALL_OPEN) => ['p', 'd1', 's1', 'j1', 'd2', 's2', 'j2'].filter((key) => isOpen(state, key));

describe('opening and closing a subtree', () => {
  it('opens the branch and all branches in it, no other', () => {
    expect(open(openBeneath(collapsedState(index), index, at('d2')))).toEqual(['p', 'd2', 's2', 'j2']);
    expect(open(openBeneath(collapsedState(index), index, 0))).toEqual(['p', 'd1', 's1', 'j1', 'd2', 's2', 'j2']);
  });

  it('closes them the same way', () => {
    expect(open(closeBeneath(ALL_OPEN, index, at('s1')))).toEqual(['p', 'd1', 'd2', 's2', 'j2']);
  });
});
