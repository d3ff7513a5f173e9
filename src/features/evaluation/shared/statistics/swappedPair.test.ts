import { expect, it } from 'vitest';
import { joinSwapped } from './swappedPair.ts';

it.each([
  ['first', 'second', 'first'],
  ['second', 'first', 'second'],
  ['tie', 'tie', 'tie'],
  ['first', 'first', 'tie'],
  ['second', 'second', 'tie'],
  ['first', 'tie', 'tie'],
] as const)('%s, and %s with the answers swapped: %s', (straight, swapped, winner) =>
  expect(joinSwapped(straight, swapped)).toBe(winner),
);
