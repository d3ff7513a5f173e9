// Tells without JSON.parse whether a line already is the JSON of a row. Most lines of most files are, and reading and
// writing JSON takes several times as long.
import { MESSAGE_LIMITS } from '#core/contract/limits.ts';

const START = '{"messages":[{"role":"';
const NEXT = '"},{"role":"';
const END = '"}]}';
/** Of roles that need no other field than a text. */
const ROLES = ['user', 'assistant', 'system', 'developer'].map((role) => `${role}","content":"`);
const QUOTE = 34;
/** Any below the space: JSON has none of them. */
const CONTROL = /[^ -\uffff]/;
const BACKSLASH = '\\';
/** What JSON.stringify writes after a backslash, without the rare \u. */
const ESCAPED: ReadonlySet<number> = new Set(
  ['"', BACKSLASH, 'n', 'r', 't', 'b', 'f'].map((mark) => mark.charCodeAt(0)),
);

/** Where the role and the name of the content end, that begin at `at`; -1: something else is there. */
function skipRole(line: string, at: number): number {
  for (const role of ROLES) if (line.startsWith(role, at)) return at + role.length;
  return -1;
}

/**
 * True if the line is a row of messages with `role` and `content` alone, letter by letter as JSON.stringify writes it;
 * false if not, or if it has a character that JSON writes as \u. The line holds no lone surrogates.
 */
export function isPlainLine(line: string): boolean {
  if (!line.startsWith(START) || CONTROL.test(line)) return false;
  let escape = line.indexOf(BACKSLASH);
  let at = START.length;
  for (let count = 1; count <= MESSAGE_LIMITS.max; count += 1) {
    const from = skipRole(line, at);
    if (from < 0) return false;
    let quote = line.indexOf('"', from);
    while (escape >= 0 && escape < quote) {
      if (!ESCAPED.has(line.charCodeAt(escape + 1))) return false;
      if (quote === escape + 1) quote = line.indexOf('"', escape + 2);
      escape = line.indexOf(BACKSLASH, escape + 2);
    }
    if (quote < 0) return false;
    if (!line.startsWith(NEXT, quote)) return line.length === quote + END.length && line.endsWith(END);
    at = quote + NEXT.length;
  }
  return false;
}

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const START_BYTES = toBytes(START);
const NEXT_BYTES = toBytes(NEXT);
const END_BYTES = toBytes(`${END}\n`);
const ROLE_BYTES = ROLES.map(toBytes);

/** What a byte is within a text of JSON. */
const LETTER = 0;
const ESCAPE = 1;
const OTHER = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === BACKSLASH.charCodeAt(0)) return ESCAPE;
  return byte < 32 || byte > 127 || byte === QUOTE ? OTHER : LETTER;
});

function isAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** Where the text begins whose role and name are at `at`; -1: something else is there. */
function skipRoleBytes(bytes: Uint8Array, at: number): number {
  for (const role of ROLE_BYTES) if (isAt(bytes, at, role)) return at + role.length;
  return -1;
}

/** Where the quote is that ends a text of JSON; -1: it isn't plain, or not ASCII. */
function findQuote(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    while (KINDS[bytes[at] ?? 0] === LETTER) at += 1;
    if (bytes[at] === QUOTE) return at;
    if (KINDS[bytes[at] ?? 0] === OTHER || !ESCAPED.has(bytes[at + 1] ?? 0)) return -1;
    at += 2;
  }
}

/**
 * `isPlainLine` for bytes, without making a text of them: the place of the line feed that ends the line at `from`; -1:
 * it is no such line, or not of ASCII alone.
 */
export function findPlainEnd(bytes: Uint8Array, from: number): number {
  if (!isAt(bytes, from, START_BYTES)) return -1;
  let at = from + START_BYTES.length;
  for (let count = 1; count <= MESSAGE_LIMITS.max; count += 1) {
    const text = skipRoleBytes(bytes, at);
    const quote = text < 0 ? -1 : findQuote(bytes, text);
    if (quote < 0) return -1;
    if (!isAt(bytes, quote, NEXT_BYTES)) return isAt(bytes, quote, END_BYTES) ? quote + END.length : -1;
    at = quote + NEXT_BYTES.length;
  }
  return -1;
}
