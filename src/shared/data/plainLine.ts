// Tells without JSON.parse whether a line already is the JSON of a row. Most lines of most files are, and reading and
// writing JSON takes several times as long.
import { MESSAGE_LIMITS } from '#shared/contract/limits.ts';

const START = '{"messages":[{"role":"';
const NEXT = '"},{"role":"';
const END = '"}]}';
/** Of roles that need no other field than a text. */
const ROLES = ['user', 'assistant', 'system', 'developer'].map((role) => `${role}","content":"`);
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
