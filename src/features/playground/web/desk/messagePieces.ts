// Cuts a long message into pieces at line ends, so that the browser lays out only the pieces in view. Pure.

/** A shorter message stays whole, because its layout is cheap. Characters. */
const LONG = 8000;
/** A piece ends with the first line that reaches this. Characters. */
const PIECE = 2000;
/** Characters to a line in a pane of usual width. */
const LINE = 80;

export interface MessagePiece {
  /** Offset in the message. */
  readonly at: number;
  readonly text: string;
  /** Estimated number of lines after layout. */
  readonly lines: number;
}

function toLines(text: string): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE)), text.endsWith('\n') ? -1 : 0);
}

/** The pieces joined are the message; each but the last ends with a line end. */
export function toPieces(text: string): readonly MessagePiece[] {
  if (text.length <= LONG) return [{ at: 0, text, lines: toLines(text) }];
  const pieces: MessagePiece[] = [];
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at + PIECE);
    const end = newline < 0 ? text.length : newline + 1;
    const piece = text.slice(at, end);
    pieces.push({ at, text: piece, lines: toLines(piece) });
    at = end;
  }
  return pieces;
}
