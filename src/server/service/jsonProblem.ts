// Where and why a text is not JSON, for the message of a 400. V8's own message gives no position for short texts.
// Called only after JSON.parse has failed. Pure; walks without recursion.

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'end';

const NAMES: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value-or-end': 'a value or "]"',
  key: 'a name in double quotes',
  'key-or-end': 'a name in double quotes or "}"',
  colon: '":"',
  'comma-or-end': '"," or the closing bracket',
  end: 'the end of the text',
};

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The place after the string that starts at `at`, or -1. A loop: a pattern would need stack for each character. */
function matchString(text: string, at: number): number {
  if (text[at] !== '"') return -1;
  let place = at + 1;
  while (place < text.length) {
    const code = text.charCodeAt(place);
    if (code === 34) return place + 1;
    if (code < 32) return -1;
    place = code === 92 ? matchAt(ESCAPE, text, place) : place + 1;
    if (place < 0) return -1;
  }
  return -1;
}

interface Walk {
  readonly open: string[];
  expected: Expected;
}

const afterValue = (walk: Walk): Expected => (walk.open.length === 0 ? 'end' : 'comma-or-end');

/** Takes one token at `at`; gives the place after it, or -1 when it does not fit. */
function step(walk: Walk, text: string, at: number): number {
  const { open, expected } = walk;
  const character = text[at];
  const top = open.at(-1);
  if (expected === 'colon') {
    walk.expected = 'value';
    return character === ':' ? at + 1 : -1;
  }
  if (expected === 'comma-or-end' && character === ',') {
    walk.expected = top === '{' ? 'key' : 'value';
    return at + 1;
  }
  const mayEnd = expected === 'comma-or-end' || expected === 'key-or-end' || expected === 'value-or-end';
  if (mayEnd && character === (top === '{' ? '}' : ']')) {
    open.pop();
    walk.expected = afterValue(walk);
    return at + 1;
  }
  if (expected === 'key' || expected === 'key-or-end') {
    walk.expected = 'colon';
    return matchString(text, at);
  }
  if (expected !== 'value' && expected !== 'value-or-end') return -1;
  if (character === '{' || character === '[') {
    open.push(character);
    walk.expected = character === '{' ? 'key-or-end' : 'value-or-end';
    return at + 1;
  }
  walk.expected = afterValue(walk);
  return character === '"' ? matchString(text, at) : matchAt(SCALAR, text, at);
}

/** One sentence with line and column of the first fault; null when the text is JSON after all. */
export function findJsonProblem(text: string): string | null {
  const walk: Walk = { open: [], expected: 'value' };
  let at = 0;
  for (;;) {
    at = matchAt(SPACE, text, at);
    if (at >= text.length) break;
    const { expected } = walk;
    const next = step(walk, text, at);
    if (next < 0) return toSentence(text, at, NAMES[expected]);
    at = next;
  }
  return walk.expected === 'end' ? null : toSentence(text, at, NAMES[walk.expected]);
}

function toSentence(text: string, at: number, expected: string): string {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  if (at >= text.length) return `it ends at ${place}, where ${expected} should follow`;
  return `at ${place} there should be ${expected}, not ${JSON.stringify(text.slice(at, at + 12))}`;
}
