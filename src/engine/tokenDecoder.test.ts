import { describe, expect, it } from 'vitest';
import { toPieceBytes } from './byteLevel.ts';
import { openTableDecoder, openWindowDecoder, toPiece } from './tokenDecoder.ts';

/** One token for each byte, so that every character is split. */
const BYTE_PIECES = Array.from({ length: 256 }, (_, byte) => toPiece(Uint8Array.of(byte)));

describe('openTableDecoder', () => {
  it.each(['plain', 'a  b   c', 'Grüße – naïve', '日本語 🙂👩‍👩‍👧', 'tail\n\n'])(
    'gives %j back from single bytes, only whole characters',
    (text) => {
      const decoder = openTableDecoder((token) => BYTE_PIECES[token]);
      const shown = [...Buffer.from(text)].map((byte) => decoder.push(byte));
      expect(shown.join('')).toBe(text);
      for (const piece of shown) expect(Buffer.from(piece).toString()).toBe(piece);
      expect(shown.join('')).not.toContain('\uFFFD');
    },
  );

  it('does not show an incomplete character at the end', () => {
    const decoder = openTableDecoder((token) => BYTE_PIECES[token]);
    expect([...Buffer.from('ok🙂').subarray(0, 5)].map((byte) => decoder.push(byte)).join('')).toBe('ok');
  });

  it('joins whole and split pieces', () => {
    const pieces = ['a', 'é'].map((text) => toPiece(Buffer.from(text)));
    const half = [toPiece(Uint8Array.of(0xc3)), toPiece(Uint8Array.of(0xa9, 0x21))];
    const decoder = openTableDecoder((token) => [...pieces, ...half][token]);
    expect([0, 2, 3, 1, 0].map((token) => decoder.push(token)).join('')).toBe('aé!éa');
  });

  it('ignores tokens outside of the table', () => {
    expect(openTableDecoder(() => undefined).push(7)).toBe('');
  });
});

describe('toPieceBytes', () => {
  it("reads GPT-2's names for spaces, line ends and bytes above ASCII", () => {
    expect(Buffer.from(toPieceBytes('ĠaĊ')).toString()).toBe(' a\n');
    expect([...toPieceBytes('Ã©')]).toEqual([0xc3, 0xa9]);
    expect(Buffer.from(toPieceBytes('日')).toString()).toBe('日');
  });
});

describe('openWindowDecoder', () => {
  /** Drops the leading space of what it is given, as sentencepiece vocabularies do. */
  const words = ['▁Hello', '▁world', '!', '▁', 'x'];
  const detokenize = (tokens: readonly number[]): string =>
    tokens
      .map((token) => words[token] ?? '')
      .join('')
      .replaceAll('▁', ' ')
      .replace(/^ /, '');

  it('keeps the spaces between words', () => {
    const decoder = openWindowDecoder(detokenize, [2]);
    expect([0, 1, 2, 3, 4].map((token) => decoder.push(token)).join('')).toBe(' Hello world! x');
  });

  it('waits for the rest of a split character', () => {
    const bytes = [...Buffer.from('a🙂b')];
    const decoder = openWindowDecoder((tokens) => Buffer.from(tokens.map((token) => bytes[token] ?? 0)).toString());
    expect(bytes.map((_, index) => decoder.push(index))).toEqual(['a', '', '', '', '🙂', 'b']);
  });
});
