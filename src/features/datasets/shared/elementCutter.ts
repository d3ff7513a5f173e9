// Bytes of a JSON array in chunks -> its elements as texts, with their places. It looks only at quotes and brackets,
// and at each byte once; whether an element is JSON is found out by those who read it. Pure.
import { openHeldBytes } from './heldBytes.ts';
import { Cuts, MAX_LINE_BYTES, type FileLine, type LineCutter } from './lineCutter.ts';
import { openLineDecoder, START_BYTES, toElementProblem, toLengthMessage, toLineStart } from '#core/rows/lineText.ts';

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

/** Lines and columns count from 1, columns in UTF-16 units; the offset counts bytes from 0. */
interface FilePlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** The place of the next byte of a file. */
export class NextPlace implements FilePlace {
  line = 1;
  column = 1;
  offset = 0;

  /** Over one byte of ASCII. */
  pass(byte: number): void {
    this.offset += 1;
    this.column = byte === LINE_FEED ? 1 : this.column + 1;
    if (byte === LINE_FEED) this.line += 1;
  }

  /** Over bytes with so many line breaks, of which the last is at `lastBreak` (before `from`: there is none). */
  move(chunk: Uint8Array, from: number, to: number, breaks: number, lastBreak: number): void {
    this.offset += to - from;
    this.line += breaks;
    const units = countUnits(chunk, Math.max(from, lastBreak + 1), to);
    this.column = breaks > 0 ? 1 + units : this.column + units;
  }

  toPlace(): FilePlace {
    const { line, column, offset } = this;
    return { line, column, offset };
  }
}

/** An element that has begun. */
class OpenElement {
  /** An object or a list ends with its bracket; any other element with the line at the latest. */
  private readonly isNested: boolean;
  private readonly column: number;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** A line ended in a string of the element. */
  private isBroken = false;
  /** Only spaces are before the next byte in its line. */
  private isIndent = false;
  /** It ended where the next one begins, because its brackets mean nothing. */
  isResumed = false;

  constructor(byte: number, { column }: FilePlace) {
    this.isNested = byte === OPEN_OBJECT || byte === OPEN_LIST;
    this.column = column;
  }

  /**
   * Where it ends in the chunk, which it or the rest of it begins at `from`; -1: not in it. Moves `place`, which is that of
   * `from`.
   */
  findEnd(chunk: Uint8Array, from: number, place: NextPlace): number {
    // Local variables make it twice as quick.
    const isNested = this.isNested;
    let [inString, escaped, broken, indent] = [this.isInString, this.isEscaped, this.isBroken, this.isIndent];
    let depth = this.depth;
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
        broken ||= inString;
        inString = false;
        escaped = false;
        if (isNested) [breaks, lastBreak, indent] = [breaks + 1, at, true];
        else end = at;
      } else if (inString) {
        if (escaped) escaped = false;
        else if (byte === QUOTE) inString = false;
        else if (byte === BACKSLASH) escaped = true;
      } else if (byte === SPACE || byte === TAB || byte === RETURN) continue;
      else if (
        broken &&
        indent &&
        byte === OPEN_OBJECT &&
        (breaks > 0 ? at - lastBreak : place.column + at - from) <= this.column
      ) {
        this.isResumed = true;
        end = at;
      } else {
        indent = false;
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
        else if (isNested && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) {
          depth -= 1;
          if (depth === 0) end = at + 1;
        } else if (!isNested && (byte === COMMA || byte === CLOSE_LIST)) end = at;
      }
    }
    [this.isInString, this.isEscaped, this.isBroken, this.isIndent] = [inString, escaped, broken, indent];
    this.depth = depth;
    place.move(chunk, from, end < 0 ? chunk.length : end, breaks, lastBreak);
    return end;
  }
}

/** What the array needs next. `over`: nothing, its end was read; `more`: nothing, but something follows it. */
type Expected = 'start' | 'first-or-end' | 'next' | 'comma-or-end' | 'over' | 'more';

const NO_COMMA = 'A comma is missing before this: after an element comes "," or "]".';
const CUT_OFF =
  'The file ends within this element. Either the file is cut off, or a quote or a bracket of the element is not closed.';
const NOT_CLOSED = 'The file ends, but its array is not closed: "]" is missing. The file may be cut off.';
const NOTHING_BEFORE = 'There is no element before this comma. Remove the comma.';
const NOTHING_AFTER = 'There is no element after the last comma. Remove the comma.';
const MORE =
  'The array has ended before this. A file is one array, or it has one object on each line. What follows is not read.';

/** `place`: of the bracket that opens the array, the first byte of the first chunk. It is moved. */
export function openElementCutter(place: NextPlace, maxBytes = MAX_LINE_BYTES): LineCutter {
  const decoder = openLineDecoder();
  const cuts = new Cuts<FileLine>();
  const held = openHeldBytes(maxBytes);
  let expected: Expected = 'start';
  /** Where the element has begun, or what follows the array. */
  let begin = place.toPlace();
  let element: OpenElement | null = null;

  function report({ line, column }: FilePlace, message: string, bytes: Uint8Array = new Uint8Array(0)): void {
    cuts.problems.push({ line, column, message, start: toLineStart(decoder.start(bytes)) });
  }

  /** Reads the element that is whole. */
  function addElement(bytes: Uint8Array, length: number): void {
    if (expected === 'comma-or-end') return report(begin, NO_COMMA, bytes);
    if (length > maxBytes) return report(begin, toLengthMessage('element', length, maxBytes), bytes);
    const read = decoder.read(bytes);
    const at = { number: begin.line, column: begin.column };
    if (read.ok) cuts.lines.push({ ...at, offset: begin.offset, bytes: length, text: read.text });
    else cuts.problems.push(toElementProblem({ ...at, text: decoder.start(bytes) }, read.before, read.message));
  }

  function endElement({ isResumed }: OpenElement, bytes: Uint8Array): void {
    if (held.total === 0) addElement(bytes, bytes.length);
    else {
      held.push(bytes);
      addElement(held.bytes, held.total);
      held.clear();
    }
    element = null;
    expected = isResumed ? 'next' : 'comma-or-end';
  }

  /** One byte outside of elements. False: an element, or what follows the array, begins with it. */
  function takeBetween(byte: number): boolean {
    if (isJsonSpace(byte)) return true;
    if (expected === 'start') expected = 'first-or-end';
    else if (expected === 'over') {
      begin = place.toPlace();
      expected = 'more';
      return false;
    } else if (byte === COMMA) {
      if (expected !== 'comma-or-end') report(place, NOTHING_BEFORE);
      expected = 'next';
    } else if (byte === CLOSE_LIST) {
      if (expected === 'next') report(place, NOTHING_AFTER);
      expected = 'over';
    } else {
      begin = place.toPlace();
      element = new OpenElement(byte, begin);
      return false;
    }
    return true;
  }

  function cut(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      if (element) {
        const end = element.findEnd(chunk, at, place);
        if (end < 0) return held.push(chunk.subarray(at));
        endElement(element, chunk.subarray(at, end));
        at = end;
      } else if (expected === 'more') {
        // Only its start is shown.
        return held.push(chunk.subarray(at, at + Math.max(0, START_BYTES - held.total)));
      } else {
        const byte = chunk[at] ?? 0;
        if (!takeBetween(byte)) continue;
        place.pass(byte);
        at += 1;
      }
    }
  }

  return {
    push(chunk) {
      cut(chunk);
      return cuts.take();
    },
    end() {
      if (element) report(begin, CUT_OFF, held.bytes);
      else if (expected === 'more') report(begin, MORE, held.bytes);
      else if (expected !== 'over') report(place, NOT_CLOSED);
      return cuts.take();
    },
  };
}
