// Equality and order of values.
import { TemplateError } from './templateError.ts';
import {
  Dict,
  DictView,
  Float,
  isNumber,
  isText,
  Markup,
  Range,
  Tuple,
  Undefined,
  type Run,
  type Value,
  typeOf,
} from './values.ts';

/** The number as JavaScript's: exact for ints up to 2^53. */
export function toNumber(value: boolean | number | bigint | Float): number {
  return value instanceof Float ? value.value : Number(value);
}

function compareNumbers(left: boolean | number | bigint | Float, right: boolean | number | bigint | Float): number {
  const [a, b] = [left, right].map((one) => (one instanceof Float ? one.value : typeof one === 'boolean' ? +one : one));
  if (a === undefined || b === undefined) return Number.NaN;
  // JavaScript compares a bigint and a number exactly.
  if (a < b) return -1;
  if (a > b) return 1;
  return a <= b ? 0 : Number.NaN;
}

/** left == right. */
export function isEqual(run: Run, left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left === 'string') return right instanceof Markup && right.text === left;
  if (left === null || right === null) return false;
  if (isNumber(left)) return isNumber(right) && compareNumbers(left, right) === 0;
  if (left instanceof Markup)
    return (isText(right) && (right instanceof Markup ? right.text : right) === left.text) || false;
  if (left instanceof Undefined) return right instanceof Undefined;
  run.spend(1);
  if (Array.isArray(left)) return Array.isArray(right) && areEqual(run, left, right);
  if (left instanceof Tuple) return right instanceof Tuple && areEqual(run, left.items, right.items);
  if (left instanceof Dict) {
    if (!(right instanceof Dict) || left.size !== right.size) return false;
    for (const [key, value] of left.entries()) {
      const other = right.get(key);
      if (other === undefined || !isEqual(run, value, other)) return false;
    }
    return true;
  }
  if (left instanceof DictView && right instanceof DictView) {
    if (left.part === 'values' || right.part === 'values') return false;
    const others = [...right];
    return left.dict.size === right.dict.size && [...left].every((one) => others.some((two) => isEqual(run, one, two)));
  }
  if (left instanceof Range && right instanceof Range)
    return (
      left.length === right.length &&
      (left.length === 0 || (left.start === right.start && (left.length === 1 || left.step === right.step)))
    );
  return false;
}

function areEqual(run: Run, left: readonly Value[], right: readonly Value[]): boolean {
  return left.length === right.length && left.every((item, at) => isEqual(run, item, right[at] ?? null));
}

/** Order by code points; JavaScript's own order differs beyond U+FFFF. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === length) return left.length - right.length;
  const rank = (code: number): number => (code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code);
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** Negative, 0, positive, or NaN where neither is first. Throws for values that Python can't order. */
export function compareValues(run: Run, left: Value, right: Value, operator: string): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (isText(left) && isText(right))
    return compareTexts(left instanceof Markup ? left.text : left, right instanceof Markup ? right.text : right);
  for (const one of [left, right]) if (one instanceof Undefined) one.fail();
  const [a, b] = [left, right].map((one) => (one instanceof Tuple ? one.items : one));
  if (Array.isArray(a) && Array.isArray(b) && Array.isArray(left) === Array.isArray(right)) {
    for (const [at, item] of (a as readonly Value[]).entries()) {
      const other = (b as readonly Value[])[at];
      run.spend(1);
      if (other === undefined) return 1;
      if (!isEqual(run, item, other)) return compareValues(run, item, other, operator);
    }
    return a.length - b.length;
  }
  throw new TemplateError(`'${operator}' not supported between instances of '${typeOf(left)}' and '${typeOf(right)}'`);
}
