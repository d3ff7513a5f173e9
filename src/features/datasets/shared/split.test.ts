import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toContentHash } from './contentHash.ts';
import { LEFT_OUT, SIDE_CODES, splitRows, type Side, type SplitRows } from './split.ts';

interface SplitRow {
  readonly hash: string;
  readonly bucket: Side | 'left out' | null;
}

const toCode = (bucket: SplitRow['bucket']): number =>
  bucket === 'left out' ? LEFT_OUT : SIDE_CODES[bucket ?? 'none'];

function split(given: readonly SplitRow[], percent: number): SplitRows {
  const work = splitRows(
    {
      places: Uint32Array.from(given, ({ hash }) => Number.parseInt(hash.slice(0, 8), 16)),
      rests: Uint32Array.from(given, ({ hash }) => Number.parseInt(hash.slice(8), 16)),
      chosen: Uint8Array.from(given, ({ bucket }) => toCode(bucket)),
    },
    percent,
  );
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const rows = Array.from({ length: 20_000 }, (_, at): SplitRow => ({ hash: toContentHash(`row ${at}`), bucket: null }));
const count = (percent: number): number => split(rows, percent).training;
const isTrained = (hash: string, percent: number): boolean => split([{ hash, bucket: null }], percent).training === 1;

describe('the side that a hash gives', () => {
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
    expect(isTrained('ffffffffffffffff', 100)).toBe(true);
    expect(isTrained('0000000000000000', 0)).toBe(false);
  });

  it('keeps training rows where they are when the share grows', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(100), fc.nat(100), (text, a, b) => {
        const hash = toContentHash(text);
        const [less, more] = a < b ? [a, b] : [b, a];
        if (isTrained(hash, less)) expect(isTrained(hash, more)).toBe(true);
      }),
    );
  });
});

describe('splitRows', () => {
  it('counts sides, chosen sides and leaks', () => {
    const [first, second] = rows;
    const hash = rows.find((row) => isTrained(row.hash, 80))!.hash;
    expect(split(rows, 80)).toMatchObject({
      training: count(80),
      validation: rows.length - count(80),
      chosen: 0,
      leaks: 0,
    });
    expect(
      split(
        [
          { hash, bucket: null },
          { hash, bucket: 'validation' },
          { hash, bucket: 'validation' },
          { ...first!, bucket: 'training' },
          { ...second!, bucket: 'validation' },
          { ...second!, bucket: 'left out' },
        ],
        80,
      ),
    ).toEqual({
      sides: Uint8Array.of(1, 2, 2, 1, 2, 0),
      training: 2,
      validation: 3,
      leftOut: 1,
      chosen: 4,
      leaks: 2,
    });
    expect(split([], 80)).toMatchObject({ training: 0, validation: 0, chosen: 0, leaks: 0 });
  });
});
