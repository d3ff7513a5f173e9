// The form of an answer, and what it says apart from white space and the order of keys. Pure.
import { isObject, parseJson } from '#core/contract/readJson.ts';
import type { RowMessage } from '#core/rows/chatRow.ts';

/** `object` and `list`: bare JSON. `fenced`: JSON in a Markdown fence. `label`: a few words. `none`: nothing is said. */
export type AnswerForm =
  | 'object'
  | 'list'
  | 'fenced'
  | 'broken-json'
  | 'json-in-text'
  | 'label'
  | 'text'
  | 'call'
  | 'none';

export interface ReadAnswer {
  readonly form: AnswerForm;
  /** The same for answers that say the same: labels in any case and white space, JSON in any order of keys. 32 bits. */
  readonly key: number;
  /** Of free text, what can not differ where both are right: its numbers, and whether it begins with yes or no. 0: other forms. */
  readonly facts: number;
  /** Of an object, sorted. */
  readonly keys: readonly string[];
}

const LABEL = { characters: 40, words: 3 } as const;
const FENCE = /^```\w*\s*\n?([\s\S]*?)\n?```$/;
const PROSE_AFTER = /[}\]]\s*\n\s*[^\s{}[\]"]/;
const IN_TEXT = /\{\s*"[^"\n]{1,80}"\s*:|\[\s*\{\s*"/;
/** JSON as a model writes it that has not learnt to: quotes of Python, a comma too many, no end. */
const LIKE_JSON = /^(?:\{\s*(?:["'][\w -]{1,80}["']\s*:|\}?$|"[\w -]*$)|\[\s*(?:\{|["'\d[]))/;

const isSpace = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x3000;

/** JSON with its keys in order. A number keeps its value, not its spelling. */
function toSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSorted).join()}]`;
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value.trim()) : JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toSorted(value[key])}`);
  return `{${parts.join()}}`;
}

const SEED = 0x811c9dc5;
const FACTOR = 0x01000193;

/** A 32-bit hash (FNV-1a) of a text in any case and white space. */
function hashFolded(text: string): number {
  let hash = SEED;
  let wasSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      if (!wasSpace) hash = Math.imul(hash ^ 32, FACTOR);
      wasSpace = true;
    } else {
      hash = Math.imul(hash ^ (code >= 65 && code <= 90 ? code | 32 : code), FACTOR);
      wasSpace = false;
    }
  }
  return hash >>> 0;
}

function hashExact(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FACTOR);
  return hash >>> 0;
}

/** Words that begin an answer with yes or no. */
const YES = /^(?:yes|yep|yeah|ja|oui|sí|si|sim|sì|tak|да|是|はい|네|نعم|हाँ)(?![\p{L}])/iu;
const NO = /^(?:no|nope|nein|non|não|nee|nie|нет|不是|いいえ|아니요|لا|नहीं)(?![\p{L}])/iu;

function hashFacts(text: string): number {
  let hash: number = YES.test(text) ? 1 : NO.test(text) ? 2 : 3;
  let wasDigit = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 48 && code < 58;
    if (isDigit) hash = Math.imul(hash ^ (wasDigit ? code : code << 8), FACTOR);
    wasDigit = isDigit;
  }
  return hash >>> 0;
}
const NO_KEYS: readonly string[] = [];

const ofJson = (value: object, form: AnswerForm): ReadAnswer => ({
  form,
  key: hashExact(toSorted(value)),
  facts: 0,
  keys: isObject(value) ? Object.keys(value).sort() : NO_KEYS,
});
const ofText = (text: string, form: AnswerForm): ReadAnswer => ({
  form,
  key: hashFolded(text),
  facts: form === 'text' || form === 'json-in-text' ? hashFacts(text) : 0,
  keys: NO_KEYS,
});

function countWords(text: string): number {
  let words = 0;
  let wasSpace = true;
  for (let at = 0; at < text.length && words <= LABEL.words; at += 1) {
    const code = text.charCodeAt(at);
    // Languages that write no spaces say a word with two characters, roughly.
    const isDense = code >= 0x3040 && code <= 0xd7af;
    if (isDense) words += 0.5;
    else if (wasSpace && !isSpace(code)) words += 1;
    wasSpace = isSpace(code);
  }
  return words;
}

function readText(text: string): ReadAnswer {
  if (text === '') return ofText(text, 'none');
  const first = text[0];
  if (first === '{' || first === '[') {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) return ofJson(value, Array.isArray(value) ? 'list' : 'object');
    if (PROSE_AFTER.test(text)) return ofText(text, 'json-in-text');
    return ofText(text, LIKE_JSON.test(text) ? 'broken-json' : 'text');
  }
  const inside = first === '`' ? FENCE.exec(text)?.[1] : undefined;
  const fenced = inside === undefined ? undefined : parseJson(inside);
  if (typeof fenced === 'object' && fenced !== null) return ofJson(fenced, 'fenced');
  if (text.includes('{') && IN_TEXT.test(text)) return ofText(text, 'json-in-text');
  const isLabel = text.length <= LABEL.characters && !text.includes('\n') && countWords(text) <= LABEL.words;
  return ofText(text, isLabel ? 'label' : 'text');
}

/** What the last answer of a row says, with its calls. */
export function readAnswer({
  content,
  tool_calls: calls = [],
}: Pick<RowMessage, 'content' | 'tool_calls'>): ReadAnswer {
  const text = (content ?? '').trim();
  if (calls.length === 0 && !text.startsWith('<tool_call>')) return readText(text);
  const called = calls.map(({ function: { name, arguments: given } }) => {
    const value = parseJson(given);
    return `${name} ${value === undefined ? given.trim() : toSorted(value)}`;
  });
  return { form: 'call', key: hashFolded(`${text} ${called.join()}`), facts: 0, keys: NO_KEYS };
}
