// `text % values`.
import { toNumber } from './comparing.ts';
import { textLength, toCharacters } from './iteration.ts';
import { formatFixed, isNegative, wholeText } from './numbers.ts';
import { reprText, toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { Dict, isNumber, isWhole, Range, toInt, Tuple, typeOf, Undefined, type Run, type Value } from './values.ts';

interface Form {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly letter: string;
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

function formatWhole(run: Run, form: Form, value: Value): string {
  const { letter, flags, precision } = form;
  if (!isNumber(value)) throw new TemplateError(`%${letter} format: a number is required, not ${typeOf(value)}`);
  const number = toNumber(value);
  if (!isWhole(value) && !Number.isFinite(number)) throw new TemplateError('a float that is not finite is no int');
  const big = isWhole(value) ? BigInt(value) : BigInt(Math.trunc(number));
  run.grow(precision ?? 0);
  const digits = wholeText(toInt(big < 0n ? -big : big)).padStart(precision ?? 0, '0');
  return pad(run, form, signOf(big < 0n, flags), digits, true);
}

function formatReal(run: Run, form: Form, value: Value): string {
  if (!isNumber(value)) throw new TemplateError(`must be real number, not ${typeOf(value)}`);
  const number = toNumber(value);
  const digits = formatFixed(run, number, form.precision ?? 6);
  const isMinus = isNegative(number) && !Number.isNaN(number);
  return pad(run, form, signOf(isMinus, form.flags), digits, Number.isFinite(number));
}

/** Throws for what no published template asks for: `%x`, `%e`, `%g`, `%c`, `%a`, `#` and `*`. */
function formatOne(run: Run, form: Form, value: Value): string {
  const { letter, precision } = form;
  if (!'srdiuf'.includes(letter)) throw new TemplateError(`the format '%${letter}' is not supported here`);
  if ('diuf'.includes(letter)) {
    if (value instanceof Undefined) value.fail();
    return letter === 'f' ? formatReal(run, form, value) : formatWhole(run, form, value);
  }
  let text = letter === 's' ? toText(run, value) : reprText(run, value);
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
  let out = '';
  let at = 0;
  let isNamed = false;
  for (let mark = text.indexOf('%'); mark !== -1; mark = text.indexOf('%', at)) {
    out += text.slice(at, mark);
    const found = /^(\((?:[^()]|\([^()]*\))*\))?([-+ 0]*)(\d*)(?:\.(\d*))?[hlL]?([^])/u.exec(text.slice(mark + 1));
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
    const form: Form = {
      flags,
      width: Number(width),
      precision: precision === undefined ? null : Number(precision),
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
