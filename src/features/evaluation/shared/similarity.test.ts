import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SIMILARITY_MEASURES, toSimilarity } from './similarity.ts';
import { toWords } from './textLength.ts';

// RapidFuzz 3.14.6 (Levenshtein.normalized_similarity), rouge-score 0.1.2 (rougeL, fmeasure), sacreBLEU 2.6.0 (CHRF, sentence_score / 100).
// null: rouge-score knows no letters beyond a to z.
it.each([
  ['kitten', 'sitting', 0.5714285714285714, 0, 0.19025078890549743],
  [
    'the cat was found under the bed',
    'the cat was under the bed',
    0.8064516129032258,
    0.923076923076923,
    0.8005925596165643,
  ],
  ['Die Straße ist schön.', 'Die Strasse ist schön!', 0.8636363636363636, null, 0.6600211221541743],
  ['Police killed the gunman', 'the gunman killed police', 0.16666666666666663, 0.5, 0.6555704006748898],
  ['今日は天気がいい', '今日は雨です', 0.375, null, 0.17780076526072253],
  ['a', 'b', 0, 0, 0],
  ['same text', 'same text', 1, 1, 1],
  ['x', 'a longer reference', 0, 0, 0],
])('%s beside %s has the published similarities', (answer, expected, levenshtein, rouge, chrf) => {
  expect(toSimilarity('levenshtein', answer, expected)).toBeCloseTo(levenshtein, 12);
  if (rouge !== null) expect(toSimilarity('rouge-l', answer, expected)).toBeCloseTo(rouge, 12);
  expect(toSimilarity('chrf', answer, expected)).toBeCloseTo(chrf, 12);
});

it('is from 0 to 1, and 1 for a text beside itself', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
      for (const measure of SIMILARITY_MEASURES) {
        const found = toSimilarity(measure, a, b);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1 + 1e-12);
        // ROUGE-L counts words alone, and "_" has none.
        if (toWords(a).length > 0) expect(toSimilarity(measure, a, a)).toBeCloseTo(1, 12);
      }
    }),
  ));
