// Sets of characters as ranges of code points, and their form inside a JSON text. Pure.

export type CharRange = readonly [from: number, to: number];

const MAX_CODE = 0x10_ffff;

/** All characters outside `ranges`. */
function complement(ranges: readonly CharRange[]): readonly CharRange[] {
  const out: CharRange[] = [];
  let next = 0;
  for (const [from, to] of [...ranges].sort((one, two) => one[0] - two[0])) {
    if (from > next) out.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= MAX_CODE) out.push([next, MAX_CODE]);
  return out;
}

const DIGIT: readonly CharRange[] = [[48, 57]];
const WORD: readonly CharRange[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
// The space is the only white space that is written: others need escapes or look the same.
const SPACE: readonly CharRange[] = [[32, 32]];
const ALL_SPACE: readonly CharRange[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: readonly CharRange[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];

/** The named classes of regular expressions. `not`: all characters outside `ranges`. */
export function classOf(
  name: 'any' | 'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'not',
  ranges: readonly CharRange[] = [],
): readonly CharRange[] {
  switch (name) {
    case 'any':
      return complement(LINE_ENDS);
    case 'd':
      return DIGIT;
    case 'D':
      return complement(DIGIT);
    case 'w':
      return WORD;
    case 'W':
      return complement(WORD);
    case 's':
      return SPACE;
    case 'S':
      return complement(ALL_SPACE);
    default:
      return complement(ranges);
  }
}

/** Characters that a JSON text can't contain unescaped: controls, the quote, the backslash, DEL, surrogates. */
const NOT_PLAIN: readonly CharRange[] = [
  [0, 31],
  [34, 34],
  [92, 92],
  [127, 127],
  [0xd800, 0xdfff],
];

/** Those that have a short escape: tab, line feed, quote, backslash. */
const ESCAPABLE: readonly CharRange[] = [
  [9, 10],
  [34, 34],
  [92, 92],
];
const PLAIN = complement(NOT_PLAIN);

function intersect(left: readonly CharRange[], right: readonly CharRange[]): readonly CharRange[] {
  return left.flatMap(([from, to]) =>
    right.flatMap(([low, high]): CharRange[] =>
      Math.max(from, low) <= Math.min(to, high) ? [[Math.max(from, low), Math.min(to, high)]] : [],
    ),
  );
}

/** Those that need no escape there. */
export function toPlain(ranges: readonly CharRange[]): readonly CharRange[] {
  return intersect(ranges, PLAIN);
}

/** The characters of the set that can be written inside a JSON text, with or without an escape. */
export function toWritable(ranges: readonly CharRange[]): readonly CharRange[] {
  return [...toPlain(ranges), ...intersect(ranges, ESCAPABLE)];
}
