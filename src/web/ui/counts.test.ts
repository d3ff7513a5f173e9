import { expect, it } from 'vitest';
import { toCountText } from './counts.ts';

it('groups counts and loses no digit of odd ones', () => {
  expect([3, 2200, 1.00001, 1e21, -5].map(toCountText)).toEqual(['3', '2,200', '1.00001', '1e+21', '-5']);
});
