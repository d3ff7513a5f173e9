// Ints and floats of Python as text, exactly.
import { TemplateError } from './templateError.ts';
import { toInt, type Run } from './values.ts';

/** Python refuses to write or read longer ints. */
const MAX_DIGITS = 4300;

/** The shortest digits that give this float back, and the power of ten of the first one. */
function toDigits(value: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(power) };
}

export function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

function toPower(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Digits with a point where `exponent` puts it. */
function placePoint(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = digits.slice(exponent + 1);
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** repr(value) of a float. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const sign = isNegative(value) ? '-' : '';
  if (!Number.isFinite(value)) return `${sign}inf`;
  const { digits, exponent } = toDigits(value);
  if (exponent < -4 || exponent >= 16)
    return `${sign}${digits[0] ?? ''}${digits.length > 1 ? `.${digits.slice(1)}` : ''}${toPower(exponent)}`;
  const text = placePoint(digits, exponent);
  return `${sign}${text}${text.includes('.') ? '' : '.0'}`;
}

/** str(value) of an int. Throws for more digits than Python writes. */
export function wholeText(value: number | bigint): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value);
  // Two thirds of the bits of the limit: what is shorter needs no count.
  if (BigInt.asIntN(14_000, value) === value) {
    const text = value.toString();
    if (text.replace('-', '').length <= MAX_DIGITS) return text;
  } else if (BigInt.asIntN(14_300, value) === value && value.toString().replace('-', '').length <= MAX_DIGITS)
    return value.toString();
  throw new TemplateError(`an int has more than ${MAX_DIGITS} digits, which Python does not write`);
}

/** int(text): null for what is none. */
export function parseWhole(text: string): number | bigint | null {
  const plain = trimSpace(toAscii(text));
  if (!/^[+-]?\d+(?:_\d+)*$/.test(plain)) return null;
  const digits = plain.replace(/^[+-]/, '').replaceAll('_', '');
  if (digits.length > MAX_DIGITS) return null;
  return toInt(plain.startsWith('-') ? -BigInt(digits) : BigInt(digits));
}

/** Digits of other scripts as ASCII ones. */
function toAscii(text: string): string {
  return /^\p{ASCII}*$/u.test(text) ? text : text.replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)));
}

/** The value of a decimal digit: each script's ten stand in a row. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/** White space at the ends, as `str.strip()` takes it away. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpaceCode(text.charCodeAt(start))) start += 1;
  while (end > start && isSpaceCode(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** What `str.isspace` says of a character. */
export function isSpaceCode(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 9 && code <= 13) || (code >= 0x1c && code <= 0x1f);
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** float(text): null for what is none. */
export function parseFloatText(text: string): number | null {
  const plain = trimSpace(toAscii(text)).toLowerCase();
  const special = /^([+-]?)(inf|infinity|nan)$/.exec(plain);
  if (special !== null) return special[2] === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/.test(plain)) return null;
  return Number(plain.replaceAll('_', ''));
}

/** The float as `numerator / 2^shift`. */
export function toFraction(value: number): { numerator: bigint; shift: number } {
  let shift = 0;
  let scaled = value;
  while (!Number.isInteger(scaled) && shift < 1100) {
    scaled *= 2;
    shift += 1;
  }
  return { numerator: BigInt(scaled), shift };
}

/** numerator / denominator, rounded to the nearest int, ties to the even one. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** A float that is not negative with so many digits after the point: '%.2f'. */
function fixedText(value: number, digits: number): string {
  const { numerator, shift } = toFraction(value);
  const scaled = divideRounded(numerator * 10n ** BigInt(digits), 2n ** BigInt(shift)).toString();
  if (digits === 0) return scaled;
  const padded = scaled.padStart(digits + 1, '0');
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** The digits of a float in the form of '%.2f', without its sign. */
export function formatFixed(run: Run, value: number, digits: number): string {
  run.grow(digits);
  if (Number.isNaN(value)) return 'nan';
  const size = Math.abs(value);
  return size === Infinity ? 'inf' : fixedText(size, digits);
}

/** round(value, digits) of a float. */
export function roundFloat(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits > 330) return value;
  if (digits < -330) return isNegative(value) ? -0 : 0;
  const size = Math.abs(value);
  let rounded: number;
  if (digits >= 0) rounded = Number(fixedText(size, digits));
  else {
    const scale = 10n ** BigInt(-digits);
    const { numerator, shift } = toFraction(size);
    rounded = Number(divideRounded(numerator, scale * 2n ** BigInt(shift)) * scale);
  }
  return isNegative(value) ? -rounded : rounded;
}

/** round(value, digits) of an int. */
export function roundWhole(value: number | bigint, digits: number): number | bigint {
  if (digits >= 0) return value;
  if (digits < -5000) return 0;
  const big = BigInt(value);
  const scale = 10n ** BigInt(-digits);
  const rounded = divideRounded(big < 0n ? -big : big, scale) * scale;
  return toInt(big < 0n ? -rounded : rounded);
}
