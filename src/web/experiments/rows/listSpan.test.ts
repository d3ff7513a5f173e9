import { expect, it } from 'vitest';
import { toSpan } from './listSpan.ts';

it('spans both ways', () => {
  expect(toSpan(['a', 'b', 'c', 'd'], 1, 2)).toEqual(['b', 'c']);
  expect(toSpan(['a', 'b', 'c', 'd'], 3, 1)).toEqual(['b', 'c', 'd']);
  expect(toSpan(['a', 'b'], 1, 1)).toEqual(['b']);
});
