// Methods of str.
import { toIndex, withParameters, type ParameterList } from './bind.ts';
import { isTrue, sliceText, textLength, toItems } from './iteration.ts';
import { escapeHtml } from './markup.ts';
import { trimSpace } from './numbers.ts';
import { TemplateError } from './templateError.ts';
import {
  capitalizeText,
  replaceText,
  splitLines,
  splitText,
  splitTextRight,
  stripText,
  titleText,
  toStr,
  toTextOrNull,
} from './textFunctions.ts';
import { Callable, Dict, isText, isWhole, Markup, Tuple, typeOf, type Run, type Value } from './values.ts';

function fill(run: Run, text: string, width: Value, character: Value, side: 'left' | 'right' | 'both'): string {
  const wanted = toIndex(width);
  const one = toStr(character);
  if (textLength(one) !== 1) throw new TemplateError('The fill character must be exactly one character long');
  run.grow(wanted);
  const length = textLength(text);
  const missing = wanted - length;
  if (missing <= 0) return text;
  if (side === 'right') return text + one.repeat(missing);
  if (side === 'left') return one.repeat(missing) + text;
  const left = Math.floor(missing / 2) + (missing & wanted & 1);
  return one.repeat(left) + text + one.repeat(missing - left);
}

/** text.center(width). */
export function centerText(run: Run, text: string, width: Value): string {
  return fill(run, text, width, ' ', 'both');
}

/** The part between two bounds, and where it begins, in characters; null: `start` is beyond the end. */
function between(text: string, start: Value, stop: Value): { readonly part: string; readonly from: number } | null {
  const length = textLength(text);
  const place = (bound: Value, usual: number): number => {
    if (bound === null) return usual;
    const at = toIndex(bound);
    return at < 0 ? Math.max(0, at + length) : at;
  };
  const from = place(start, 0);
  const to = Math.min(length, place(stop, length));
  return from > length || from > to ? null : { part: sliceText(text, from, to), from };
}

function find(text: string, [part = null, start = null, stop = null]: readonly Value[], isLast: boolean): number {
  const searched = toStr(part);
  const inside = between(text, start, stop);
  const at = inside === null ? -1 : isLast ? inside.part.lastIndexOf(searched) : inside.part.indexOf(searched);
  return inside === null || at === -1 ? -1 : inside.from + textLength(inside.part.slice(0, at));
}

function found(place: number): number {
  if (place === -1) throw new TemplateError('substring not found');
  return place;
}

function hasEnd(text: string, [parts = null, start = null, stop = null]: readonly Value[], isStart: boolean): boolean {
  const inside = between(text, start, stop);
  const all = parts instanceof Tuple ? parts.items.map((part) => toStr(part)) : [toStr(parts)];
  if (inside === null) return false;
  return all.some((part) => (isStart ? inside.part.startsWith(part) : inside.part.endsWith(part)));
}

function everyCharacter(text: string, pattern: RegExp): boolean {
  return text !== '' && pattern.test(text);
}

function isCase(text: string, isUpper: boolean): boolean {
  const wrong = isUpper ? /[\p{Lowercase}\p{Lt}]/u : /[\p{Uppercase}\p{Lt}]/u;
  const right = isUpper ? /\p{Uppercase}/u : /\p{Lowercase}/u;
  return right.test(text) && !wrong.test(text);
}

function isTitle(text: string): boolean {
  let isInside = false;
  let isAny = false;
  for (const one of text) {
    if (/[\p{Lu}\p{Lt}]/u.test(one)) {
      if (isInside) return false;
      isInside = true;
      isAny = true;
    } else if (/\p{Ll}/u.test(one)) {
      if (!isInside) return false;
      isAny = true;
    } else isInside = false;
  }
  return isAny;
}

function partition(text: string, separator: string, isLast: boolean): Tuple {
  if (separator === '') throw new TemplateError('empty separator');
  const at = isLast ? text.lastIndexOf(separator) : text.indexOf(separator);
  if (at === -1) return new Tuple(isLast ? ['', '', text] : [text, '', '']);
  return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
}

function expandTabs(run: Run, text: string, size: number): string {
  let column = 0;
  let out = '';
  for (const one of text) {
    if (one === '\t') {
      const width = size > 0 ? size - (column % size) : 0;
      run.grow(width);
      out += ' '.repeat(width);
      column += width;
    } else {
      out += one;
      column = one === '\n' || one === '\r' ? 0 : column + 1;
    }
  }
  return out;
}

function translate(text: string, table: Value): string {
  if (!(table instanceof Dict)) throw new TemplateError(`'${typeOf(table)}' object is not subscriptable`);
  return Array.from(text, (one) => {
    const shown = table.get(one.codePointAt(0) ?? 0);
    if (shown === undefined) return one;
    if (shown === null) return '';
    return isWhole(shown) ? String.fromCodePoint(Number(shown)) : toStr(shown);
  }).join('');
}

/** separator.join(items). */
function joinTexts(run: Run, separator: string, items: Value): string {
  const parts: string[] = [];
  let length = 0;
  for (const [at, item] of toItems(run, items).entries()) {
    if (!isText(item)) throw new TemplateError(`sequence item ${at}: expected str instance, ${typeOf(item)} found`);
    const part = toStr(item);
    length += part.length + separator.length;
    run.grow(length > 1_000_000 ? length : part.length);
    parts.push(part);
  }
  return parts.join(separator);
}

/** `[]` for parameters: each takes what it is given by its place. */
type TextMethod = readonly [ParameterList, (run: Run, text: string, ...values: Value[]) => Value];

const plain = (run: (text: string) => Value): TextMethod => [[], (_run, text) => run(text)];
const SEARCH: ParameterList = ['/sub', ['/start', null], ['/end', null]];
const STRIP: ParameterList = [['/chars', null]];
const SPLIT: ParameterList = [
  ['sep', null],
  ['maxsplit', -1],
];

const METHODS: Readonly<Record<string, TextMethod>> = {
  capitalize: plain(capitalizeText),
  casefold: plain((text) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')),
  center: [['/width', ['/fillchar', ' ']], (run, text, width = 0, one = ' ') => fill(run, text, width, one, 'both')],
  count: [
    SEARCH,
    (_run, text, part = null, start = null, stop = null) => {
      const inside = between(text, start, stop);
      const searched = toStr(part);
      if (inside === null) return 0;
      return searched === '' ? textLength(inside.part) + 1 : inside.part.split(searched).length - 1;
    },
  ],
  endswith: [SEARCH, (_run, text, ...values) => hasEnd(text, values, false)],
  expandtabs: [[['tabsize', 8]], (run, text, size = 8) => expandTabs(run, text, toIndex(size))],
  find: [SEARCH, (_run, text, ...values) => find(text, values, false)],
  index: [SEARCH, (_run, text, ...values) => found(find(text, values, false))],
  isalnum: plain((text) => everyCharacter(text, /^[\p{L}\p{N}]+$/u)),
  isalpha: plain((text) => everyCharacter(text, /^\p{L}+$/u)),
  isascii: plain((text) => /^\p{ASCII}*$/u.test(text)),
  isdecimal: plain((text) => everyCharacter(text, /^\p{Nd}+$/u)),
  isdigit: plain((text) => everyCharacter(text, /^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨⑴-⑼⒈-⒐]+$/u)),
  isidentifier: plain((text) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*$/u.test(text)),
  islower: plain((text) => isCase(text, false)),
  isnumeric: plain((text) => everyCharacter(text, /^\p{N}+$/u)),
  isprintable: plain((text) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', ''))),
  isspace: plain((text) => text !== '' && trimSpace(text) === ''),
  istitle: plain(isTitle),
  isupper: plain((text) => isCase(text, true)),
  join: [['/iterable'], (run, text, items = null) => joinTexts(run, text, items)],
  ljust: [['/width', ['/fillchar', ' ']], (run, text, width = 0, one = ' ') => fill(run, text, width, one, 'right')],
  lower: plain((text) => text.toLowerCase()),
  lstrip: [STRIP, (_run, text, characters = null) => stripText(text, toTextOrNull(characters), 'left')],
  partition: [['/sep'], (_run, text, separator = null) => partition(text, toStr(separator), false)],
  removeprefix: [
    ['/prefix'],
    (_run, text, prefix = null) => (text.startsWith(toStr(prefix)) ? text.slice(toStr(prefix).length) : text),
  ],
  removesuffix: [
    ['/suffix'],
    (_run, text, suffix = null) =>
      toStr(suffix) !== '' && text.endsWith(toStr(suffix)) ? text.slice(0, -toStr(suffix).length) : text,
  ],
  replace: [
    ['/old', '/new', ['count', -1]],
    (run, text, old = null, fresh = null, limit = -1) =>
      replaceText(run, text, toStr(old), toStr(fresh), toIndex(limit)),
  ],
  rfind: [SEARCH, (_run, text, ...values) => find(text, values, true)],
  rindex: [SEARCH, (_run, text, ...values) => found(find(text, values, true))],
  rjust: [['/width', ['/fillchar', ' ']], (run, text, width = 0, one = ' ') => fill(run, text, width, one, 'left')],
  rpartition: [['/sep'], (_run, text, separator = null) => partition(text, toStr(separator), true)],
  rsplit: [
    SPLIT,
    (_run, text, separator = null, limit = -1) => splitTextRight(text, toTextOrNull(separator), toIndex(limit)),
  ],
  rstrip: [STRIP, (_run, text, characters = null) => stripText(text, toTextOrNull(characters), 'right')],
  split: [
    SPLIT,
    (_run, text, separator = null, limit = -1) => splitText(text, toTextOrNull(separator), toIndex(limit)),
  ],
  splitlines: [[['keepends', false]], (_run, text, keepEnds = false) => splitLines(text, isTrue(keepEnds))],
  startswith: [SEARCH, (_run, text, ...values) => hasEnd(text, values, true)],
  strip: [STRIP, (_run, text, characters = null) => stripText(text, toTextOrNull(characters))],
  swapcase: plain((text) =>
    Array.from(text, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join(''),
  ),
  title: plain(titleText),
  translate: [['/table'], (_run, text, table = null) => translate(text, table)],
  upper: plain((text) => text.toUpperCase()),
  zfill: [
    ['/width'],
    (run, text, width = 0) => {
      const sign = /^[+-]/.exec(text)?.[0] ?? '';
      return sign + fill(run, text.slice(sign.length), toIndex(width) - sign.length, '0', 'left');
    },
  ],
};

/** Methods of marked text give marked text again, and escape what they are given. */
function markResult(value: Value): Value {
  if (typeof value === 'string') return new Markup(value);
  if (Array.isArray(value)) return value.map(markResult);
  return value instanceof Tuple ? new Tuple(value.items.map(markResult)) : value;
}

const ESCAPING: ReadonlySet<string> = new Set(['replace', 'partition', 'rpartition', 'ljust', 'rjust', 'center']);

function escapeArguments(run: Run, name: string, values: readonly Value[]): readonly Value[] {
  if (name === 'join') return [toItems(run, values[0] ?? null).map((item) => escapeHtml(run, item))];
  return ESCAPING.has(name) ? values.map((value) => (isText(value) ? escapeHtml(run, value) : value)) : values;
}

/** A method of a text; undefined: there is none of this name. */
export function readTextMethod(value: string | Markup, name: string): Value | undefined {
  const text = typeof value === 'string' ? value : value.text;
  if (!Object.hasOwn(METHODS, name)) return undefined;
  const method = METHODS[name];
  if (method === undefined) return undefined;
  const [parameters, call] = method;
  return new Callable(
    name,
    withParameters(name, parameters, (run, ...values) => {
      run.grow(text.length);
      if (typeof value === 'string') return call(run, text, ...values);
      return markResult(call(run, text, ...escapeArguments(run, name, values)));
    }),
  );
}
