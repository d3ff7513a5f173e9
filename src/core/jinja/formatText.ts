// `text.format(...)` and format(value, specification).
import { toNumber } from './comparing.ts';
import { toAsciiRepr } from './formatPercent.ts';
import { textLength, toCharacters } from './iteration.ts';
import { floatText, formatFloat, isNegative, wholeText } from './numbers.ts';
import { reprText, toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { Float, isNumber, isText, isWhole, typeOf, type Kwargs, type Run, type Value } from './values.ts';

interface Specification {
  readonly fill: string;
  /** '' if none is given. */
  readonly align: string;
  readonly sign: string;
  readonly isAlternate: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | null;
  readonly letter: string;
}

const SPECIFICATION = /^(?:([^])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

function parseSpecification(source: string, value: Value): Specification {
  // A fill may be an align sign itself, so it is looked for first.
  const found = SPECIFICATION.exec(source);
  if (found === null)
    throw new TemplateError(`Invalid format specifier '${source}' for object of type '${typeOf(value)}'`);
  const [, fill, align, sign = '', , alternate, zero, width, group = '', precision, letter = ''] = found;
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined || isText(value) ? '' : '='),
    sign,
    isAlternate: alternate !== undefined,
    width: width === undefined ? 0 : Number(width),
    group,
    precision: precision === undefined ? null : Number(precision),
    letter,
  };
}

function pad(run: Run, { fill, align, width }: Specification, sign: string, body: string, usual: string): string {
  run.grow(width);
  const missing = width - textLength(sign) - textLength(body);
  if (missing <= 0) return sign + body;
  const side = align || usual;
  if (side === '=') return sign + fill.repeat(missing) + body;
  if (side === '<') return sign + body + fill.repeat(missing);
  if (side === '>') return fill.repeat(missing) + sign + body;
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + sign + body + fill.repeat(missing - left);
}

function formatString(run: Run, text: string, form: Specification): string {
  if (form.letter !== '' && form.letter !== 's')
    throw new TemplateError(`Unknown format code '${form.letter}' for object of type 'str'`);
  if (form.sign !== '') throw new TemplateError('Sign not allowed in string format specifier');
  if (form.isAlternate) throw new TemplateError('Alternate form (#) not allowed in string format specifier');
  if (form.align === '=') throw new TemplateError("'=' alignment not allowed in string format specifier");
  if (form.group !== '') throw new TemplateError(`Cannot specify '${form.group}' with 's'.`);
  const cut = form.precision === null ? text : toCharacters(text).slice(0, form.precision).join('');
  return pad(run, form, '', cut, '<');
}

/** Digits with a sign between groups; `width`: the zeros before them are in groups too. */
function toGroups(digits: string, sign: string, size: number, width: number): string {
  let grouped = '';
  let at = digits.length;
  for (; at > size; at -= size) grouped = `${sign}${digits.slice(at - size, at)}${grouped}`;
  grouped = digits.slice(0, at) + grouped;
  for (let inGroup = at; grouped.length < width;) {
    if (inGroup === size) {
      grouped = `0${sign}${grouped}`;
      inGroup = 1;
    } else {
      grouped = `0${grouped}`;
      inGroup += 1;
    }
  }
  return grouped;
}

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function formatNumber(run: Run, value: boolean | number | bigint | Float, form: Specification): string {
  const { letter, group, isAlternate } = form;
  run.grow(form.width);
  const isFloat = value instanceof Float || (letter !== '' && 'eEfFgG%'.includes(letter));
  let digits: string;
  let rest = '';
  let prefix = '';
  let isMinus: boolean;
  let isFinite = true;
  const radix = RADIX[letter];
  if (isFloat) {
    const number = toNumber(value);
    if (radix !== undefined || letter === 'd' || letter === 'c' || letter === 's')
      throw new TemplateError(`Unknown format code '${letter}' for object of type 'float'`);
    isMinus = isNegative(number) && !Number.isNaN(number);
    isFinite = Number.isFinite(number);
    const size = Math.abs(number);
    let text: string;
    if (letter === '%') text = `${formatFloat(run, size * 100, 'f', form.precision ?? 6, isAlternate)}%`;
    else if (letter === '' || letter === 'n') {
      if (form.precision === null && letter === '') text = floatText(size);
      else {
        text = formatFloat(run, size, 'g', form.precision ?? 6, isAlternate);
        if (letter === '' && /^\d+$/.test(text)) text += '.0';
      }
    } else text = formatFloat(run, size, letter, form.precision ?? 6, isAlternate);
    const [, whole = '', after = ''] = /^(\d*)([^]*)$/.exec(text) ?? [];
    digits = whole;
    rest = after;
  } else {
    if (form.precision !== null) throw new TemplateError('Precision not allowed in integer format specifier');
    if (letter === 's') throw new TemplateError(`Unknown format code 's' for object of type '${typeOf(value)}'`);
    const big = BigInt(value);
    isMinus = big < 0n;
    const size = isMinus ? -big : big;
    if (letter === 'c') return pad(run, form, '', String.fromCodePoint(Number(big)), '<');
    digits = radix === undefined ? wholeText(size) : size.toString(radix);
    if (letter === 'X') digits = digits.toUpperCase();
    if (isAlternate && radix !== undefined) prefix = `0${letter}`;
    if (group === ',' && radix !== undefined) throw new TemplateError(`Cannot specify ',' with '${letter}'.`);
  }
  const sign = (isMinus ? '-' : form.sign === '+' || form.sign === ' ' ? form.sign : '') + prefix;
  if (group !== '' && digits !== '') {
    const isFilled = form.align === '=' && form.fill === '0' && isFinite;
    const size = radix === undefined ? 3 : 4;
    digits = toGroups(digits, group, size, isFilled ? form.width - sign.length - rest.length : 0);
  }
  return pad(run, form, sign, digits + rest, '>');
}

/** format(value, specification). */
function formatValue(run: Run, value: Value, specification: string): string {
  if (specification === '') return toText(run, value);
  if (isText(value)) return formatString(run, toText(run, value), parseSpecification(specification, value));
  if (typeof value === 'boolean' || isWhole(value) || isNumber(value))
    return formatNumber(run, value, parseSpecification(specification, value));
  throw new TemplateError(`unsupported format string passed to ${typeOf(value)}.__format__`);
}

/** How fields such as `{0.name[key]}` read their values. */
export interface FieldReaders {
  readonly getAttribute: (run: Run, value: Value, name: string) => Value;
  readonly getItem: (run: Run, value: Value, key: Value) => Value;
}

interface Counter {
  /** Next place of an argument without a number; null: they have numbers. */
  next: number | null;
  isUsed: boolean;
}

class Formatter {
  private readonly counter: Counter = { next: 0, isUsed: false };

  constructor(
    private readonly run: Run,
    private readonly args: readonly Value[],
    private readonly kwargs: Kwargs,
    private readonly readers: FieldReaders,
  ) {}

  format(text: string, depth: number): string {
    if (depth < 0) throw new TemplateError('Max string recursion exceeded');
    let out = '';
    for (let at = 0; at < text.length;) {
      const found = /[{}]/.exec(text.slice(at));
      const mark = found === null ? text.length : at + found.index;
      out += text.slice(at, mark);
      if (found === null) break;
      const [brace] = found;
      if (text[mark + 1] === brace) {
        out += brace;
        at = mark + 2;
        continue;
      }
      if (brace === '}') throw new TemplateError("Single '}' encountered in format string");
      const end = findEnd(text, mark + 1);
      out += this.formatField(text.slice(mark + 1, end), depth);
      this.run.grow(out.length);
      at = end + 1;
    }
    return out;
  }

  private formatField(field: string, depth: number): string {
    const found = /^((?:[^[:!]|\[[^\]]*\])*)(?:!([^:]*))?(?::([^]*))?$/.exec(field);
    if (found === null) throw new TemplateError('expected a field of a format string');
    const [, name = '', conversion, specification = ''] = found;
    let value = this.readField(name);
    if (conversion === 'r') value = reprText(this.run, value);
    else if (conversion === 's') value = toText(this.run, value);
    else if (conversion === 'a') value = toAsciiRepr(reprText(this.run, value));
    else if (conversion !== undefined) throw new TemplateError(`Unknown conversion specifier ${conversion}`);
    return formatValue(this.run, value, this.format(specification, depth - 1));
  }

  private readField(name: string): Value {
    const [first = ''] = /^[^.[]*/.exec(name) ?? [];
    let value = this.readFirst(first);
    let rest = name.slice(first.length);
    while (rest !== '') {
      const found = /^(?:\.([^.[]+)|\[([^\]]+)\])/.exec(rest);
      if (found === null) throw new TemplateError('Empty attribute in format string');
      const [all, attribute, item = ''] = found;
      if (attribute !== undefined) value = this.readers.getAttribute(this.run, value, attribute);
      else value = this.readers.getItem(this.run, value, /^\d+$/.test(item) ? Number(item) : item);
      rest = rest.slice(all.length);
    }
    return value;
  }

  private readFirst(name: string): Value {
    if (name !== '' && !/^\d+$/.test(name)) {
      const value = this.kwargs.get(name);
      if (value === undefined) throw new TemplateError(`format() has no argument '${name}'`);
      return value;
    }
    const isCounted = name === '';
    if (this.counter.isUsed && isCounted === (this.counter.next === null))
      throw new TemplateError('cannot switch between numbered and automatic fields of a format string');
    this.counter.isUsed = true;
    let place = Number(name);
    if (isCounted) {
      place = this.counter.next ?? 0;
      this.counter.next = place + 1;
    } else this.counter.next = null;
    const value = this.args[place];
    if (value === undefined)
      throw new TemplateError(`Replacement index ${place} out of range for positional args tuple`);
    return value;
  }
}

/** The place of the brace that ends a field. */
function findEnd(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new TemplateError("expected '}' before end of string");
}

/** text.format(*args, **kwargs). */
export function formatText(
  run: Run,
  text: string,
  args: readonly Value[],
  kwargs: Kwargs,
  readers: FieldReaders,
): string {
  return new Formatter(run, args, kwargs, readers).format(text, 2);
}
