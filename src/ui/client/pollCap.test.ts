import { expect, it } from 'vitest';
import { toPolledIds } from './pollCap.ts';

const many = Array.from({ length: 1_000 }, (_, n) => `${n}`);

it('polls all of a few', () => expect([...toPolledIds(['a', 'b'], () => false)]).toEqual(['a', 'b']));

it('polls the first open ones of many, and the next when those have settled', () => {
  expect([...toPolledIds(many, () => true)]).toEqual(many.slice(0, 32));
  expect([...toPolledIds(many, (id) => Number(id) >= 500)]).toEqual(many.slice(500, 532));
  expect(toPolledIds(many, () => false).size).toBe(0);
});
