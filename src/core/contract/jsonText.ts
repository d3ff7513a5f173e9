// Reads JSON text token by token, and says where and why it stops being JSON: JSON.parse words that differently in
// each browser, or doesn't say it. There is no recursion and each character is read once, so any depth and length work.

/** The deepest nesting that is accepted in a text that a person typed. */
export const MAX_TYPED_DEPTH = 500;
const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'end' | 'fewer-levels';

/** The place after the match, or -1. */
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
    if (code === QUOTE) return place + 1;
    if (code < 32) return -1;
    place = code === BACKSLASH ? matchAt(ESCAPE, text, place) : place + 1;
    if (place < 0) return -1;
  }
  return -1;
}

/** `next` moves to the next token. It returns false at the end of the text, and where the text stops being JSON. */
export class JsonReader {
  /** The kind of the current token. */
  kind: 'open' | 'close' | 'key' | 'scalar' | 'colon' | 'comma' = 'scalar';
  /** Start and end of the current token. */
  from = 0;
  to = 0;
  /** The brackets that are open after the current token. */
  readonly open: ('{' | '[')[] = [];
  /** What must follow the current token. */
  expected: Expected = 'value';

  constructor(
    readonly text: string,
    /** Values inside more brackets than this are refused. */
    private readonly maxDepth = Infinity,
  ) {}

  next(): boolean {
    this.from = matchAt(SPACE, this.text, this.to);
    const end = this.from < this.text.length ? this.take(this.text[this.from] ?? '') : -1;
    this.to = end < 0 ? this.from : end;
    return end >= 0;
  }

  /** True once the whole text was read and is JSON. */
  get isWhole(): boolean {
    return this.expected === 'end' && this.to === this.text.length;
  }

  /** The place after the token; -1 if it is not what must follow. */
  private take(mark: string): number {
    const { from, expected, open } = this;
    const top = open.at(-1);
    if (expected === 'colon') return mark === ':' ? this.accept('colon', 'value') : -1;
    if (expected === 'comma-or-end' && mark === ',') return this.accept('comma', top === '{' ? 'key' : 'value');
    if (expected.endsWith('-or-end') && mark === (top === '{' ? '}' : ']')) {
      open.pop();
      return this.accept('close', this.afterValue());
    }
    if (expected === 'key' || expected === 'key-or-end')
      return this.accept('key', 'colon', matchString(this.text, from));
    if (expected !== 'value' && expected !== 'value-or-end') return -1;
    if (open.length > this.maxDepth) {
      this.expected = 'fewer-levels';
      return -1;
    }
    if (mark === '{' || mark === '[') {
      open.push(mark);
      return this.accept('open', mark === '{' ? 'key-or-end' : 'value-or-end');
    }
    const end = mark === '"' ? matchString(this.text, from) : matchAt(SCALAR, this.text, from);
    return this.accept('scalar', this.afterValue(), end);
  }

  private accept(kind: JsonReader['kind'], expected: Expected, end = this.from + 1): number {
    if (end >= 0) [this.kind, this.expected] = [kind, expected];
    return end;
  }

  private afterValue(): Expected {
    return this.open.length === 0 ? 'end' : 'comma-or-end';
  }
}

/** Counts from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

interface SyntaxFault {
  readonly offset: number;
  /** Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  /** What the text should have there. */
  readonly expected: Expected;
}

/** Where a text stops being JSON; null if it is JSON. */
function findJsonFault(text: string, maxDepth?: number): SyntaxFault | null {
  const reader = new JsonReader(text, maxDepth);
  while (reader.next());
  if (reader.isWhole) return null;
  const { from, expected } = reader;
  return { offset: from, line: lineAt(text, from), column: from - text.lastIndexOf('\n', from - 1), expected };
}

const NAMES: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value-or-end': 'a value or "]"',
  key: 'a name in double quotes',
  'key-or-end': 'a name in double quotes or "}"',
  colon: '":"',
  'comma-or-end': '"," or the closing bracket',
  end: 'the end of the text',
  'fewer-levels': 'fewer levels',
};

/** What a text has at a fault, and what should be there: the end of a sentence. */
const toFaultText = (text: string, { offset, expected }: SyntaxFault): string =>
  offset >= text.length
    ? `it ends where ${NAMES[expected]} should follow`
    : `there should be ${NAMES[expected]}, not ${JSON.stringify(text.slice(offset, offset + 12))}`;

/** The place of the first fault, from 0, and what is wrong; null if the text is JSON. */
export function findFault(text: string): { readonly offset: number; readonly message: string } | null {
  const fault = findJsonFault(text);
  return fault && { offset: fault.offset, message: toFaultText(text, fault) };
}

/** One sentence with line and column of the first fault; null if the text is JSON. */
export function findJsonProblem(text: string): string | null {
  const fault = findJsonFault(text);
  if (!fault) return null;
  const { offset, line, column, expected } = fault;
  const place = `line ${line}, column ${column}`;
  if (offset >= text.length) return `it ends at ${place}, where ${NAMES[expected]} should follow`;
  return `at ${place} there should be ${NAMES[expected]}, not ${JSON.stringify(text.slice(offset, offset + 12))}`;
}

/**
 * True if brackets nest deeper than `limit`. It looks only at brackets and quotes, so it is quick on bodies of
 * megabytes. For a text that is not JSON the answer means nothing.
 */
export function isTextDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at += 1; at < text.length; at += 1) {
        const inner = text.charCodeAt(at);
        if (inner === QUOTE) break;
        if (inner === BACKSLASH) at += 1;
      }
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return false;
}

export type JsonText = { readonly ok: true; readonly value: unknown } | ({ readonly ok: false } & SyntaxFault);

/** Parses a text that a person typed: the value, or where it stops being JSON. Never throws. */
export function parseJsonText(text: string): JsonText {
  const fault = findJsonFault(text, MAX_TYPED_DEPTH);
  return fault ? { ok: false, ...fault } : { ok: true, value: JSON.parse(text) };
}
