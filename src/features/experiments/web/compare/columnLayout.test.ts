import { expect, it } from 'vitest';
import { toColumnLayout } from './columnLayout.ts';

it('divides the width among the columns, and keeps the baseline in view where two columns fit', () => {
  expect(toColumnLayout(1000, 3)).toEqual({ names: 204, column: 264, isBaselineFixed: true });
  expect(toColumnLayout(618, 3)).toEqual({ names: 150, column: 156, isBaselineFixed: true });
  expect(toColumnLayout(618, 200)).toEqual({ names: 150, column: 152, isBaselineFixed: true });
  expect(toColumnLayout(360, 3).isBaselineFixed).toBe(false);
  expect(toColumnLayout(0, 0).column).toBeGreaterThan(0);
});
