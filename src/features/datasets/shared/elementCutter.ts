// Bytes of a JSON array in chunks -> its elements as texts, with their places. It looks only at quotes and brackets,
// and at each byte once; whether an element is JSON is found out by those who read it. Pure.
import { openHeldBytes } from './heldBytes.ts';
import { MAX_LINE_BYTES, type CutLines, type FileLine, type LineCutter } from './lineCutter.ts';
import { openLineDecoder, START_BYTES, toElementProblem, toLengthMessage, toLineStart } from '#core/rows/lineText.ts';
import type { LineProblem } from '#core/rows/lineText.ts';

const [TAB, LINE_FEED, RETURN, SPACE] = [9, 10, 13, 32] as const;
const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44] as const;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125] as const;

export const isJsonSpace = (byte: number): boolean =>
  byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;

/** How many UTF-16 units the UTF-8 bytes are. */
function countUnits(bytes: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** A place in a file. Lines and columns count from 1, columns in UTF-16 units; the offset counts bytes from 0. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** What the array needs next. `element`: one has begun; `over`: nothing, its end was read. */
type Expected = 'start' | 'first-or-end' | 'next' | 'element' | 'comma-or-end' | 'over';

const NO_COMMA = 'A comma is missing before this: after an element comes "," or "]".';
const CUT_OFF =
  'The file ends within this element. Either the file is cut off, or a quote or a bracket of the element is not closed.';
const NOT_CLOSED = 'The file ends, but its array is not closed: "]" is missing. The file may be cut off.';
const NOTHING_BEFORE = 'There is no element before this comma. Remove the comma.';
const NOTHING_AFTER = 'There is no element after the last comma. Remove the comma.';
const MORE =
  'The array has ended before this. A file is one array, or it has one object on each line. What follows is not read.';

/** `from`: the place of the bracket that opens the array, the first byte of the first chunk. */
export function openElementCutter(from: FilePlace, maxBytes = MAX_LINE_BYTES): LineCutter {
  const decoder = openLineDecoder();
  const held = openHeldBytes(maxBytes);
  let { line, column, offset } = from;
  let expected: Expected = 'start';
  /** Place of the element that has begun, or of what follows the array. */
  let begin: FilePlace = from;
  let hasComma = true;
  /** An element that is an object or a list ends with its bracket; any other with the line at the latest. */
  let isNested = false;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** A line ended in a string of the element. */
  let isBroken = false;
  /** It ends where the next one begins, because its brackets mean nothing. */
  let isResumed = false;
  /** Only spaces are before the next byte in its line. */
  let isIndent = false;
  let lines: FileLine[] = [];
  let problems: LineProblem[] = [];

  function report({ line: inLine, column: at }: FilePlace, message: string, bytes: Uint8Array): void {
    problems.push({ line: inLine, column: at, message, start: toLineStart(decoder.start(bytes)) });
  }

  function reportHere(message: string): void {
    report({ line, column, offset }, message, new Uint8Array(0));
  }

  /** Reads the element that is whole. */
  function addElement(bytes: Uint8Array, length: number): void {
    expected = 'comma-or-end';
    if (!hasComma) return report(begin, NO_COMMA, bytes);
    if (length > maxBytes) return report(begin, toLengthMessage('element', length, maxBytes), bytes);
    const read = decoder.read(bytes);
    const place = { number: begin.line, column: begin.column };
    if (read.ok) lines.push({ ...place, offset: begin.offset, bytes: length, text: read.text });
    else problems.push(toElementProblem({ ...place, text: decoder.start(bytes) }, read.before, read.message));
  }

  function endElement(bytes: Uint8Array): void {
    if (held.total === 0) return addElement(bytes, bytes.length);
    held.push(bytes);
    addElement(held.bytes, held.total);
    held.clear();
  }

  function beginElement(byte: number): void {
    hasComma = expected !== 'comma-or-end';
    begin = { line, column, offset };
    isNested = byte === OPEN_OBJECT || byte === OPEN_LIST;
    depth = 0;
    isInString = false;
    isEscaped = false;
    isBroken = false;
    isIndent = false;
    expected = 'element';
  }

  /** One byte outside of elements. False: an element, or what follows the array, begins with it. */
  function takeBetween(byte: number): boolean {
    if (isJsonSpace(byte)) return true;
    if (expected === 'over') {
      begin = { line, column, offset };
      return false;
    }
    if (expected === 'start') expected = 'first-or-end';
    else if (byte === COMMA) {
      if (expected !== 'comma-or-end') reportHere(NOTHING_BEFORE);
      expected = 'next';
    } else if (byte === CLOSE_LIST) {
      if (expected === 'next') reportHere(NOTHING_AFTER);
      expected = 'over';
    } else {
      beginElement(byte);
      return false;
    }
    return true;
  }

  /** Moves the place over bytes, of which the last line break is at `lastBreak` (before `from`: there is none). */
  function move(chunk: Uint8Array, from: number, to: number, breaks: number, lastBreak: number): void {
    offset += to - from;
    line += breaks;
    const units = countUnits(chunk, Math.max(from, lastBreak + 1), to);
    column = breaks > 0 ? 1 + units : column + units;
  }

  /** The column of the first byte of a line that is no space. */
  const toColumn = (at: number, from: number, lastBreak: number): number =>
    lastBreak < 0 ? column + at - from : at - lastBreak;

  /**
   * Where the element ends in the chunk, which it or the rest of it begins at `from`; -1: not in it. Moves the place.
   */
  function findEnd(chunk: Uint8Array, from: number): number {
    // Local variables make it twice as quick.
    let [inString, escaped, indent, level] = [isInString, isEscaped, isIndent, depth];
    let breaks = 0;
    let lastBreak = -1;
    let end = -1;
    for (let at = from; at < chunk.length && end < 0; at += 1) {
      let byte = chunk[at] ?? 0;
      // Most bytes are letters of strings.
      if (inString && !escaped)
        while (byte !== QUOTE && byte !== BACKSLASH && byte !== LINE_FEED && at + 1 < chunk.length) {
          at += 1;
          byte = chunk[at] ?? 0;
        }
      if (byte === LINE_FEED) {
        // JSON has no line break in a string. So a quote that is missing spoils one element, not the rest of the file.
        isBroken ||= inString;
        inString = false;
        escaped = false;
        if (isNested) [breaks, lastBreak, indent] = [breaks + 1, at, true];
        else end = at;
      } else if (inString) {
        if (escaped) escaped = false;
        else if (byte === QUOTE) inString = false;
        else if (byte === BACKSLASH) escaped = true;
      } else if (byte === SPACE || byte === TAB || byte === RETURN) continue;
      else if (isBroken && indent && byte === OPEN_OBJECT && toColumn(at, from, lastBreak) <= begin.column) {
        isResumed = true;
        end = at;
      } else {
        indent = false;
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) level += 1;
        else if (isNested && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) {
          level -= 1;
          if (level === 0) end = at + 1;
        } else if (!isNested && (byte === COMMA || byte === CLOSE_LIST)) end = at;
      }
    }
    [isInString, isEscaped, isIndent, depth] = [inString, escaped, indent, level];
    move(chunk, from, end < 0 ? chunk.length : end, breaks, lastBreak);
    return end;
  }

  function cut(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (expected === 'element') {
        const end = findEnd(chunk, at);
        if (end < 0) return held.push(chunk.subarray(at));
        endElement(chunk.subarray(at, end));
        if (isResumed) expected = 'next';
        isResumed = false;
        at = end;
      } else if (expected === 'over' && held.total > 0) {
        // Only the start of what follows is shown.
        return held.push(chunk.subarray(at, at + Math.max(0, START_BYTES - held.total)));
      } else if (takeBetween(chunk[at] ?? 0)) {
        const isBreak = chunk[at] === LINE_FEED;
        move(chunk, at, at + 1, isBreak ? 1 : 0, isBreak ? at : -1);
        at += 1;
      } else if (expected === 'over') {
        held.push(chunk.subarray(at, at + START_BYTES));
        return;
      }
    }
  }

  function toCut(): CutLines {
    const result = { lines, problems, refusal: null };
    lines = [];
    problems = [];
    return result;
  }

  return {
    push(chunk) {
      cut(chunk);
      return toCut();
    },
    end() {
      if (expected === 'element') report(begin, CUT_OFF, held.bytes);
      else if (expected !== 'over') reportHere(NOT_CLOSED);
      else if (held.total > 0) report(begin, MORE, held.bytes);
      held.clear();
      expected = 'over';
      return toCut();
    },
  };
}
