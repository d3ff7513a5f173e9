import { expect, it } from 'vitest';
import { toHeldOutDashes, toRoundDashes } from './curveLook.ts';

it('validation curves are told from training and from each other without colour', () => {
  const all = [0, 1, 2].flatMap((round) => [toRoundDashes(round), toHeldOutDashes(round)]);
  expect(new Set(all.map((dashes) => dashes.join(' '))).size).toBe(6);
  for (const round of [0, 1, 2]) expect(toHeldOutDashes(round)).toHaveLength(2 * (round + 2));
});
