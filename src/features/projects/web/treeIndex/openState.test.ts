import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_CLOSED,
  ALL_OPEN,
  closeSubtree,
  collapsedState,
  initialOpenState,
  isOpen,
  openSubtree,
  openSiblings,
  revealPlace,
  setOpen,
} from './openState.ts';
import { TEST_TREE, toTestNode } from './tree.fixture.ts';
import { toTreeIndex } from './treeIndex.ts';

const index = toTreeIndex(TEST_TREE);
const at = (id: string) => index.placeOf.get(id) ?? -1;

describe('open state', () => {
  it('holds what was set last, whatever the rule for the rest is', () => {
    const steps = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), open: fc.boolean() }));
    fc.assert(
      fc.property(fc.boolean(), steps, (isOpenByDefault, list) => {
        const state = list.reduce(
          (last, step) => setOpen(last, [step.key], step.open),
          isOpenByDefault ? ALL_OPEN : ALL_CLOSED,
        );
        for (const key of ['a', 'b', 'c']) {
          expect(isOpen(state, key)).toBe(list.findLast((step) => step.key === key)?.open ?? isOpenByDefault);
        }
      }),
    );
  });

  it('stays the same object when nothing changes', () => {
    expect(setOpen(ALL_OPEN, ['a', 'b'], true)).toBe(ALL_OPEN);
    expect(revealPlace(ALL_OPEN, index, at('e1'))).toBe(ALL_OPEN);
  });

  it('opens all above a node and nothing else', () => {
    const state = revealPlace(ALL_CLOSED, index, at('e1'));
    expect([...state.exceptions]).toEqual(['p', 'd1', 's1', 'j1']);
  });

  it('opens a small tree and only the project of a big one', () => {
    expect(initialOpenState(index)).toBe(ALL_OPEN);
    const children = Array.from({ length: 400 }, (_, n) => toTestNode('dataset', `d${n}`, 'D'));
    expect([...initialOpenState(toTreeIndex({ ...TEST_TREE, children })).exceptions]).toEqual(['p']);
  });

  it('collapses to the datasets', () => {
    const state = collapsedState(index);
    expect(isOpen(state, 'p')).toBe(true);
    expect(isOpen(state, 'd1')).toBe(false);
  });

  it('opens all branches beside a node, but marks no leaf', () => {
    const state = openSiblings(ALL_CLOSED, index, at('d1'));
    expect([...state.exceptions]).toEqual(['d1', 'd2']);
    expect([...openSiblings(ALL_CLOSED, index, 0).exceptions]).toEqual(['p']);
  });
});

describe('opening and closing a subtree', () => {
  const open = (state: typeof ALL_OPEN) =>
    ['p', 'd1', 's1', 'j1', 'd2', 's2', 'j2'].filter((key) => isOpen(state, key));

  it('opens the branch and all branches in it, no other', () => {
    expect(open(openSubtree(collapsedState(index), index, at('d2')))).toEqual(['p', 'd2', 's2', 'j2']);
    expect(open(openSubtree(collapsedState(index), index, 0))).toEqual(['p', 'd1', 's1', 'j1', 'd2', 's2', 'j2']);
  });

  it('closes them the same way', () => {
    expect(open(closeSubtree(ALL_OPEN, index, at('s1')))).toEqual(['p', 'd1', 'd2', 's2', 'j2']);
  });
});
