// Bytes of a line, or of an element of an array -> its text, or what is wrong with it. Pure.
import { findUtf8Fault } from './fileEncoding.ts';

export interface LineProblem {
  readonly line: number;
  /** In UTF-16 units, from 1. */
  readonly column: number;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The first characters of the line, for people who look for it. */
  readonly start: string;
}

const START_CHARACTERS = 200;
/** As many bytes as START_CHARACTERS can need. */
export const START_BYTES = START_CHARACTERS * 4;

/** The start of a line as it is shown beside a problem. A pair of surrogates is not cut. */
export function toLineStart(text: string): string {
  const start = text.slice(0, START_CHARACTERS);
  return /[\uD800-\uDBFF]$/.test(start) && text.length > START_CHARACTERS ? start.slice(0, -1) : start;
}

const NUL = '\u0000';
const MARK = 0xfeff;

export const withoutMark = (text: string): string => (text.charCodeAt(0) === MARK ? text.slice(1) : text);

type TextRead =
  | { readonly ok: true; readonly text: string }
  /** `before`: the text up to what is wrong. */
  | { readonly ok: false; readonly before: string; readonly message: string };

export interface LineDecoder {
  /** Decodes without loss: a byte order mark stays, and null if the bytes are not UTF-8. */
  strict(bytes: Uint8Array): string | null;
  /** As far as START_BYTES, whatever they are. */
  start(bytes: Uint8Array): string;
  /** UTF-8 without NUL, or where it ends. */
  read(bytes: Uint8Array): TextRead;
}

export function openLineDecoder(): LineDecoder {
  const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const loose = new TextDecoder('utf-8', { ignoreBOM: true });
  function strict(bytes: Uint8Array): string | null {
    try {
      return fatal.decode(bytes);
    } catch {
      return null;
    }
  }
  return {
    strict,
    start: (bytes) => withoutMark(loose.decode(bytes.subarray(0, START_BYTES))),
    read(bytes) {
      const text = strict(bytes);
      if (text === null) {
        const before = withoutMark(loose.decode(bytes.subarray(0, findUtf8Fault(bytes))));
        return {
          ok: false,
          before,
          message: 'A byte here is not UTF-8. Save the file as UTF-8, or correct this line.',
        };
      }
      const clean = withoutMark(text);
      const nul = clean.indexOf(NUL);
      if (nul < 0) return { ok: true, text };
      return {
        ok: false,
        before: clean.slice(0, nul),
        message: 'A NUL byte is here, which no text contains. Remove it.',
      };
    },
  };
}

/** What is said of a line or an element that has too many bytes. */
export const toLengthMessage = (noun: 'line' | 'element', bytes: number, limit: number): string =>
  `The ${noun} has ${bytes.toLocaleString('en')} bytes, and a row may have at most ${limit.toLocaleString('en')}. Make it shorter.`;

/** An element of a JSON array, and the place where it begins. */
interface Element {
  readonly number: number;
  readonly column: number;
  readonly text: string;
}

/** An element on one line: JSON has no line breaks in texts, so those between them and their indents can be a space. */
export const toOneLine = (text: string): string => text.replace(/[\r\n][ \t\r\n]*/g, ' ');

/** As many characters of an element as its start can need, with the indents of its lines. */
const LOOKED_AT = 4000;

/**
 * A problem has the place of its element, which people look for first. `before`: the text of the element up to what is
 * wrong; if that is farther on, the message says where.
 */
export function toElementProblem({ number, column, text }: Element, before: string, message: string): LineProblem {
  const problem = { line: number, column, start: toLineStart(toOneLine(text.slice(0, LOOKED_AT))) };
  if (before === '') return { ...problem, message };
  const lastBreak = before.lastIndexOf('\n');
  const line = number + before.split('\n').length - 1;
  const at = lastBreak < 0 ? column + before.length : before.length - lastBreak;
  return { ...problem, message: `${message} It is at line ${line}, column ${at}.` };
}
