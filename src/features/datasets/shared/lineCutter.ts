// Bytes of a file in chunks -> its lines, with their places. What can't be a line is a problem with its place. Pure.
import { findRefusal, HEAD_BYTES, type OtherFile } from '#core/rows/fileEncoding.ts';
import { openFileHead } from './fileHead.ts';
import { openHeldBytes, type HeldBytes } from './heldBytes.ts';
import { openLineDecoder, toLengthMessage, toLineStart, withoutMark, type LineProblem } from '#core/rows/lineText.ts';
import { findPlainEnd } from '#core/rows/plainLine.ts';

/** A line that is longer is reported and left out. Memory holds at most one line besides the chunk. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

interface LinePlace {
  /** From 1. Blank lines count, but are not given. */
  readonly number: number;
  /** Of an element of a JSON array: where it begins in its line, which `number` is then. Absent: a line. */
  readonly column?: number;
  /** Place of its first byte in the file. */
  readonly offset: number;
  /** Without the line end. */
  readonly bytes: number;
}

export interface FileLine extends LinePlace {
  /** Without line end and byte order mark. */
  readonly text: string;
}

/**
 * A line that is the JSON of a row letter by letter (`findPlainEnd`). It points into its chunk: read it before the
 * chunk's memory is reused.
 */
export interface PlainLine extends LinePlace {
  readonly chunk: Uint8Array;
  /** Where its first byte is in the chunk. */
  readonly at: number;
}

export function toTextLine(line: FileLine | PlainLine): FileLine {
  if ('text' in line) return line;
  const { chunk, at, ...place } = line;
  return { ...place, text: new TextDecoder().decode(chunk.subarray(at, at + line.bytes)) };
}

export interface CutLines<Line = FileLine> {
  readonly lines: readonly Line[];
  readonly problems: readonly LineProblem[];
  /** Why nothing of this file can be read, and what to do. Then lines stay empty for ever. */
  readonly refusal: OtherFile | null;
}

export interface LineCutter<Line = FileLine> {
  /** The bytes may be reused once the lines are read. */
  push(chunk: Uint8Array): CutLines<Line>;
  /** The last line, if the file doesn't end with a line end. */
  end(): CutLines<Line>;
}

/** What was cut since it was taken last. */
export class Cuts<Line> {
  lines: Line[] = [];
  problems: LineProblem[] = [];

  take(refusal: OtherFile | null = null): CutLines<Line> {
    const { lines, problems } = this;
    this.lines = [];
    this.problems = [];
    return { lines, problems, refusal };
  }
}

const LINE_FEED = 10;
const RETURN = 13;

/** After so many lines in a row that are not plain, the others of a chunk are decoded at once. */
const OTHER_LINES = 8;

/** Reads lines one after the other into `cuts`. */
interface LineReader {
  /** The next line, without its line feed. */
  readLine(held: Pick<HeldBytes, 'bytes' | 'total' | 'last'>): void;
  /** The next lines, with their line feeds. */
  readLines(block: Uint8Array): void;
}

function openLineReader(cuts: Cuts<FileLine | PlainLine>, maxLineBytes: number, givesPlain: boolean): LineReader {
  const decoder = openLineDecoder();
  let number = 0;
  /** Place of the current line in the file. */
  let offset = 0;

  function report(column: number, message: string, bytes: Uint8Array): void {
    cuts.problems.push({ line: number, column, message, start: toLineStart(decoder.start(bytes)) });
  }

  /** Adds the line `number`, whose text is whole. */
  function addText(text: string, bytes: number): void {
    const hasReturn = text.charCodeAt(text.length - 1) === RETURN;
    const ended = hasReturn ? text.slice(0, -1) : text;
    const line = withoutMark(ended);
    if (!(line.charCodeAt(0) > 32) && line.trim() === '') return;
    cuts.lines.push({ number, offset, bytes: hasReturn ? bytes - 1 : bytes, text: line });
  }

  /** Adds the line `number` of `total` bytes, which are only its start if they are more than the limit. */
  function addBytes(bytes: Uint8Array, total: number, last = bytes.at(-1)): void {
    const length = last === RETURN ? total - 1 : total;
    if (length > maxLineBytes) return report(1, toLengthMessage('line', length, maxLineBytes), bytes);
    const read = decoder.read(bytes);
    if (!read.ok) return report(read.before.length + 1, read.message, bytes);
    return addText(read.text, total);
  }

  /** Reads lines one by one until too many are not plain. Returns where it stopped. */
  function readPlainLines(block: Uint8Array): number {
    let others = 0;
    let from = 0;
    while (from < block.length && others < OTHER_LINES) {
      const plainTo = findPlainEnd(block, from);
      const isPlain = plainTo >= 0 && plainTo - from <= maxLineBytes;
      const to = isPlain ? plainTo : block.indexOf(LINE_FEED, from);
      number += 1;
      if (isPlain) cuts.lines.push({ number, offset, bytes: to - from, chunk: block, at: from });
      else addBytes(block.subarray(from, to), to - from);
      others = isPlain ? 0 : others + 1;
      offset += to - from + 1;
      from = to + 1;
    }
    return from;
  }

  return {
    readLine({ bytes, total, last }) {
      number += 1;
      addBytes(bytes, total, last);
      offset += total + 1;
    },
    /** They are decoded at once, which is several times quicker than one by one. */
    readLines(whole) {
      const block = givesPlain ? whole.subarray(readPlainLines(whole)) : whole;
      const text = block.includes(0) ? null : decoder.strict(block);
      const isNarrow = text !== null && text.length === block.length;
      let textFrom = 0;
      for (let from = 0; from < block.length;) {
        const textTo = text === null ? -1 : text.indexOf('\n', textFrom);
        const to = isNarrow ? textTo : block.indexOf(LINE_FEED, from);
        number += 1;
        if (text === null || to - from > maxLineBytes) addBytes(block.subarray(from, to), to - from);
        else addText(text.slice(textFrom, textTo), to - from);
        offset += to - from + 1;
        from = to + 1;
        textFrom = textTo + 1;
      }
    },
  };
}

/** Lines as texts. `maxLineBytes`: without the line end. */
export const openLineCutter = (maxLineBytes = MAX_LINE_BYTES): LineCutter =>
  openCutter(maxLineBytes, false) as LineCutter;

/** Lines as texts, and plain ones as bytes: most lines of most files. */
export const openPlainCutter = (maxLineBytes = MAX_LINE_BYTES): LineCutter<FileLine | PlainLine> =>
  openCutter(maxLineBytes, true);

function openCutter(maxLineBytes: number, givesPlain: boolean): LineCutter<FileLine | PlainLine> {
  const cuts = new Cuts<FileLine | PlainLine>();
  const reader = openLineReader(cuts, maxLineBytes, givesPlain);
  /** The unfinished line. It may have a carriage return beyond the limit. */
  const held = openHeldBytes(maxLineBytes + 1);
  let refusal: OtherFile | null = null;
  const head = openFileHead((bytes) => {
    refusal = findRefusal(bytes.subarray(0, HEAD_BYTES));
  });

  function closeLine(): void {
    reader.readLine(held);
    held.clear();
  }

  function cut(chunk: Uint8Array): void {
    const first = chunk.indexOf(LINE_FEED);
    if (first < 0) return held.push(chunk);
    held.push(chunk.subarray(0, first));
    closeLine();
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last > first) reader.readLines(chunk.subarray(first + 1, last + 1));
    if (last + 1 < chunk.length) held.push(chunk.subarray(last + 1));
  }

  function take(bytes: Uint8Array | null): void {
    if (bytes !== null && refusal === null) cut(bytes);
  }

  return {
    push(chunk) {
      take(head.push(chunk));
      return cuts.take(refusal);
    },
    end() {
      take(head.end());
      if (refusal === null && held.total > 0) closeLine();
      return cuts.take(refusal);
    },
  };
}
