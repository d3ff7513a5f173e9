// Bytes of a file in chunks -> its lines, with their places. What can't be a line is a problem with its place. Pure.
import { findRefusal, findUtf8Fault, HEAD_BYTES } from './fileEncoding.ts';

/** A line that is longer is reported and left out. Memory holds at most one line besides the chunk. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface FileLine {
  /** From 1. Blank lines count, but are not given. */
  readonly number: number;
  /** Place of its first byte in the file. */
  readonly offset: number;
  /** Without the line end. */
  readonly bytes: number;
  /** Without line end and byte order mark. It shares memory with its chunk: copy what is kept for long. */
  readonly text: string;
}

export interface LineProblem {
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The first characters of the line, for people who look for it. */
  readonly start: string;
}

export interface CutLines {
  readonly lines: readonly FileLine[];
  readonly problems: readonly LineProblem[];
  /** Why nothing of this file can be read, and what to do. Then lines stay empty for ever. */
  readonly refusal: string | null;
}

export interface LineCutter {
  /** The bytes may be reused after the call. */
  push(chunk: Uint8Array): CutLines;
  /** The last line, if the file doesn't end with a line end. */
  end(): CutLines;
}

const LINE_FEED = 10;
const RETURN = 13;
const START_CHARACTERS = 200;
/** As many bytes as START_CHARACTERS can need. */
const START_BYTES = START_CHARACTERS * 4;

/** The start of a line as it is shown beside a problem. A pair of surrogates is not cut. */
export function toLineStart(text: string): string {
  const start = text.slice(0, START_CHARACTERS);
  return /[\uD800-\uDBFF]$/.test(start) && text.length > START_CHARACTERS ? start.slice(0, -1) : start;
}

const NUL = '\u0000';
const MARK = 0xfeff;

/** Decodes without loss: a byte order mark stays, and null if the bytes are not UTF-8. */
function openDecoder(): { strict(bytes: Uint8Array): string | null; loose(bytes: Uint8Array): string } {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const loose = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    strict(bytes) {
      try {
        return strict.decode(bytes);
      } catch {
        return null;
      }
    },
    loose: (bytes) => loose.decode(bytes),
  };
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === MARK ? text.slice(1) : text);

/** `maxLineBytes`: without the line end. */
export function openLineCutter(maxLineBytes = MAX_LINE_BYTES): LineCutter {
  const decoder = openDecoder();
  /** The first bytes, until they are enough to recognise the file; then null. */
  let head: Uint8Array | null = new Uint8Array(0);
  let refusal: string | null = null;
  let number = 0;
  /** Place of the current line in the file. */
  let offset = 0;
  /** The bytes of the unfinished line; only its start once it is too long. */
  let held = new Uint8Array(4096);
  let heldBytes = 0;
  /** Bytes of the unfinished line, with those that are no longer held. */
  let lineBytes = 0;
  let endsInReturn = false;
  let lines: FileLine[] = [];
  let problems: LineProblem[] = [];

  function report(column: number, message: string, text: string): void {
    problems.push({ line: number, column, message, start: toLineStart(withoutMark(text)) });
  }

  function reportLength(bytes: Uint8Array, length: number): void {
    const limit = `at most ${maxLineBytes.toLocaleString('en')}`;
    const message = `The line has ${length.toLocaleString('en')} bytes, and a row may have ${limit}. Make it shorter.`;
    report(1, message, decoder.loose(bytes.subarray(0, START_BYTES)));
  }

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
    const text = decoder.strict(bytes);
    if (text === null) {
      const before = withoutMark(decoder.loose(bytes.subarray(0, findUtf8Fault(bytes))));
      const message = 'A byte here is not UTF-8. Save the file as UTF-8, or correct this line.';
      return report(before.length + 1, message, decoder.loose(bytes.subarray(0, START_BYTES)));
    }
    const nul = withoutMark(text).indexOf(NUL);
    if (nul >= 0) return report(nul + 1, 'A NUL byte is here, which no text contains. Remove it.', text);
    return addLine(text, bytes.length);
  }

  /** Whole lines, with their line ends. They are decoded at once, which is several times quicker than one by one. */
  function readBlock(block: Uint8Array): void {
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

  /** Adds bytes to the unfinished line. The line may have a carriage return beyond the limit. */
  function hold(bytes: Uint8Array): void {
    lineBytes += bytes.length;
    if (bytes.length > 0) endsInReturn = bytes.at(-1) === RETURN;
    const isTooLong = lineBytes > maxLineBytes + 1;
    const limit = isTooLong ? START_BYTES : lineBytes;
    const added = bytes.subarray(0, Math.max(0, limit - heldBytes));
    if (isTooLong && held.length > 4096) held = held.slice(0, START_BYTES);
    heldBytes = Math.min(heldBytes, held.length);
    if (heldBytes + added.length > held.length) {
      const grown = new Uint8Array(Math.max(heldBytes + added.length, held.length * 2));
      grown.set(held.subarray(0, heldBytes));
      held = grown;
    }
    held.set(added, heldBytes);
    heldBytes += added.length;
  }

  function closeLine(): void {
    number += 1;
    const bytes = held.subarray(0, heldBytes);
    if (lineBytes > maxLineBytes + 1) reportLength(bytes, endsInReturn ? lineBytes - 1 : lineBytes);
    else readLine(bytes);
    offset += lineBytes + 1;
    heldBytes = 0;
    lineBytes = 0;
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

  /** Waits until the file can be recognised. */
  function take(chunk: Uint8Array, isLast: boolean): void {
    if (refusal !== null) return;
    if (head === null) return cut(chunk);
    const joined = new Uint8Array(head.length + chunk.length);
    joined.set(head);
    joined.set(chunk, head.length);
    if (joined.length < HEAD_BYTES && !isLast) {
      head = joined;
      return;
    }
    head = null;
    refusal = findRefusal(joined.subarray(0, HEAD_BYTES));
    if (refusal === null) cut(joined);
  }

  function toCut(): CutLines {
    const result = { lines, problems, refusal };
    lines = [];
    problems = [];
    return result;
  }

  return {
    push(chunk) {
      take(chunk, false);
      return toCut();
    },
    end() {
      if (head !== null) take(new Uint8Array(0), true);
      if (refusal === null && lineBytes > 0) closeLine();
      return toCut();
    },
  };
}
