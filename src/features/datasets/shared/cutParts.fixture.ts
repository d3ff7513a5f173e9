// For tests of what cuts a file into rows: all that comes of its bytes in parts.
import type { OtherFile } from '#core/rows/fileEncoding.ts';
import { toTextLine, type CutLines, type FileLine, type LineCutter, type PlainLine } from './lineCutter.ts';
import type { LineProblem } from '#core/rows/lineText.ts';

export interface CutFile {
  readonly lines: FileLine[];
  readonly problems: LineProblem[];
  readonly refusal: OtherFile | null;
}

/** Reads the parts one after the other, each from the same memory, as a caller may do. */
export function cutParts(cutter: LineCutter<FileLine | PlainLine>, parts: readonly Uint8Array[]): CutFile {
  const memory = new Uint8Array(Math.max(1, ...parts.map((part) => part.length)));
  const results: CutLines[] = [];
  const take = (cut: CutLines<FileLine | PlainLine>): void =>
    void results.push({ ...cut, lines: cut.lines.map(toTextLine) });
  for (const part of parts) {
    memory.set(part);
    take(cutter.push(memory.subarray(0, part.length)));
    memory.fill(0xff);
  }
  take(cutter.end());
  return {
    lines: results.flatMap(({ lines }) => lines),
    problems: results.flatMap(({ problems }) => problems),
    refusal: results.at(-1)!.refusal,
  };
}
