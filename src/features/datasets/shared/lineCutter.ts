// Bytes of a file in chunks -> its lines, with their places. What can't be a line is a problem with its place. Pure.
import { findRefusal, HEAD_BYTES, type OtherFile } from '#core/rows/fileEncoding.ts';
import { openFileHead } from './fileHead.ts';
import { openHeldBytes } from './heldBytes.ts';
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

const LINE_FEED = 10;
const RETURN = 13;

/** After so many lines in a row that are not plain, the others of a chunk are decoded at once. */
const OTHER_LINES = 8;

/** Lines as texts. `maxLineBytes`: without the line end. */
export const openLineCutter = (maxLineBytes = MAX_LINE_BYTES): LineCutter =>
  openCutter(maxLineBytes, false) as LineCutter;

/** Lines as texts, and plain ones as bytes: most lines of most files. */
export const openPlainCutter = (maxLineBytes = MAX_LINE_BYTES): LineCutter<FileLine | PlainLine> =>
  openCutter(maxLineBytes, true);

function openCutter(maxLineBytes: number, givesPlain: boolean): LineCutter<FileLine | PlainLine> {
  const decoder = openLineDecoder();
  let refusal: OtherFile | null = null;
  const head = openFileHead((bytes) => {
    refusal = findRefusal(bytes.subarray(0, HEAD_BYTES));
  });
  let number = 0;
  /** Place of the current line in the file. */
  let offset = 0;
  /** The unfinished line. It may have a carriage return beyond the limit. */
  const held = openHeldBytes(maxLineBytes + 1);
  let endsInReturn = false;
  let lines: (FileLine | PlainLine)[] = [];
  let problems: LineProblem[] = [];

  function report(column: number, message: string, bytes: Uint8Array): void {
    problems.push({ line: number, column, message, start: toLineStart(decoder.start(bytes)) });
  }

  const reportLength = (bytes: Uint8Array, length: number): void =>
    report(1, toLengthMessage('line', length, maxLineBytes), bytes);

  /** Adds the line `number`, whose text is whole. */
  function addLine(text: string, bytes: number): void {
    const hasReturn = text.charCodeAt(text.length - 1) === RETURN;
    const ended = hasReturn ? text.slice(0, -1) : text;
    const line = withoutMark(ended);
    if (!(line.charCodeAt(0) > 32) && line.trim() === '') return;
    lines.push({ number, offset, bytes: hasReturn ? bytes - 1 : bytes, text: line });
  }

  /** Reads one line from its bytes, with its carriage return. */
  function readLine(bytes: Uint8Array): void {
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    if (length > maxLineBytes) return reportLength(bytes, length);
    const read = decoder.read(bytes);
    if (!read.ok) return report(read.before.length + 1, read.message, bytes);
    return addLine(read.text, bytes.length);
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
      if (isPlain) lines.push({ number, offset, bytes: to - from, chunk: block, at: from });
      else readLine(block.subarray(from, to));
      others = isPlain ? 0 : others + 1;
      offset += to - from + 1;
      from = to + 1;
    }
    return from;
  }

  /** Whole lines, with their line ends. They are decoded at once, which is several times quicker than one by one. */
  function readBlock(whole: Uint8Array): void {
    const block = givesPlain ? whole.subarray(readPlainLines(whole)) : whole;
    const text = block.includes(0) ? null : decoder.strict(block);
    const isNarrow = text !== null && text.length === block.length;
    let textFrom = 0;
    for (let from = 0; from < block.length;) {
      const textTo = text === null ? -1 : text.indexOf('\n', textFrom);
      const to = isNarrow ? textTo : block.indexOf(LINE_FEED, from);
      number += 1;
      if (text === null || to - from > maxLineBytes) readLine(block.subarray(from, to));
      else addLine(text.slice(textFrom, textTo), to - from);
      offset += to - from + 1;
      from = to + 1;
      textFrom = textTo + 1;
    }
  }

  function hold(bytes: Uint8Array): void {
    held.push(bytes);
    if (bytes.length > 0) endsInReturn = bytes.at(-1) === RETURN;
  }

  function closeLine(): void {
    number += 1;
    const { bytes, total } = held;
    if (total > maxLineBytes + 1) reportLength(bytes, endsInReturn ? total - 1 : total);
    else readLine(bytes);
    offset += total + 1;
    held.clear();
  }

  function cut(chunk: Uint8Array): void {
    const first = chunk.indexOf(LINE_FEED);
    if (first < 0) return hold(chunk);
    hold(chunk.subarray(0, first));
    closeLine();
    const last = chunk.lastIndexOf(LINE_FEED);
    if (last > first) readBlock(chunk.subarray(first + 1, last + 1));
    if (last + 1 < chunk.length) hold(chunk.subarray(last + 1));
  }

  function take(bytes: Uint8Array | null): void {
    if (bytes !== null && refusal === null) cut(bytes);
  }

  function toCut(): CutLines<FileLine | PlainLine> {
    const result = { lines, problems, refusal };
    lines = [];
    problems = [];
    return result;
  }

  return {
    push(chunk) {
      take(head.push(chunk));
      return toCut();
    },
    end() {
      take(head.end());
      if (refusal === null && held.total > 0) closeLine();
      return toCut();
    },
  };
}
