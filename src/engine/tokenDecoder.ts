// Tokens to text, one at a time and exactly: never half a character. The work does not grow with the text.

export interface TokenDecoder {
  /** The text that this token completes; empty while a character is incomplete. */
  push(token: number): string;
}

/** One vocabulary entry: its bytes, and its text if they are whole characters. */
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

/** Decodes from a table of pieces. An incomplete character at the end is dropped. */
export function openTableDecoder(findPiece: (token: number) => Piece | undefined): TokenDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let isSplit = false;
  return {
    push(token) {
      const piece = findPiece(token);
      if (piece === undefined || piece.bytes.length === 0) return '';
      if (!isSplit && piece.text !== null) return piece.text;
      const text = decoder.decode(piece.bytes, { stream: true });
      isSplit = endsInsideCharacter(piece.bytes, isSplit);
      return text;
    },
  };
}

/** Whether the bytes so far end inside a UTF-8 sequence. If in doubt true: then the decoder stays in use. */
function endsInsideCharacter(bytes: Uint8Array, wasSplit: boolean): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return wasSplit;
}

/** A character has at most 4 bytes, and byte tokens need one token for each. Twice that is enough. */
const MAX_BUFFERED = 8;

/**
 * For vocabularies whose spacing depends on neighbours: decodes a short window and returns the new text in it.
 * `detokenize` is llama.cpp's; `before` has the last tokens of the prompt.
 */
export function openWindowDecoder(
  detokenize: (tokens: readonly number[]) => string,
  before: readonly number[] = [],
): TokenDecoder {
  let previous = before;
  let previousText = detokenize(previous);
  let buffered: readonly number[] = [];
  return {
    push(token) {
      buffered = [...buffered, token];
      const text = detokenize([...previous, ...buffered]);
      if (text.endsWith('\uFFFD') && buffered.length < MAX_BUFFERED) return '';
      const fresh = text.slice(previousText.length);
      previous = buffered;
      previousText = detokenize(previous);
      buffered = [];
      return fresh;
    },
  };
}
