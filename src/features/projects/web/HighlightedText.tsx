import { toMarkedPieces } from '#features/projects/web/treeIndex/highlightMatches.ts';

interface MarkedProps {
  text: string;
  /** Lower-case words. */
  words: readonly string[];
}

/** A text with the search words marked. */
export function HighlightedText({ text, words }: MarkedProps) {
  if (words.length === 0) return text;
  return toMarkedPieces(text, words).map((piece) =>
    piece.isMarked ? <mark key={piece.start}>{piece.text}</mark> : <span key={piece.start}>{piece.text}</span>,
  );
}
