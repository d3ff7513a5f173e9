// Filters of texts and numbers.
import { getOwnAttribute } from './attributes.ts';
import { toIndex } from './bind.ts';
import { compareValues, toNumber } from './comparing.ts';
import type { Filter } from './filter.ts';
import { isTrue, measure, sliceText, textLength, toItems } from './iteration.ts';
import { toJson } from './json.ts';
import { escapeHtml } from './markup.ts';
import { parseFloatText, parseWhole, roundFloat, roundWhole } from './numbers.ts';
import { applyBinary, negate } from './operators.ts';
import { toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { capitalizeText, replaceText, splitLines, splitTextRight, stripText, toStr } from './textFunctions.ts';
import { centerText } from './textMethods.ts';
import { Float, isNumber, isText, isWhole, Markup, toInt, typeOf, Undefined, type Run, type Value } from './values.ts';

const plain = (apply: (run: Run, value: Value) => Value): Filter => ({ parameters: [], apply });
/** Of the text of any value; what it makes of marked text is marked. */
const onText = (change: (text: string, run: Run) => string): Filter =>
  plain((run, value) => keepMark(value, change(toText(run, value), run)));

function keepMark(value: Value, text: string): Value {
  return value instanceof Markup ? new Markup(text) : text;
}

function toWhole(value: Value, fallback: Value): Value {
  if (isText(value)) {
    const text = toStr(value);
    const whole = parseWhole(text);
    if (whole !== null) return whole;
    const float = parseFloatText(text);
    return float === null || !Number.isFinite(float) ? fallback : toInt(BigInt(Math.trunc(float)));
  }
  if (isWhole(value)) return toInt(BigInt(value));
  if (value instanceof Float) return Number.isFinite(value.value) ? toInt(BigInt(Math.trunc(value.value))) : fallback;
  return value instanceof Undefined ? value.fail() : fallback;
}

function toFloat(value: Value, fallback: Value): Value {
  if (value instanceof Float) return value;
  if (isText(value)) {
    const number = parseFloatText(toStr(value));
    return number === null ? fallback : new Float(number);
  }
  if (isNumber(value)) {
    const number = toNumber(value);
    if (!Number.isFinite(number)) throw new TemplateError('int too large to convert to float');
    return new Float(number);
  }
  return value instanceof Undefined ? value.fail() : fallback;
}

function round(run: Run, value: Value, precision: Value, method: Value): Value {
  const name = toText(run, method);
  if (name !== 'common' && name !== 'ceil' && name !== 'floor')
    throw new TemplateError('method must be common, ceil or floor');
  if (value instanceof Undefined) value.fail();
  if (!isNumber(value)) throw new TemplateError(`type ${typeOf(value)} doesn't define __round__ method`);
  if (name === 'common') {
    const digits = toIndex(precision);
    return isWhole(value) ? roundWhole(toInt(BigInt(value)), digits) : new Float(roundFloat(value.value, digits));
  }
  const scale = applyBinary(run, '**', 10, precision);
  const scaled = applyBinary(run, '*', value, scale);
  if (!isNumber(scaled)) throw new TemplateError('a number is required');
  const number = toNumber(scaled);
  if (!isWhole(scaled) && !Number.isFinite(number)) throw new TemplateError('cannot convert float to integer');
  const whole = isWhole(scaled)
    ? toInt(BigInt(scaled))
    : toInt(BigInt(name === 'ceil' ? Math.ceil(number) : Math.floor(number)));
  return applyBinary(run, '/', whole, scale);
}

function indent(run: Run, value: Value, width: Value, first: Value, blank: Value): Value {
  const text = toStr(value);
  const indention = isText(width) ? toStr(width) : ' '.repeat(Math.min(100_000, Math.max(0, toIndex(width))));
  const lines = splitLines(`${text}\n`);
  run.grow(text.length + lines.length * indention.length);
  const [start = '', ...rest] = lines;
  const isBlank = isTrue(blank);
  const indented = [start, ...rest.map((line) => (line !== '' || isBlank ? indention + line : line))].join('\n');
  return keepMark(value, (isTrue(first) ? indention : '') + indented);
}

function truncate(run: Run, value: Value, length: Value, killWords: Value, end: Value, leeway: Value): Value {
  const tail = toStr(end);
  const size = toIndex(length);
  const extra = leeway === null ? 5 : toIndex(leeway);
  if (size < textLength(tail)) throw new TemplateError(`expected length >= ${textLength(tail)}, got ${size}`);
  if (extra < 0) throw new TemplateError(`expected leeway >= 0, got ${extra}`);
  if (measure(value) <= size + extra) return value;
  const text = toStr(value);
  run.grow(text.length);
  const cut = sliceText(text, 0, size - textLength(tail));
  const kept = isTrue(killWords) ? cut : (splitTextRight(cut, ' ', 1)[0] ?? '');
  return keepMark(value, kept + tail);
}

function toTitle(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map((part) => {
      const [first = ''] = part;
      return first === '' ? '' : first.toUpperCase() + part.slice(first.length).toLowerCase();
    })
    .join('');
}

function toJsonText(
  run: Run,
  value: Value,
  isAscii: Value,
  indention: Value,
  separators: Value,
  isSorted: Value,
): string {
  const isIndented = indention !== null;
  const given = separators === null ? null : toItems(run, separators).map((one) => toStr(one));
  if (given !== null && given.length !== 2) throw new TemplateError('separators are two texts');
  return toJson(run, value, {
    isAscii: isTrue(isAscii),
    indent: !isIndented
      ? null
      : isText(indention)
        ? toStr(indention)
        : ' '.repeat(Math.min(1_000, Math.max(0, toIndex(indention)))),
    itemSeparator: given?.[0] ?? (isIndented ? ',' : ', '),
    keySeparator: given?.[1] ?? ': ',
    isSorted: isTrue(isSorted),
  });
}

const LENGTH = plain((_run, value) => measure(value));
const ESCAPE = plain((run, value) => escapeHtml(run, value));
const DEFAULT: Filter = {
  parameters: [
    ['default_value', ''],
    ['boolean', false],
  ],
  apply: (_run, value, fallback = null, isBoolean = false) =>
    value instanceof Undefined || (isTrue(isBoolean) && !isTrue(value)) ? fallback : value,
};

export const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  abs: plain((run, value) => {
    if (!isNumber(value)) return negate(value);
    return compareValues(run, value, 0, '<') < 0 || (value instanceof Float && Object.is(value.value, -0))
      ? negate(value)
      : typeof value === 'boolean'
        ? Number(value)
        : value;
  }),
  attr: { parameters: ['name'], apply: (run, value, name = null) => getOwnAttribute(run, value, toStr(name)) },
  capitalize: onText(capitalizeText),
  center: {
    parameters: [['width', 80]],
    apply: (run, value, width = 80) => keepMark(value, centerText(run, toText(run, value), width)),
  },
  count: LENGTH,
  length: LENGTH,
  d: DEFAULT,
  default: DEFAULT,
  e: ESCAPE,
  escape: ESCAPE,
  float: { parameters: [['default', new Float(0)]], apply: (_run, value, fallback = null) => toFloat(value, fallback) },
  forceescape: plain((run, value) => escapeHtml(run, toText(run, value))),
  indent: {
    parameters: [
      ['width', 4],
      ['first', false],
      ['blank', false],
    ],
    apply: (run, value, width = 4, first = false, blank = false) => indent(run, value, width, first, blank),
  },
  int: {
    parameters: [['default', 0]],
    apply: (_run, value, fallback = 0) => toWhole(value, fallback),
  },
  lower: onText((text) => text.toLowerCase()),
  replace: {
    parameters: ['old', 'new', ['count', null]],
    apply: (run, value, old = null, fresh = null, count = null) => {
      const text = toText(run, value);
      const limit = count === null ? -1 : toIndex(count);
      return keepMark(value, replaceText(run, text, toText(run, old), toText(run, fresh), limit));
    },
  },
  round: {
    parameters: [
      ['precision', 0],
      ['method', 'common'],
    ],
    apply: (run, value, precision = 0, method = 'common') => round(run, value, precision, method),
  },
  safe: plain((run, value) => new Markup(toText(run, value))),
  string: plain((run, value) => (value instanceof Markup ? value : toText(run, value))),
  title: onText(toTitle),
  tojson: {
    parameters: [
      ['ensure_ascii', false],
      ['indent', null],
      ['separators', null],
      ['sort_keys', false],
    ],
    apply: (run, value, isAscii = false, indention = null, separators = null, isSorted = false) =>
      toJsonText(run, value, isAscii, indention, separators, isSorted),
  },
  trim: {
    parameters: [['chars', null]],
    apply: (run, value, characters = null) =>
      keepMark(value, stripText(toText(run, value), characters === null ? null : toStr(characters))),
  },
  truncate: {
    parameters: [
      ['length', 255],
      ['killwords', false],
      ['end', '...'],
      ['leeway', null],
    ],
    apply: (run, value, length = 255, killWords = false, end = '...', leeway = null) =>
      truncate(run, value, length, killWords, end, leeway),
  },
  upper: onText((text) => text.toUpperCase()),
  wordcount: plain((run, value) => toText(run, value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
};
