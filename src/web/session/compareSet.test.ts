import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOnlyDifferences, toFitting, toMoved, toRestored, toToggled, toWith, toWithout } from './compareSet.ts';
import { MAX_COMPARED } from './urlState.ts';

const set = (text: string, baseline: string | null = null) => ({
  compare: text === '' ? [] : text.split(' '),
  baseline,
});

it('adds at the end, once', () => expect(toWith(set('a b'), ['b', 'c', 'c'])).toEqual(set('a b c')));

it('measures against what it did before when a run is added, which would be the baseline else', () => {
  expect(toWith(set('r:s:a r:s:b'), ['x:1'])).toEqual(set('r:s:a r:s:b x:1', 'r:s:a'));
  expect(toWith(set('r:s:a', 'r:s:b'), ['x:1']).baseline).toBe('r:s:b');
  expect(toWith(set('x:1 r:s:a'), ['x:2'])).toEqual(set('x:1 r:s:a x:2'));
  expect(toWith(set(''), ['r:s:a', 'x:1'])).toEqual(set('r:s:a x:1'));
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

it('moves past the next one that is not the baseline', () => {
  expect(toMoved(set('a b c d', 'c'), 'b', 1, 'c')).toEqual(set('a d c b', 'c'));
  expect(toMoved(set('a b c', 'b'), 'c', -1, 'b')).toEqual(set('c b a', 'b'));
  expect(toMoved(set('a b c'), 'b', -1, 'a')).toEqual(set('a b c'));
  expect(toMoved(set('a b c'), 'c', 1, 'a')).toEqual(set('a b c'));
  expect(toMoved(set('a b c'), 'nowhere', 1, 'a')).toEqual(set('a b c'));
});

it('keeps what is shown first where the first of the address could not be found', () => {
  expect(toMoved(set('gone a b'), 'b', -1, 'a')).toEqual(set('b a gone', 'a'));
  expect(toMoved(set('gone a b', 'gone'), 'b', -1, 'a')).toEqual(set('b a gone', 'a'));
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
      expect(toMoved({ compare, baseline: null }, ref, step, compare[0] ?? '').compare.toSorted()).toEqual(
        compare.toSorted(),
      );
    }),
  );
});

it('shows only differences from three on, unless told otherwise', () => {
  const of = (count: number, diff: string | null) =>
    isOnlyDifferences({ diff, compare: Array.from({ length: count }, String) });
  expect([of(2, null), of(3, null), of(2, '1'), of(9, '0'), of(3, 'x')]).toEqual([false, true, true, false, true]);
});
