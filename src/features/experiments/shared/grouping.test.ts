import { expect, it } from 'vitest';
import { toGroups } from './grouping.ts';

it('keeps the order of groups and of what is in them', () => {
  expect([...toGroups(['b1', 'a1', 'b2', 'a2', 'c1'], (text) => text.charAt(0))]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    ['c', ['c1']],
  ]);
  expect([...toGroups<string>([], String)]).toEqual([]);
});
