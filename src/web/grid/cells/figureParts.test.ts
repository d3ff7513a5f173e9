import { expect, it } from 'vitest';
import { toFigureParts } from './figureParts.ts';

it.each([
  ['99 % (96–100), 157 of 1,000', ['99 %', '(96–100),', '157 of 1,000']],
  ['1 without an answer · 3 not checked · mean 2.3 s', ['1 without an answer ·', '3 not checked ·', 'mean 2.3 s']],
  ['−24 rows vs. column 1 (p < 0.001)', ['−24 rows vs. column 1', '(p < 0.001)']],
  ['nothing to check', ['nothing to check']],
])('%s', (text, parts) => {
  expect(toFigureParts(text)).toEqual(parts);
  expect(toFigureParts(text).join(' ')).toBe(text);
});
