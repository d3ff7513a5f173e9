// JSON as Python writes it: `json.dumps` puts bare NaN, Infinity and -Infinity where JSON has no word.
import { isObject, numberOr, type JsonObject } from '#core/contract/readJson.ts';
import { messageOf } from '#features/runs/server/errorText.ts';
import { Unreadable } from '#features/runs/server/reader.ts';

/** Most characters of a text that is parsed. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** The next quote, or a bare word. A pattern for whole strings would take quadratic time where a quote never ends. */
const QUOTE_OR_WORD = /"|-?\b(?:NaN|Infinity)\b/g;
const STRING_END = /\\|"/g;

/** The value as an object; an empty one for anything else. */
export const toRecord = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The value as a text; null for an empty one and for anything else. */
export const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const toNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** A number that is neither NaN nor infinite. */
export const toFinite = (value: unknown): number | null => numberOr(value, null);

/** A number above 0. Trainers write 0 and -1 for what is not set. */
export function toPositive(value: unknown): number | null {
  const number = toFinite(value);
  return number !== null && number > 0 ? number : null;
}

/** Parses JSON with bare NaN and infinities. Throws Unreadable, also for a text that was caught half written. */
export function parseLooseJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw new Unreadable('The file is too large to be read as JSON');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw toUnreadable(error);
  }
  const mark = findMark(text);
  let hasNaN = false;
  const strict = replaceBareWords(text, (word) => {
    // 1e999 is valid JSON, and reads as infinity.
    if (word.endsWith('Infinity')) return word.startsWith('-') ? '-1e999' : '1e999';
    hasNaN = true;
    return mark;
  });
  try {
    const value: unknown = JSON.parse(strict);
    return hasNaN ? replaceMarks(value, JSON.parse(mark) as string) : value;
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** Parses the bytes of a file, in UTF-8 with or without a byte order mark. Throws Unreadable. */
export function parseLooseJsonBytes(content: Uint8Array): unknown {
  return parseLooseJson(new TextDecoder().decode(content));
}

/** The object that a text is, and null for anything else. Never throws. */
export function parseLooseObject(text: string): JsonObject | null {
  try {
    const value = parseLooseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const toUnreadable = (error: unknown): Unreadable =>
  new Unreadable(`It is not complete JSON: ${messageOf(error).slice(0, 200)}`);

/** Replaces NaN and Infinity outside of strings. */
function replaceBareWords(text: string, replace: (word: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  QUOTE_OR_WORD.lastIndex = 0;
  for (let found = QUOTE_OR_WORD.exec(text); found; found = QUOTE_OR_WORD.exec(text)) {
    if (found[0] === '"') QUOTE_OR_WORD.lastIndex = findStringEnd(text, found.index + 1);
    else {
      parts.push(text.slice(copied, found.index), replace(found[0]));
      copied = QUOTE_OR_WORD.lastIndex;
    }
  }
  return parts.join('') + text.slice(copied);
}

/** Where a string ends that begins before `from`; the end of the text if it never does. */
function findStringEnd(text: string, from: number): number {
  STRING_END.lastIndex = from;
  for (let found = STRING_END.exec(text); found; found = STRING_END.exec(text)) {
    if (found[0] === '"') return STRING_END.lastIndex;
    STRING_END.lastIndex += 1;
  }
  return text.length;
}

/** The JSON text of a string that the text does not have. */
function findMark(text: string): string {
  let mark = 'not-a-number';
  while (text.includes(mark)) mark += '-';
  return `"${mark}"`;
}

/** Puts NaN in the place of each mark. Without recursion: the text may be nested as deeply as its author likes. */
function replaceMarks(root: unknown, mark: string): unknown {
  if (root === mark) return Number.NaN;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      const inner = holder[key];
      if (inner === mark) holder[key] = Number.NaN;
      else if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return root;
}
