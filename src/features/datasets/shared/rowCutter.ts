// Bytes of a file in chunks -> the texts of its rows: the elements of a JSON array, or the lines of any other file.
// Pure.
import { isJsonSpace, NextPlace, openElementCutter } from './elementCutter.ts';
import { openFileHead } from './fileHead.ts';
import { findRefusal, HEAD_BYTES } from '#core/rows/fileEncoding.ts';
import {
  MAX_LINE_BYTES,
  openLineCutter,
  openPlainCutter,
  type CutLines,
  type FileLine,
  type LineCutter,
  type PlainLine,
} from './lineCutter.ts';

const OPEN_LIST = 91;
const MARK = [0xef, 0xbb, 0xbf];

export interface RowCutter<Line = FileLine> extends LineCutter<Line> {
  /** The file is a JSON array. False as long as that is not known. */
  readonly isArray: boolean;
}

/** The first byte that is no space decides what a file is. `maxBytes`: of a line without its end, or of an element. */
export const openRowCutter = (maxBytes = MAX_LINE_BYTES): RowCutter => openCutter(maxBytes, openLineCutter(maxBytes));

/** The same, with plain lines as bytes. */
export const openPlainRowCutter = (maxBytes = MAX_LINE_BYTES): RowCutter<FileLine | PlainLine> =>
  openCutter(maxBytes, openPlainCutter(maxBytes));

/** `cutter`: of lines. Blank ones before an array are cut as lines, which gives none. */
function openCutter<Line>(maxBytes: number, cutter: LineCutter<Line | FileLine>): RowCutter<Line | FileLine> {
  let isRefused = false;
  const head = openFileHead((bytes) => {
    isRefused = findRefusal(bytes.subarray(0, HEAD_BYTES)) !== null;
  });
  let isDecided = false;
  let isArray = false;
  /** Of the next byte, while there were only spaces. */
  const place = new NextPlace();

  /** Where the first byte is that is no space; -1: there is none. Moves `place` to it. */
  function findFirst(bytes: Uint8Array): number {
    const isMarked = place.offset === 0 && MARK.every((byte, at) => bytes[at] === byte);
    let at = isMarked ? MARK.length : 0;
    place.offset += at;
    for (; at < bytes.length && isJsonSpace(bytes[at] ?? 0); at += 1) place.pass(bytes[at] ?? 0);
    return at < bytes.length ? at : -1;
  }

  function decide(bytes: Uint8Array): CutLines<Line | FileLine> {
    const first = findFirst(bytes);
    if (first < 0) return cutter.push(bytes);
    isDecided = true;
    // A bracket may be the first byte of UTF-16 too.
    isArray = bytes[first] === OPEN_LIST && !isRefused;
    if (!isArray) return cutter.push(bytes);
    cutter = openElementCutter(place, maxBytes);
    return cutter.push(bytes.subarray(first));
  }

  function take(bytes: Uint8Array | null): CutLines<Line | FileLine> {
    if (bytes === null) return { lines: [], problems: [], refusal: null };
    return isDecided ? cutter.push(bytes) : decide(bytes);
  }

  return {
    push: (chunk) => take(head.push(chunk)),
    end() {
      const { lines, problems } = take(head.end());
      const last = cutter.end();
      return { ...last, lines: [...lines, ...last.lines], problems: [...problems, ...last.problems] };
    },
    get isArray() {
      return isArray;
    },
  };
}
