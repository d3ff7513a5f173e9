// Where in a typed JSON text a value stands, and the same text laid out line by line. Nothing is parsed into values, so
// that no digit of a number changes. The text must be valid JSON.
import { parseJsonText } from '#shared/evaluation/jsonText.ts';

export type JsonPath = readonly (string | number)[];

/** Offsets into the text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

interface Token extends Place {
  readonly text: string;
}

/** Texts by their first quote: a pattern for all of a long one needs more room than the browser gives it. */
const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g;

/** Where the text ends that begins with the quote at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function openTokens(text: string): { readonly next: () => Token | null; at: number } {
  const reader = {
    at: 0,
    next: (): Token | null => {
      TOKEN.lastIndex = reader.at;
      const found = TOKEN.exec(text);
      if (!found) return null;
      const from = found.index;
      reader.at = found[0] === '"' ? endOfText(text, from) : from + found[0].length;
      return { text: text.slice(from, reader.at), from, to: reader.at };
    },
  };
  return reader;
}

type Reader = ReturnType<typeof openTokens>;

/** Reads the rest of the value that begins with `first`; gives its end. */
function skipValue(reader: Reader, first: Token): number {
  let depth = 0;
  let end = first.to;
  for (let token: Token | null = first; token; token = reader.next()) {
    if (token.text === '{' || token.text === '[') depth += 1;
    if (token.text === '}' || token.text === ']') depth -= 1;
    end = token.to;
    if (depth <= 0) break;
  }
  return end;
}

/** The first token of a list's entry. */
function findEntry(reader: Reader, index: number): Token | null {
  let token = reader.next();
  for (let at = 0; token && token.text !== ']'; at += 1) {
    if (at === index) return token;
    skipValue(reader, token);
    if (reader.next()?.text !== ',') return null;
    token = reader.next();
  }
  return null;
}

/** The first token of a member's value. Of equal keys the last one counts, as everywhere in JSON. */
function findMember(reader: Reader, name: string): Token | null {
  let found: { readonly token: Token; readonly at: number } | null = null;
  for (let key = reader.next(); key?.text.startsWith('"'); key = reader.next()) {
    reader.next();
    const value = reader.next();
    if (!value) break;
    if (JSON.parse(key.text) === name) found = { token: value, at: reader.at };
    skipValue(reader, value);
    if (reader.next()?.text !== ',') break;
  }
  if (found) reader.at = found.at;
  return found?.token ?? null;
}

function findInside(reader: Reader, token: Token, part: string | number): Token | null {
  if (typeof part === 'number') return token.text === '[' ? findEntry(reader, part) : null;
  return token.text === '{' ? findMember(reader, part) : null;
}

/** The place of the value at `path`; where there is none, that of the innermost value around it. */
export function findJsonPlace(text: string, path: JsonPath): Place {
  const reader = openTokens(text);
  const first = reader.next();
  if (!first) return { from: 0, to: text.length };
  let token: Token = first;
  for (const part of path) {
    const { at } = reader;
    const inner = findInside(reader, token, part);
    if (!inner) {
      reader.at = at;
      break;
    }
    token = inner;
  }
  return { from: token.from, to: skipValue(reader, token) };
}

/** Counts from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The text with a line for each member and entry; null where it is not JSON. Every literal stays as it is written. */
export function toPrettyJson(text: string): string | null {
  if (!parseJsonText(text).ok) return null;
  const reader = openTokens(text);
  let depth = 0;
  let pretty = '';
  let before = '';
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  for (let token = reader.next(); token; token = reader.next()) {
    const mark = token.text;
    const isClose = mark === '}' || mark === ']';
    if (isClose) depth -= 1;
    const isOpened = before === '{' || before === '[';
    if (isClose ? !isOpened : isOpened || before === ',') pretty += newLine();
    pretty += mark === ':' ? ': ' : mark;
    if (mark === '{' || mark === '[') depth += 1;
    before = mark;
  }
  return pretty;
}
