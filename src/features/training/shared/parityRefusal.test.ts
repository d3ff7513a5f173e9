import { expect, it } from 'vitest';
import type { ExportParity } from '#core/contract/exportParity.ts';
import { findRefusal } from './parityRefusal.ts';

const toParity = (is_served: boolean, is_refused: boolean): ExportParity => ({
  prompts: 50,
  exact_match: 0.98,
  formats: [
    {
      format: 'F16',
      is_served,
      equal: 0.9,
      exact_match: 0.885,
      lost: 0.095,
      lost_from: 0.01,
      lost_to: 0.2,
      is_refused,
      first_difference: { prompt: 'p', at: 3, before: 'abcd', after: 'abce' },
    },
  ],
});

it('refuses the served model alone, with its figures', () => {
  expect(findRefusal(toParity(true, true))).toMatch(/88\.5 % of 50 .* 98 % were before/);
  expect(findRefusal(toParity(false, true))).toBeNull();
  expect(findRefusal(toParity(true, false))).toBeNull();
  expect(findRefusal(null)).toBeNull();
  expect(findRefusal({ ...toParity(true, true), formats: [] })).toBeNull();
});
