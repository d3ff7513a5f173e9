// `text.format(...)` and format(value, specification).
import { toNumber } from './comparing.ts';
import { textLength, toCharacters } from './iteration.ts';
import { floatText, formatFixed, isNegative, wholeText } from './numbers.ts';
import { reprText, toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { Float, isNumber, isText, isWhole, typeOf, type Kwargs, type Run, type Value } from './values.ts';

interface Specification {
  readonly fill: string;
  /** '' if none is given. */
  readonly align: string;
  readonly width: number;
  readonly precision: number | null;
  readonly letter: string;
}

const SPECIFICATION = /^(?:([^])?([<>=^]))?(0)?(\d+)?(?:\.(\d+))?([sdf])?$/u;

/** Throws for signs, groups of digits and rare forms of numbers, which no published template asks for. */
function parseSpecification(source: string, value: Value): Specification {
  // A fill may be an align sign itself, so it is looked for first.
  const found = SPECIFICATION.exec(source);
  const [, fill, align, zero, width, precision, letter = ''] = found ?? [];
  const isOfText = letter === 's' || (letter === '' && !isNumber(value));
  const isPlain = isText(value) ? isOfText && align !== '=' : !isOfText;
  const isWholeForm = isWhole(value) && letter !== 'f';
  if (found === null || !isPlain || (precision !== undefined && (isWholeForm || (!isText(value) && letter !== 'f'))))
    throw new TemplateError(`the format '${source}' of a value of the type '${typeOf(value)}' is not supported here`);
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined || isText(value) ? '' : '='),
    width: width === undefined ? 0 : Number(width),
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

function formatNumber(run: Run, value: boolean | number | bigint | Float, form: Specification): string {
  if (isWhole(value) && form.letter !== 'f') {
    const big = BigInt(value);
    return pad(run, form, big < 0n ? '-' : '', wholeText(big < 0n ? -big : big), '>');
  }
  if (form.letter === 'd') throw new TemplateError("Unknown format code 'd' for object of type 'float'");
  const number = toNumber(value);
  const size = Math.abs(number);
  const digits = form.letter === 'f' ? formatFixed(run, size, form.precision ?? 6) : floatText(size);
  return pad(run, form, isNegative(number) && !Number.isNaN(number) ? '-' : '', digits, '>');
}

/** format(value, specification). */
function formatValue(run: Run, value: Value, source: string): string {
  if (source === '') return toText(run, value);
  if (!isText(value) && !isNumber(value))
    throw new TemplateError(`unsupported format string passed to ${typeOf(value)}.__format__`);
  const form = parseSpecification(source, value);
  if (!isText(value)) return formatNumber(run, value, form);
  const text = toText(run, value);
  return pad(run, form, '', form.precision === null ? text : toCharacters(text).slice(0, form.precision).join(''), '<');
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
