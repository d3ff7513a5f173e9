// For tests: one character of any kind, for fast-check's strings. Its own unit 'binary' is the same, and makes a table of a
// million characters first: 1.4 s of processor time in each process of a test run.
import * as fc from 'fast-check';

/** Halves of characters that UTF-16 writes in two units: alone they are none. */
const HALVES = { first: 0xd800, count: 0x800 };
const CODES = 0x110000;

export const anyCharacter: fc.Arbitrary<string> = fc.nat(CODES - HALVES.count - 1).map(
  (at) => String.fromCodePoint(at < HALVES.first ? at : at + HALVES.count),
  // The way back, by which fast-check knows which of its dangerous strings ('__proto__') it may put in.
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    const isHalf = code === undefined || (code >= HALVES.first && code < HALVES.first + HALVES.count);
    if (isHalf || String.fromCodePoint(code) !== text) throw new Error('It is not one character.');
    return code < HALVES.first ? code : code - HALVES.count;
  },
);
