import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { mayHold, toGrams, toJsonPiece, toWantedBits } from './grams.ts';
import { toStoredRow } from './importedRow.ts';
import { BLOCK_ROWS, openBlockBuilder, readBlock, toBlock, toBlocks, type StoredRow } from './rowBlocks.ts';

const rowArbitrary: fc.Arbitrary<StoredRow> = fc.record({
  text: fc.json(),
  original: fc.option(fc.json()),
  hash: fc.stringMatching(/^[0-9a-f]{16}$/),
  bucket: fc.constantFrom('training', 'validation', null),
});

it('gives back every row of a block, with its position', () => {
  fc.assert(
    fc.property(fc.array(rowArbitrary, { minLength: 1, maxLength: 30 }), fc.nat(1000), (rows, first) => {
      const block = toBlock(rows);
      expect(block.row_count).toBe(rows.length);
      expect(readBlock(block.body, first)).toEqual(rows.map((row, at) => ({ ...row, position: first + at })));
    }),
  );
});

it('reads blocks that were deflated, as older studios stored them', () => {
  const rows = ['{"a":1}', '{"a":2}'].map((text, position) => ({ text, position, hash: `${position}`.repeat(16) }));
  for (const level of [0, 1, 6, 9]) {
    const body = deflateRawSync(rows.map(({ text, hash }) => `${hash}-${text}`).join('\n'), { level });
    expect(readBlock(body, 0)).toMatchObject(rows);
  }
});

it('ends a block after 256 rows, or where rows are long', () => {
  const row = (length: number): StoredRow => ({
    text: JSON.stringify('x'.repeat(length)),
    original: null,
    hash: '0'.repeat(16),
    bucket: null,
  });
  const counts = (rows: StoredRow[]): number[] => toBlocks(rows).map(({ row_count }) => row_count);
  expect(counts(Array.from({ length: 600 }, () => row(1)))).toEqual([BLOCK_ROWS, BLOCK_ROWS, 88]);
  expect(counts(Array.from({ length: 5 }, () => row(600_000)))).toEqual([2, 2, 1]);
  expect(counts([])).toEqual([]);
});

it('never skips a block that holds what is looked for', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(20), fc.boolean(), (contents, at, length, isUpper) => {
      const grams = toGrams(contents.map((content) => JSON.stringify({ content })));
      const whole = contents[at % contents.length] ?? '';
      const part = [...whole]
        .slice(at % (whole.length + 1))
        .slice(0, length)
        .join('');
      expect(mayHold(grams, 0, toWantedBits(part))).toBe(true);
      // Letters whose small form depends on their neighbours, such as a Greek sigma, are found as they are written.
      if (isUpper && /^[ -~]*$/.test(part)) expect(mayHold(grams, 0, toWantedBits(part.toUpperCase()))).toBe(true);
    }),
  );
});

it('has the same pieces of a row, whether others of its block have letters beyond ASCII', () => {
  const toRow = (text: string): StoredRow => ({ text, original: 'not looked at', hash: '0'.repeat(16), bucket: null });
  const texts = fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(texts, (list) => {
      const { grams } = toBlock(list.map(toRow));
      expect(Buffer.from(grams).equals(toGrams(list))).toBe(true);
      const mixed = toBlock([...list, '\u00e9'].map(toRow));
      expect(Buffer.from(mixed.grams).equals(grams)).toBe(true);
    }),
  );
});

it('makes the same block of bytes as of texts', () => {
  const start = fc.constantFrom('', '{"messages":[{"role":"system","content":"Always the same"}', '"0');
  const texts = fc.array(fc.tuple(start, fc.string({ unit: 'grapheme-ascii', maxLength: 40 })), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(texts, fc.nat(3), (parts, shift) => {
      const rows = parts.map((part) => part.join(''));
      const builder = openBlockBuilder();
      for (const text of rows) {
        const bytes = Buffer.from('x'.repeat(shift) + text);
        expect(builder.addPlain(bytes, shift, bytes.length)).toBe(null);
        bytes.fill(0);
      }
      const stored = rows.map((text) => ({ text, original: null, hash: toContentHash(text), bucket: null }));
      const [block, wanted] = [builder.end(), toBlock(stored)];
      expect(block?.row_count).toBe(rows.length);
      // `toEqual` takes a second for some hundred sets.
      expect(Buffer.from(block?.body ?? []).equals(wanted.body)).toBe(true);
      expect(Buffer.from(block?.grams ?? []).equals(wanted.grams)).toBe(true);
      expect(Buffer.from(wanted.grams).equals(toGrams(rows))).toBe(true);
      expect(builder.end()).toBe(null);
    }),
  );
});

it('ends a block of bytes where one of texts ends', () => {
  const builder = openBlockBuilder();
  const long = Buffer.from('x'.repeat(600_000));
  expect(builder.addPlain(long, 0, long.length)).toBe(null);
  const block = builder.addPlain(long, 0, long.length);
  expect(readBlock(block!.body, 0).map(({ text }) => text)).toEqual([long.toString(), long.toString()]);
  for (let row = 1; row < BLOCK_ROWS; row += 1) expect(builder.addPlain(long, 0, 1)).toBe(null);
  expect(builder.addPlain(long, 0, 1)?.row_count).toBe(BLOCK_ROWS);
});

it('skips a block without it, and none for one or two letters', () => {
  const both = new Uint8Array([
    ...toGrams(['{"content":"Where is my order?"}']),
    ...toGrams(['{"content":"Bonjour"}']),
  ]);
  const blocks = (search: string): boolean[] => [0, 8192].map((at) => mayHold(both, at, toWantedBits(search)));
  expect(blocks('ORDER')).toEqual([true, false]);
  expect(blocks('bonj')).toEqual([false, true]);
  expect(blocks('nowhere near')).toEqual([false, false]);
  expect(blocks('or')).toEqual([true, true]);
});

it('looks for line breaks and quotes as JSON has them', () => {
  expect(toJsonPiece('A\n"B"')).toBe(String.raw`A\n\"B\"`);
  const grams = toGrams([JSON.stringify({ content: 'one\ntwo "three"' })]);
  expect(mayHold(grams, 0, toWantedBits('one\ntwo "THREE"'))).toBe(true);
});

it('keeps a line as it is, with the hash of what it says', () => {
  const line = '{"messages": [{"role": "user", "content": "Hi"}]}';
  const { text, original, hash } = toStoredRow(line, 'training');
  expect([text, original]).toEqual([line, null]);
  expect(hash).toBe(toStoredRow('{"messages":[{"content":"Hi","role":"user"}]}', null).hash);
  expect(hash).not.toBe(toStoredRow('no JSON', null).hash);
});
