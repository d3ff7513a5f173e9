import { expect, it } from 'vitest';
import { toHeadLines } from './headLines.ts';

it.each([
  [['last_loss', 'n_epochs'], 62, 2],
  [['last_loss', 'learning_rate_multiplier'], 62, 3],
  [['learning_rate_multiplier'], 132, 2],
  [['validation exact_match'], 62, 3],
  [['validation exact_match'], 80, 2],
  // As many as there is room for: the rest is cut.
  [['a_very_long_name_of_a_measure_that_goes_on'], 62, 3],
  [['onewordthatgoesonforlong'], 62, 3],
  [[], 62, 2],
  [['x'], 0, 2],
])('%j in %i pixels take %i lines', (labels, width, lines) => {
  expect(toHeadLines(labels, width)).toBe(lines);
});
