import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toBatchNote, toBatchParts, type BatchLimits } from './trainingMemory.ts';

it('a batch is parts of four rows at most, as many as make it up exactly', () => {
  expect([1, 2, 3, 4, 6, 7, 8, 9, 10, 64].map((batch) => Object.values(toBatchParts(batch)).join('x'))).toEqual([
    '1x1',
    '2x1',
    '3x1',
    '4x1',
    '3x2',
    '1x7',
    '4x2',
    '3x3',
    '2x5',
    '4x16',
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (batch) => {
      const { micro, accumulation } = toBatchParts(batch);
      expect(BigInt(micro) * BigInt(accumulation)).toBe(BigInt(batch));
      expect([4, 3, 2, 1].find((rows) => batch % rows === 0)).toBe(micro);
    }),
  );
});

it('its parts keep other limits: pairs take more memory, and KTO compares the answers of a part', () => {
  const toText = (batch: number, limits: BatchLimits) => Object.values(toBatchParts(batch, limits)).join('x');
  expect([8, 7, 1].map((batch) => toText(batch, { most: 2 }))).toEqual(['2x4', '1x7', '1x1']);
  expect([8, 7, 9, 1].map((batch) => toText(batch, { least: 2 }))).toEqual(['4x2', '7x1', '3x3', '1x1']);
  expect(toBatchNote(7, { least: 2 })).toMatch(/^7 x 1 = /);
});

it('its note says what the product is', () => {
  expect(toBatchNote(64)).toMatch(/^4 x 16 = the service's batch size of 64, /);
});
