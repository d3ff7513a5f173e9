import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_COMPARED, toBoundedDiff } from './boundedDiff';

const LONG = 'word '.repeat(MAX_COMPARED / 5);
const join = (parts: ReturnType<typeof toBoundedDiff>, kinds: readonly string[]): string => (parts ?? []).filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text).join('');

it('compares long texts where they differ', () => {
  const [before, after] = [`${LONG}the old end ${LONG}`, `${LONG}the new end ${LONG}`];
  const parts = toBoundedDiff(before, after);
  expect(parts?.filter(({ kind }) => kind !== 'same')).toEqual([{ kind: 'removed', text: 'old' }, { kind: 'added', text: 'new' }]);
  expect([join(parts, ['same', 'removed']), join(parts, ['same', 'added'])]).toEqual([before, after]);
});

it('gives up where too much differs', () => expect(toBoundedDiff(`a ${LONG}`, `b ${LONG.replaceAll('word', 'else')}`)).toBeNull());

it('compares equal long texts, and one that goes on', () => {
  expect(toBoundedDiff(LONG, LONG)).toEqual([{ kind: 'same', text: LONG }]);
  expect(toBoundedDiff(LONG, `${LONG}and on`)?.at(-1)).toEqual({ kind: 'added', text: 'and on' });
});

it('loses nothing of either text', () => {
  const text = array(constantFrom('a', 'bb', ' ', '\n', 'a b')).map((parts) => parts.join(''));
  assert(
    property(text, text, (a, b) => {
      const [before, after] = [`${LONG}${a} x ${LONG}`, `${LONG}${b} y ${LONG}`];
      const parts = toBoundedDiff(before, after);
      expect([join(parts, ['same', 'removed']) === before, join(parts, ['same', 'added']) === after]).toEqual([true, true]);
    }),
    { numRuns: 30 },
  );
});
