// Reads the lines of an answer while it arrives, up to a limit.
import type { PieceReader } from './request.ts';

export interface ReadLines {
  /** Lines with content, in order. */
  readonly lines: readonly string[];
  /** False: the answer has more lines than the limits allow. */
  readonly isWhole: boolean;
}

export interface LineLimits {
  readonly lines: number;
  /** UTF-16 units of the whole text. */
  readonly length: number;
}

/** Is done once a limit is passed: a line that is not complete by then is left out. */
export function openLineReader(limits: LineLimits): PieceReader<ReadLines> & { isDone(): boolean } {
  const lines: string[] = [];
  /** The pieces of the last line, which may go on. */
  let open: string[] = [];
  let length = 0;
  const add = (line: string): void => {
    if (line.trim() !== '') lines.push(line);
  };
  const isDone = (): boolean => lines.length > limits.lines || length > limits.length;
  return {
    take(piece) {
      length += piece.length;
      const [first = '', ...others] = piece.split('\n');
      open.push(first);
      const last = others.pop();
      if (last === undefined) return;
      add(open.join(''));
      for (const line of others) add(line);
      open = [last];
    },
    isDone,
    end() {
      if (!isDone()) add(open.join(''));
      return { lines: lines.slice(0, limits.lines), isWhole: !isDone() };
    },
  };
}
