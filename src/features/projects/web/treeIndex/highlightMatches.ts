// Splits a text into marked and plain pieces for a list of search words. Pure.

export interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
  /** Start of the piece in the text; serves as its key. */
  readonly start: number;
}

/** `words` are lower case. Overlapping matches become one marked piece. */
export function toMarkedPieces(text: string, words: readonly string[]): readonly MarkedPiece[] {
  const lower = text.toLowerCase();
  // A few letters change length in lower case; then positions don't agree and nothing is marked.
  if (lower.length !== text.length) return [{ text, isMarked: false, start: 0 }];
  const marked = new Uint8Array(text.length);
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) marked.fill(1, at, at + word.length);
  }
  const pieces: MarkedPiece[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + 1;
    while (end < text.length && marked[end] === marked[start]) end += 1;
    pieces.push({ text: text.slice(start, end), isMarked: marked[start] === 1, start });
    start = end;
  }
  return pieces;
}
