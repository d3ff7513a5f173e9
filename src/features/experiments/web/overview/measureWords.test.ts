import { expect, it } from 'vitest';
import { toMeasure } from '#features/experiments/shared/measures.ts';
import { toDatasetResults } from '#features/experiments/web/rows/datasetResults.ts';
import { toTestRow } from '#features/experiments/web/rows/rows.fixture.ts';
import { toInterval, toRowsNote } from './measureWords.ts';

it('a share of rows has an interval, nothing else has', () => {
  const measure = toMeasure('exact_match');
  expect(toInterval(measure, 0.995, 200)).toEqual({ low: '97.2', high: '99.9' });
  expect(toInterval(measure, 0.995, null)).toBe(null);
  expect(toInterval(measure, 99.5, 200)).toBe(null);
  expect(toInterval(toMeasure('validation_loss'), 0.07, 200)).toBe(null);
  // Of the rows with an id alone, of which nobody says how many there are.
  expect(toInterval(toMeasure('id_copied'), 0.99, 200)).toBe(null);
});

it.each([
  [
    { held_out_rows: 400, validation_count: 1250 },
    400,
    'on 400 of 1,250 validation rows; 850 left out: not measured by the trainer',
  ],
  [{ held_out_rows: 200, validation_count: 200 }, 200, null],
  [{ held_out_rows: 200, validation_count: 200 }, null, 'on 200 validation rows'],
  [{ held_out_rows: 200, validation_count: null }, 200, null],
  [{ held_out_rows: null, validation_count: 200 }, null, null],
])('of which rows a score is: %j where the card says %j', (change, said, text) => {
  const [result] = toDatasetResults([
    toTestRow('a', { answer_shape: 'json', held_out: { exact_match: 0.9 }, ...change }),
  ]);
  expect(result && toRowsNote(result, said)).toBe(text);
});
