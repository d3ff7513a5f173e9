import { expect, it } from 'vitest';
import { joinSentences, toCountText, toEpochsText, toLossText, toRateText, toRatioText } from './reasonText.ts';

it.each([
  [0.0015, '1.5e-3'],
  [0.000_107_1, '1.07e-4'],
  [1e-9, '1e-9'],
  [0.2, '0.2'],
  [0.01, '0.01'],
])('writes the rate %d as %s', (rate, text) => expect(toRateText(rate)).toBe(text));

it('compares rates by ratio', () => {
  expect(toRatioText(1e-4, 2e-4)).toBe('2x below the 2e-4');
  expect(toRatioText(4.73e-4, 2e-4)).toBe('2.4x above the 2e-4');
  expect(toRatioText(2.02e-4, 2e-4)).toBe('about the 2e-4');
});

it('writes losses with two digits, counts with separators, epochs with their noun', () => {
  expect([0.5309, 0.0044, 0].map(toLossText)).toEqual(['0.53', '0.0044', '0']);
  expect([2200, 1.744].map(toCountText)).toEqual(['2,200', '1.74']);
  expect([1, 3].map(toEpochsText)).toEqual(['1 epoch', '3 epochs']);
});

it('leaves empty sentences out', () => expect(joinSentences('One.', '', 'Two.')).toBe('One. Two.'));
