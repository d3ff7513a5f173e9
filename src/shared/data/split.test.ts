import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toContentHash } from './contentHash.ts';
import { toRowSide, toSide, toSplitPreview, type SplitRow } from './split.ts';

const rows = Array.from({ length: 20_000 }, (_, at): SplitRow => ({ hash: toContentHash(`row ${at}`), bucket: null }));
const count = (percent: number): number => rows.filter(({ hash }) => toSide(hash, percent) === 'training').length;

describe('toSide', () => {
  it('gives about the share that was asked for', () => {
    for (const percent of [1, 10, 50, 80, 99]) {
      // Six standard deviations of a fair draw.
      const spread = 6 * Math.sqrt(rows.length * (percent / 100) * (1 - percent / 100));
      expect(Math.abs(count(percent) - (rows.length * percent) / 100)).toBeLessThan(spread);
    }
  });

  it('puts all rows on one side at 0 and 100 percent', () => {
    expect(count(0)).toBe(0);
    expect(count(100)).toBe(rows.length);
    expect(toSide('ffffffffffffffff', 100)).toBe('training');
    expect(toSide('0000000000000000', 0)).toBe('validation');
  });

  it('keeps training rows where they are when the share grows', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(100), fc.nat(100), (text, a, b) => {
        const hash = toContentHash(text);
        const [less, more] = a < b ? [a, b] : [b, a];
        if (toSide(hash, less) === 'training') expect(toSide(hash, more)).toBe('training');
      }),
    );
  });
});

describe('toSplitPreview', () => {
  it('counts sides, chosen sides and leaks', () => {
    const [first, second] = rows;
    const hash = rows.find((row) => toSide(row.hash, 80) === 'training')!.hash;
    expect(toSplitPreview(rows, 80)).toEqual({
      training: count(80),
      validation: rows.length - count(80),
      chosen: 0,
      leaks: 0,
    });
    expect(
      toSplitPreview(
        [
          { hash, bucket: null },
          { hash, bucket: 'validation' },
          { hash, bucket: 'validation' },
          { ...first!, bucket: 'training' },
          { ...second!, bucket: 'validation' },
        ],
        80,
      ),
    ).toEqual({ training: 2, validation: 3, chosen: 4, leaks: 2 });
    expect(toSplitPreview([], 80)).toEqual({ training: 0, validation: 0, chosen: 0, leaks: 0 });
  });

  it('lets a person decide before the hash', () => {
    expect(toRowSide({ hash: '0000000000000000', bucket: 'validation' }, 100)).toBe('validation');
  });
});
