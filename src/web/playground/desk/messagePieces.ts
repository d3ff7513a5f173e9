// Cuts a long message into pieces at its line ends, so that a browser lays out only those in view. Pure.

/** A shorter message stays whole: laying it out costs next to nothing. Characters. */
const LONG = 8000;
/** A piece ends with the first line that reaches this. Characters. */
const PIECE = 2000;
/** Characters to a line in a pane of usual width. */
const LINE = 80;

export interface MessagePiece {
  /** Where it starts in the message. */
  readonly at: number;
  readonly text: string;
  /** About so many lines when it is laid out. */
  readonly lines: number;
}

function toLines(text: string): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE)), text.endsWith('\n') ? -1 : 0);
}

/** Joined, the pieces are the message; each but the last ends in a line end. */
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
