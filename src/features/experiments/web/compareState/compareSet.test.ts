import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOnlyDifferences, toFitting, toMoved, toRestored, toToggled, toWith, toWithout } from './compareSet.ts';
import { MAX_COMPARED } from '#ui/address/urlState.ts';

const set = (text: string, baseline: string | null = null) => ({
  compare: text === '' ? [] : text.split(' '),
  baseline,
});

it('adds at the end, once', () => expect(toWith(set('a b'), ['b', 'c', 'c'])).toEqual(set('a b c')));

it('a chosen baseline stays when a run is added; none is chosen for anybody', () => {
  expect(toWith(set('r:s:a', 'r:s:a'), ['x:1'])).toEqual(set('r:s:a x:1', 'r:s:a'));
  expect(toWith(set('r:s:a'), ['x:1']).baseline).toBeNull();
});

it('takes the baseline out with its run, and no other', () => {
  expect(toWithout(set('a b c', 'b'), ['b', 'c'])).toEqual(set('a'));
  expect(toWithout(set('a b c', 'b'), ['c'])).toEqual(set('a b', 'b'));
});

it('gives back what was taken out, in its places, beside what came since', () => {
  expect(toRestored(set('a b c', 'b'), set('c d'), ['a', 'b'])).toEqual(set('a b c d', 'b'));
  expect(toRestored(set('a b', 'a'), set('b e', 'e'), ['a'])).toEqual(set('a b e', 'e'));
});

it('gives back nothing else that left since, no baseline either', () => {
  expect(toRestored(set('a b c', 'c'), set('b'), ['a'])).toEqual(set('a b'));
  expect(toRestored(set('a b c'), set(''), ['a', 'gone'])).toEqual(set('a'));
});

it('gives back as many as there is room for, and takes none of those away that came since', () => {
  const names = (count: number, mark: string) => Array.from({ length: count }, (_, n) => `${mark}${n}`);
  const now = { compare: [...names(MAX_COMPARED - 2, 'x'), 'new'], baseline: null };
  const restored = toRestored({ compare: ['a', 'b', ...names(MAX_COMPARED - 2, 'x')], baseline: 'b' }, now, ['a', 'b']);
  expect(restored).toEqual({ compare: ['a', ...now.compare], baseline: null });
});

it('moves past its neighbour; the baseline, which is shown first, is none', () => {
  const shown = ['base', 'a', 'b'];
  expect(toMoved(shown, 'a', 1)).toEqual(['base', 'b', 'a']);
  expect(toMoved(shown, 'b', -1)).toEqual(['base', 'b', 'a']);
  for (const [ref, step] of [
    ['a', -1],
    ['b', 1],
    ['base', 1],
    ['nowhere', 1],
  ] as const)
    expect(toMoved(shown, ref, step)).toEqual(shown);
});

it('takes what is new, as much as there is room for', () => {
  expect(toFitting(['a'], ['a', 'b'])).toEqual({ refs: ['b'], left: 0 });
  const full = Array.from({ length: MAX_COMPARED - 1 }, (_, n) => `x${n}`);
  expect(toFitting(full, ['x1', 'a', 'b', 'c'])).toEqual({ refs: ['a'], left: 2 });
  expect(toFitting([...full, 'y', 'z'], ['a'])).toEqual({ refs: [], left: 1 });
});

it('toggling twice gives the same set back; moving never loses one', () => {
  const refs = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
  fc.assert(
    fc.property(refs, fc.constantFrom('a', 'b', 'x'), fc.constantFrom<-1 | 1>(-1, 1), (compare, ref, step) => {
      const twice = toToggled(toToggled({ compare, baseline: null }, ref), ref);
      expect(twice.compare.toSorted()).toEqual(compare.toSorted());
      expect(toMoved(compare, ref, step).toSorted()).toEqual(compare.toSorted());
    }),
  );
});

it('shows only differences from three on, unless told otherwise', () => {
  const of = (count: number, diff: string | null) =>
    isOnlyDifferences({ diff, compare: Array.from({ length: count }, String) });
  expect([of(2, null), of(3, null), of(2, '1'), of(9, '0'), of(3, 'x')]).toEqual([false, true, true, false, true]);
});
