// Python's operators.
import { compareValues, isEqual, toNumber } from './comparing.ts';
import { formatPercent } from './formatPercent.ts';
import { iterate } from './iteration.ts';
import { escapeHtml } from './markup.ts';
import { toFraction } from './numbers.ts';
import { toText } from './representation.ts';
import type { BinaryOperator, Comparison } from './syntax.ts';
import { TemplateError } from './templateError.ts';
import {
  Dict,
  DictView,
  Float,
  isNumber,
  isText,
  isWhole,
  Markup,
  Range,
  toInt,
  Tuple,
  typeOf,
  Undefined,
  type Run,
  type Value,
} from './values.ts';

/** Bits of an int that a template may make. */
const MAX_BITS = 1_000_000;

function refuse(operator: string, left: Value, right: Value): never {
  for (const one of [left, right]) if (one instanceof Undefined) one.fail();
  const name = operator === '**' ? '** or pow()' : operator;
  throw new TemplateError(`unsupported operand types for ${name}: '${typeOf(left)}' and '${typeOf(right)}'`);
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

/** float(value) of an int. Throws where it is too large. */
function toFloat(value: boolean | number | bigint | Float): number {
  const number = toNumber(value);
  if (typeof value === 'bigint' && !Number.isFinite(number))
    throw new TemplateError('int too large to convert to float');
  return number;
}

function floorModulo(left: number, right: number): number {
  const rest = left % right;
  if (rest === 0) return Object.is(right, -0) || right < 0 ? -0 : 0;
  return rest < 0 === right < 0 ? rest : rest + right;
}

function wholePower(run: Run, base: bigint, exponent: bigint): Value {
  if (exponent < 0n) {
    if (base === 0n) throw new TemplateError('zero to a negative power');
    return new Float(toFloatPower(Number(base), Number(exponent)));
  }
  const isSmall = base >= -1n && base <= 1n;
  if (!isSmall && (exponent > MAX_BITS || bitLength(base) * Number(exponent) > MAX_BITS)) run.grow(Infinity);
  if (isSmall) return toInt(base === -1n && exponent % 2n === 0n ? 1n : exponent === 0n ? 1n : base);
  return toInt(base ** exponent);
}

function calculateWhole(run: Run, operator: BinaryOperator, left: bigint, right: bigint): Value {
  switch (operator) {
    case '+':
      return toInt(left + right);
    case '-':
      return toInt(left - right);
    case '*':
      if (bitLength(left) + bitLength(right) > MAX_BITS) run.grow(Infinity);
      return toInt(left * right);
    case '/':
      if (right === 0n) throw new TemplateError('division by zero');
      return new Float(divideExactly(left, right));
    case '//':
    case '%': {
      if (right === 0n) throw new TemplateError('integer division or modulo by zero');
      const rest = left % right;
      const isOff = rest !== 0n && rest < 0n !== right < 0n;
      return operator === '%' ? toInt(isOff ? rest + right : rest) : toInt(isOff ? left / right - 1n : left / right);
    }
    case '**':
      return wholePower(run, left, right);
  }
}

/** left / right of ints, correctly rounded where both fit a float. */
function divideExactly(left: bigint, right: bigint): number {
  const [a, b] = [Number(left), Number(right)];
  if (BigInt(Number.isFinite(a) ? a : 0) === left && BigInt(Number.isFinite(b) ? b : 1) === right) return a / b;
  const isMinus = left < 0n !== right < 0n;
  const [top, bottom] = [left < 0n ? -left : left, right < 0n ? -right : right];
  // 64 bits of the quotient and a last one that says whether more follow are enough to round once.
  const shift = 66 + bitLength(bottom) - bitLength(top);
  const scaled = shift >= 0 ? (top << BigInt(shift)) / bottom : top / (bottom << BigInt(-shift));
  const isRest = shift >= 0 ? (top << BigInt(shift)) % bottom !== 0n : true;
  const size = Number(isRest ? scaled | 1n : scaled) * 2 ** -shift;
  if (size === Infinity) throw new TemplateError('integer division result too large for a float');
  return isMinus ? -size : size;
}

/** Exactly rounded for whole exponents, where JavaScript may miss the last digit. */
function toFloatPower(base: number, exponent: number): number {
  const power = base ** exponent;
  const isExact = Number.isInteger(exponent) && Math.abs(exponent) <= 1024 && Number.isFinite(base) && base !== 0;
  if (!isExact || !Number.isFinite(power) || power === 0) return power;
  const { numerator, shift } = toFraction(base);
  const count = BigInt(Math.abs(exponent));
  const [top, bottom] = [numerator ** count, 2n ** (BigInt(shift) * count)];
  return exponent < 0 ? divideExactly(bottom, top) : divideExactly(top, bottom);
}

function calculateFloat(operator: BinaryOperator, left: number, right: number): Value {
  switch (operator) {
    case '+':
      return new Float(left + right);
    case '-':
      return new Float(left - right);
    case '*':
      return new Float(left * right);
    case '/':
      if (right === 0) throw new TemplateError('float division by zero');
      return new Float(left / right);
    case '//': {
      if (right === 0) throw new TemplateError('float floor division by zero');
      const whole = (left - floorModulo(left, right)) / right;
      const floor = Math.floor(whole);
      return new Float(whole - floor > 0.5 ? floor + 1 : floor);
    }
    case '%':
      if (right === 0) throw new TemplateError('float modulo by zero');
      return new Float(floorModulo(left, right));
    case '**': {
      if (left === 0 && right < 0) throw new TemplateError('zero to a negative power');
      if (left < 0 && !Number.isInteger(right) && Number.isFinite(right) && Number.isFinite(left))
        throw new TemplateError('complex numbers are not supported');
      if (left === 1 || (left === -1 && !Number.isFinite(right) && !Number.isNaN(right))) return new Float(1);
      const power = toFloatPower(left, right);
      if (!Number.isFinite(power) && Number.isFinite(left) && Number.isFinite(right))
        throw new TemplateError('the result of ** is too large for a float');
      return new Float(power);
    }
  }
}

function calculate(run: Run, operator: BinaryOperator, left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right)) return refuse(operator, left, right);
  if (left instanceof Float || right instanceof Float) return calculateFloat(operator, toFloat(left), toFloat(right));
  return calculateWhole(run, operator, BigInt(left), BigInt(right));
}

function concatenate(run: Run, left: string | Markup, right: string | Markup): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    run.grow(left.length + right.length);
    return left + right;
  }
  const text = escapeHtml(run, left).text + escapeHtml(run, right).text;
  run.grow(text.length);
  return new Markup(text);
}

/** left + right. */
export function add(run: Run, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  if (isText(left) && isText(right)) return concatenate(run, left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    run.grow((left.length + right.length) * 16);
    return [...left, ...right];
  }
  if (left instanceof Tuple && right instanceof Tuple) {
    run.grow((left.items.length + right.items.length) * 16);
    return new Tuple([...left.items, ...right.items]);
  }
  if (!isNumber(left) && !(left instanceof Undefined) && !(right instanceof Undefined) && isText(left))
    throw new TemplateError(`can only concatenate str (not "${typeOf(right)}") to str`);
  return calculate(run, '+', left, right);
}

function repeat(run: Run, value: string | Markup | Value[] | Tuple, count: number): Value {
  const times = Math.max(0, count);
  if (isText(value)) {
    const text = value instanceof Markup ? value.text : value;
    run.grow(text.length * times);
    const repeated = text === '' ? '' : text.repeat(times);
    return value instanceof Markup ? new Markup(repeated) : repeated;
  }
  const items = value instanceof Tuple ? value.items : value;
  run.grow(items.length * times * 16);
  const repeated: Value[] = [];
  if (items.length > 0) for (let at = 0; at < times; at += 1) repeated.push(...items);
  return value instanceof Tuple ? new Tuple(repeated) : repeated;
}

function isSequence(value: Value): value is string | Markup | Value[] | Tuple {
  return isText(value) || Array.isArray(value) || value instanceof Tuple;
}

function multiply(run: Run, left: Value, right: Value): Value {
  if (isSequence(left) && isWhole(right)) return repeat(run, left, Number(right));
  if (isSequence(right) && isWhole(left)) return repeat(run, right, Number(left));
  return calculate(run, '*', left, right);
}

/** left OPERATOR right. */
export function applyBinary(run: Run, operator: BinaryOperator, left: Value, right: Value): Value {
  run.spend(1);
  if (operator === '+') return add(run, left, right);
  if (typeof left === 'number' && typeof right === 'number') {
    if (operator === '-') {
      const difference = left - right;
      if (Number.isSafeInteger(difference)) return difference;
    } else if (operator === '%' && right !== 0) return floorModulo(left, right) + 0;
  }
  if (operator === '*') return multiply(run, left, right);
  if (operator === '%' && isText(left)) {
    const text = formatPercent(run, left instanceof Markup ? left.text : left, right);
    return left instanceof Markup ? new Markup(text) : text;
  }
  return calculate(run, operator, left, right);
}

export function negate(value: Value): Value {
  if (value instanceof Float) return new Float(-value.value);
  if (isWhole(value)) return toInt(-BigInt(value));
  if (value instanceof Undefined) value.fail();
  throw new TemplateError(`bad operand type for unary -: '${typeOf(value)}'`);
}

export function affirm(value: Value): Value {
  if (typeof value === 'boolean') return Number(value);
  if (isNumber(value)) return value;
  if (value instanceof Undefined) value.fail();
  throw new TemplateError(`bad operand type for unary +: '${typeOf(value)}'`);
}

/** `needle in haystack`. */
function contains(run: Run, haystack: Value, needle: Value): boolean {
  run.spend(1);
  if (isText(haystack)) {
    if (!isText(needle))
      throw new TemplateError(`'in <string>' requires string as left operand, not ${typeOf(needle)}`);
    const text = toText(run, haystack);
    run.spend(text.length >> 6);
    return text.includes(toText(run, needle));
  }
  if (haystack instanceof Dict) return haystack.get(needle) !== undefined;
  if (haystack instanceof DictView && haystack.part === 'keys') return haystack.dict.get(needle) !== undefined;
  if (haystack instanceof Range) {
    if (!isNumber(needle)) return false;
    const place = (toNumber(needle) - haystack.start) / haystack.step;
    return Number.isInteger(place) && place >= 0 && place < haystack.length;
  }
  if (!(haystack instanceof Undefined) && typeof haystack !== 'object')
    throw new TemplateError(`argument of type '${typeOf(haystack)}' is not iterable`);
  for (const item of iterate(run, haystack)) {
    run.spend(1);
    if (isEqual(run, item, needle)) return true;
  }
  return false;
}

/** left OPERATOR right, of a comparison. */
export function compare(run: Run, operator: Comparison, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return isEqual(run, left, right);
    case '!=':
      return !isEqual(run, left, right);
    case 'in':
      return contains(run, right, left);
    case 'not in':
      return !contains(run, right, left);
    case '<':
      return compareValues(run, left, right, operator) < 0;
    case '<=':
      return compareValues(run, left, right, operator) <= 0;
    case '>':
      return compareValues(run, left, right, operator) > 0;
    case '>=':
      return compareValues(run, left, right, operator) >= 0;
  }
}
