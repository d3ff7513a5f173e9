// Tokens to text, one at a time and exactly: never half a character, no work that grows with the text.

export interface TokenDecoder {
  /** The text that became complete with this token; empty while a character is still split. */
  push(token: number): string;
}

/** One vocabulary entry: its bytes, and its text when these are whole characters. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly text: string | null;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toPiece(bytes: Uint8Array): Piece {
  try {
    return { bytes, text: strict.decode(bytes) };
  } catch {
    return { bytes, text: null };
  }
}

/** Decodes from a table of pieces. An incomplete character at the end is never given out. */
export function openTableDecoder(pieceOf: (token: number) => Piece | undefined): TokenDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let isSplit = false;
  return {
    push(token) {
      const piece = pieceOf(token);
      if (piece === undefined || piece.bytes.length === 0) return '';
      if (!isSplit && piece.text !== null) return piece.text;
      const text = decoder.decode(piece.bytes, { stream: true });
      isSplit = endsInsideCharacter(piece.bytes, isSplit);
      return text;
    },
  };
}

/** Whether the bytes so far end inside a UTF-8 sequence. Errs on the side of true: the decoder then stays in use. */
function endsInsideCharacter(bytes: Uint8Array, wasSplit: boolean): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return wasSplit;
}

/** A character has at most 4 bytes; vocabularies with byte tokens may need one token for each. */
const MAX_HELD = 8;

/**
 * For vocabularies whose spacing depends on neighbours: decodes a short window and gives what is new in it.
 * `detokenize` is llama.cpp's; `before` are the last tokens of the prompt.
 */
export function openWindowDecoder(
  detokenize: (tokens: readonly number[]) => string,
  before: readonly number[] = [],
): TokenDecoder {
  let known = before;
  let knownText = detokenize(known);
  let held: readonly number[] = [];
  return {
    push(token) {
      held = [...held, token];
      const text = detokenize([...known, ...held]);
      if (text.endsWith('\uFFFD') && held.length < MAX_HELD) return '';
      const fresh = text.slice(knownText.length);
      known = held;
      knownText = detokenize(known);
      held = [];
      return fresh;
    },
  };
}
