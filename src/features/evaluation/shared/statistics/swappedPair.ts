// A pair of answers that was judged in both orders. Pure.

export const WINNERS = ['first', 'second', 'tie'] as const;
export type Winner = (typeof WINNERS)[number];

/**
 * The verdict of a pair that was judged twice: `straight` in its order, `swapped` with its second answer first. A judge that
 * changes its mind with the order has judged the order, so it is a tie.
 */
export function joinSwapped(straight: Winner, swapped: Winner): Winner {
  const turned = ({ first: 'second', second: 'first', tie: 'tie' } as const)[swapped];
  return straight === turned ? straight : 'tie';
}
