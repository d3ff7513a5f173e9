import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMarkedPieces } from './highlightMatches.ts';

const draw = (text: string, words: readonly string[]) =>
  toMarkedPieces(text, words)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

describe('toMarkedPieces', () => {
  it('marks every find, joining those that overlap', () => {
    expect(draw('Experiment 1 · LoRA', ['exp', 'lora'])).toBe('[Exp]eriment 1 · [LoRA]');
    expect(draw('banana', ['ana'])).toBe('b[anana]');
    expect(draw('plain', ['x'])).toBe('plain');
  });

  it('marks nothing where lower case has another length', () => {
    expect(draw('İstanbul', ['stan'])).toBe('İstanbul');
  });

  it('never loses or adds a character', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (text, words) => {
        const pieces = toMarkedPieces(
          text,
          words.map((word) => word.toLowerCase()),
        );
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
      }),
    );
  });
});
