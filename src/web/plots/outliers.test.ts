import { expect, it } from 'vitest';
import { toFarBound } from './outliers.ts';

it.each<[string, readonly number[], number | null]>([
  ['values over 20 times the median', [0.1, 0.2, 0.3, 4, 80], 4],
  ['nothing where the highest is near enough', [0.1, 0.2, 0.3, 4, 6], null],
  ['nothing below zero, where times says nothing', [-3, -2, -1, 5, 900], null],
  ['nothing of nothing', [], null],
])('cuts %s', (_what, values, bound) => expect(toFarBound(values, values.at(-1) ?? 0)).toBe(bound));
