// `text % values`.
import { toNumber } from './comparing.ts';
import { textLength, toCharacters } from './iteration.ts';
import { formatFloat, isNegative, wholeText } from './numbers.ts';
import { reprText, toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import {
  Dict,
  isNumber,
  isText,
  isWhole,
  Range,
  toInt,
  Tuple,
  typeOf,
  Undefined,
  type Run,
  type Value,
} from './values.ts';

interface Form {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly letter: string;
}

/** Characters that are not ASCII as escapes: ascii(value). */
export function toAsciiRepr(text: string): string {
  return text.replace(/\P{ASCII}/gu, (one) => {
    const code = one.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
  });
}

function pad(run: Run, { flags, width }: Form, sign: string, body: string, isNumeric: boolean): string {
  run.grow(width);
  const missing = width - textLength(sign) - textLength(body);
  if (missing <= 0) return sign + body;
  if (flags.includes('-')) return sign + body + ' '.repeat(missing);
  if (isNumeric && flags.includes('0')) return sign + '0'.repeat(missing) + body;
  return ' '.repeat(missing) + sign + body;
}

function signOf(isMinus: boolean, flags: string): string {
  return isMinus ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

const RADIX: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16 };

function formatWhole(run: Run, form: Form, value: Value): string {
  const { letter, flags, precision } = form;
  if (value instanceof Undefined) value.fail();
  const radix = RADIX[letter];
  if (!isNumber(value) || (radix !== undefined && !isWhole(value)))
    throw new TemplateError(`%${letter} format: a number is required, not ${typeOf(value)}`);
  const number = toNumber(value);
  if (!isWhole(value) && !Number.isFinite(number)) throw new TemplateError('a float that is not finite is no int');
  const big = isWhole(value) ? BigInt(value) : BigInt(Math.trunc(number));
  const size = big < 0n ? -big : big;
  let digits = radix === undefined ? wholeText(toInt(size)) : size.toString(radix);
  if (precision !== null) {
    run.grow(precision);
    digits = digits.padStart(precision, '0');
  }
  if (letter === 'X') digits = digits.toUpperCase();
  const prefix = radix !== undefined && flags.includes('#') ? `0${letter}` : '';
  return pad(run, form, signOf(big < 0n, flags) + prefix, digits, true);
}

function formatReal(run: Run, form: Form, value: Value): string {
  if (value instanceof Undefined) value.fail();
  if (!isNumber(value)) throw new TemplateError(`must be real number, not ${typeOf(value)}`);
  const number = toNumber(value);
  const isAlternate = form.flags.includes('#');
  const digits = formatFloat(run, number, form.letter, form.precision ?? 6, isAlternate);
  const isFinite = Number.isFinite(number);
  return pad(run, form, signOf(isNegative(number) && !Number.isNaN(number), form.flags), digits, isFinite);
}

function formatCharacter(run: Run, form: Form, value: Value): string {
  if (isText(value) && textLength(toText(run, value)) === 1) return pad(run, form, '', toText(run, value), false);
  const code = isWhole(value) ? Number(value) : Number.NaN;
  if (!(code >= 0 && code <= 0x10ffff)) throw new TemplateError('%c requires an int or a unicode character');
  return pad(run, form, '', String.fromCodePoint(code), false);
}

function formatOne(run: Run, form: Form, value: Value): string {
  const { letter, precision } = form;
  if ('diuoxX'.includes(letter)) return formatWhole(run, form, value);
  if ('eEfFgG'.includes(letter)) return formatReal(run, form, value);
  if (letter === 'c') return formatCharacter(run, form, value);
  if (!'sra'.includes(letter)) throw new TemplateError(`unsupported format character '${letter}'`);
  let text = letter === 's' ? toText(run, value) : reprText(run, value);
  if (letter === 'a') text = toAsciiRepr(text);
  if (precision !== null) text = toCharacters(text).slice(0, precision).join('');
  return pad(run, form, '', text, false);
}

/** Throws for values that do not fit the text. */
export function formatPercent(run: Run, text: string, values: Value): string {
  const given = values instanceof Tuple ? values.items : [values];
  let used = 0;
  const next = (): Value => {
    const value = given[used];
    if (value === undefined) throw new TemplateError('not enough arguments for format string');
    used += 1;
    return value;
  };
  const nextSize = (source: string): number => {
    if (source !== '*') return Number(source);
    const value = next();
    if (!isWhole(value)) throw new TemplateError('* wants int');
    return Number(value);
  };
  let out = '';
  let at = 0;
  let isNamed = false;
  for (let mark = text.indexOf('%'); mark !== -1; mark = text.indexOf('%', at)) {
    out += text.slice(at, mark);
    const found = /^(\((?:[^()]|\([^()]*\))*\))?([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([^])/u.exec(
      text.slice(mark + 1),
    );
    if (found === null) throw new TemplateError('incomplete format');
    const [all, name, flags = '', width = '', precision, letter = ''] = found;
    at = mark + 1 + all.length;
    run.grow(out.length);
    let named: Value | undefined;
    if (name !== undefined) {
      if (!(values instanceof Dict)) throw new TemplateError('format requires a mapping');
      isNamed = true;
      named = values.get(name.slice(1, -1));
      if (named === undefined) throw new TemplateError(`there is no key ${name.slice(1, -1)}`);
    }
    if (letter === '%') {
      out += '%';
      continue;
    }
    const size = nextSize(width);
    const form: Form = {
      flags: size < 0 ? `${flags}-` : flags,
      width: Math.abs(size),
      precision: precision === undefined ? null : Math.max(0, nextSize(precision)),
      letter,
    };
    out += formatOne(run, form, named === undefined ? next() : named);
  }
  const mayBeLeft = isNamed || isMapping(values);
  if (used < given.length && !mayBeLeft)
    throw new TemplateError('not all arguments converted during string formatting');
  return out + text.slice(at);
}

/** Whether Python takes it for a mapping, which need not be used up. */
function isMapping(value: Value): boolean {
  return value instanceof Undefined || value instanceof Dict || value instanceof Range || Array.isArray(value);
}
