import { describe, expect, it } from 'vitest';
import { toAdapterPlan, toParts, toWeightPlan } from './tensorPlan.ts';
import { TINY } from './tinyModel.fixture.ts';

describe.each([
  ['all weights', toWeightPlan({ ...TINY, layers: 6 })],
  ['an adapter', toAdapterPlan({ ...TINY, layers: 6 }, 4)],
])('the parts of %s', (_, plan) => {
  it.each([1, 2, 5, 200])('hold each tensor once, side by side: %i', (count) => {
    const parts = toParts(plan, count);
    expect(parts).toHaveLength(count);
    expect(parts.flat()).toEqual([...plan.places.values()]);
  });

  it('are about as large, and leave pairs together', () => {
    const parts = toParts(plan, 3);
    const sizes = parts.map((part) => part.reduce((sum, { rows, columns }) => sum + rows * columns, 0));
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.6);
    const owners = parts.flatMap((part, at) => part.map(({ name }) => `${at} ${name.replace(/\.lora_[ab]$/, '')}`));
    expect(new Set(owners).size).toBe(new Set(owners.map((owner) => owner.split(' ')[1])).size);
  });
});
