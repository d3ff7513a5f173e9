import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinParts, packPart, storePart } from './gzipParts.ts';

describe('joinParts', () => {
  it('gives a gzip file of all parts in order, whether they were compressed or stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.boolean()), { maxLength: 20 }),
        async (given) => {
          const parts = await Promise.all(
            given.map(([bytes, isPacked]) => (isPacked ? packPart(Buffer.from(bytes)) : storePart(Buffer.from(bytes)))),
          );
          expect(gunzipSync(joinParts(parts))).toEqual(Buffer.concat(given.map(([bytes]) => bytes)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('takes parts that are larger than a stored block, and very many of them', async () => {
    const large = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const packed = await packPart(large);
    const whole = joinParts([
      storePart(large),
      packed,
      ...Array.from({ length: 3_000 }, () => storePart(Buffer.from('ab'))),
      packed,
    ]);
    expect(gunzipSync(whole).equals(Buffer.concat([large, large, Buffer.from('ab'.repeat(3_000)), large]))).toBe(true);
    expect(packed.blocks.length).toBeLessThan(large.length / 10);
  });

  it('a part can stand in several files', async () => {
    const part = await packPart(Buffer.from('{"same":1}'));
    for (const before of ['', 'a', 'bc']) {
      expect(gunzipSync(joinParts([storePart(Buffer.from(before)), part])).toString()).toBe(`${before}{"same":1}`);
    }
  });
});
