import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPieces } from './messagePieces.ts';

it('leaves a message of usual length whole', () => {
  expect(toPieces('one\ntwo')).toEqual([{ at: 0, text: 'one\ntwo', lines: 2 }]);
  expect(toPieces('')).toHaveLength(1);
});

it('cuts a long one at line ends, and loses nothing', () => {
  const line = fc.integer({ min: 0, max: 3000 }).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
      (text) => {
        const pieces = toPieces(text);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces.slice(0, -1)) expect(piece.text.endsWith('\n')).toBe(true);
        for (const { at, text: piece } of pieces) expect(text.startsWith(piece, at)).toBe(true);
      },
    ),
  );
  expect(toPieces('words and more\n'.repeat(10_000)).length).toBeGreaterThan(50);
});

it('says how high a piece is, about', () => {
  expect(toPieces('a\nb\n'.repeat(3000))[0]?.lines).toBe(1001);
  expect(toPieces('x'.repeat(80_000))[0]?.lines).toBe(1000);
});
