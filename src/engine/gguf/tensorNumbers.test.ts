import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { toByteCount, toTensorData } from './tensorNumbers.ts';

/** Blocks of all sizes of numbers, one of zeros, one of halves between two steps, and one whose scale no half float holds. */
function toRows(): Float32Array {
  const rows: number[] = [];
  let state = 1;
  for (let block = 0; block < 64; block += 1)
    for (let index = 0; index < 32; index += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      rows.push((state / 2 ** 31 - 1) * 2 ** ((block % 48) - 32));
    }
  rows.push(...Array.from({ length: 32 }, () => 0));
  rows.push(127, ...Array.from({ length: 31 }, (_, index) => index - 15.5));
  rows.push(127 * 2 ** 17, ...Array.from({ length: 31 }, () => 0));
  return Float32Array.from(rows);
}

it('Q8_0 has the bytes that gguf-py’s quantize makes of the same numbers', () => {
  const rows = toRows();
  const data = toTensorData(rows, 'Q8_0');
  expect(data.byteLength).toBe(toByteCount(rows.length, 'Q8_0'));
  // gguf 0.19.0, gguf.quants.quantize(rows, GGMLQuantizationType.Q8_0), SHA-256.
  expect(createHash('sha256').update(data).digest('hex')).toBe(
    '2b05e728e5bd70f7d4e45fffb750deef024fcd1e53fb55196ef19151bb26eea4',
  );
});
