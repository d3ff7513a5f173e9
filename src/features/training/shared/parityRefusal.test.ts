import { expect, it } from 'vitest';
import { toParity } from '#core/contract/exportParity.fixture.ts';
import { findRefusal } from './parityRefusal.ts';

it('refuses the served model alone, with its figures', () => {
  expect(findRefusal(toParity(true, true))).toMatch(/88\.5 % of 50 .* 98 % were before/);
  expect(findRefusal(toParity(false, true))).toBeNull();
  expect(findRefusal(toParity(true, false))).toBeNull();
  expect(findRefusal(null)).toBeNull();
  expect(findRefusal({ ...toParity(true, true), formats: [] })).toBeNull();
});
