// JSON answers as values: equal whatever the order of names, the white space and the notation of numbers. Pure.
import { isObject } from '#core/contract/readJson.ts';
import { toBareJson } from './answerJson.ts';
import { isDeeperThan } from './valueDepth.ts';

/** What nests deeper is compared as text: JSON.stringify calls itself for each level. */
const MAX_DEPTH = 100;
/** Begins the text that stands for a number which a double does not hold, such as an id of 20 digits. */
const EXACT = '\0';
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Most texts have no number that a double could miss. */
const LONG_NUMBER = /\d[\d.]{14}|\d[eE]/;

/** One text for each number, however it is written: `1.50e2` and `150` are `15e1`. */
function toDecimal(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Fractions are doubles everywhere: `0.1` and what `%.17g` prints of it are one value. Whole numbers may be ids. */
function isHeld(literal: string): boolean {
  const decimal = toDecimal(literal);
  return decimal.includes('e-') || toDecimal(String(Number(literal))) === decimal;
}

/** A whole number that would be rounded becomes a text, so that two of them are equal only if all their digits are. */
const keepDigits = (json: string): string =>
  LONG_NUMBER.test(json)
    ? json.replaceAll(TOKEN, (token) =>
        token.startsWith('"') || isHeld(token) ? token : JSON.stringify(EXACT + toDecimal(token)),
      )
    : json;

/** As JSON.parse, but whole numbers that a double would round are texts. Throws SyntaxError. */
export function parseExactJson(json: string): unknown {
  JSON.parse(json);
  return JSON.parse(keepDigits(json));
}

interface AnswerValue {
  readonly value: unknown;
  /** In a code fence, which a program that parses the answer does not take. */
  readonly isFenced: boolean;
}

/**
 * The value of an answer that is a JSON object or list, bare or in a code fence; null for all others: a text such as `1.0` is
 * no JSON answer. Numbers that a double would round are texts.
 */
export function toAnswerValue(text: string): AnswerValue | null {
  const { bare, isFenced } = toBareJson(text);
  if (!/^\s*[{[]/.test(bare)) return null;
  try {
    const value = parseExactJson(bare);
    return isDeeperThan(value, MAX_DEPTH) ? null : { value, isFenced };
  } catch {
    return null;
  }
}

/** For JSON.stringify: names in one order. */
const sortNames = (_name: string, part: unknown): unknown =>
  isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part;

/** Equal for equal values. */
export const toValueKey = (value: unknown): string => JSON.stringify(value, sortNames);

/** Equal for JSON answers with equal values; null: it is no JSON answer. */
export function toJsonKey(text: string): string | null {
  const read = toAnswerValue(text);
  return read && `${read.isFenced ? '```' : ''}${toValueKey(read.value)}`;
}

/** `1234e1` as `12340`; what would be much longer stays. */
const toLiteral = (decimal: string): string =>
  decimal.replace(/^(-?\d+)e(\d\d?)$/, (_, digits: string, zeros: string) => digits + '0'.repeat(Number(zeros)));

/** A value as JSON, in one line. */
export const toValueText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"\\u0000(-?\d+e-?\d+)"/g, (_, decimal: string) => toLiteral(decimal));
