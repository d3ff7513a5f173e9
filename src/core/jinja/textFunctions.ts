// What methods and filters do to texts.
import { toCharacters } from './iteration.ts';
import { isSpaceCode } from './numbers.ts';
import { TemplateError } from './templateError.ts';
import { Markup, typeOf, Undefined, type Run, type Value } from './values.ts';

/** A str. Throws for what is none. */
export function toStr(value: Value, what = 'argument'): string {
  if (typeof value === 'string') return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) value.fail();
  throw new TemplateError(`${what} must be str, not ${typeOf(value)}`);
}

export const toTextOrNull = (value: Value): string | null => (value === null ? null : toStr(value));

export function stripText(text: string, characters: string | null, side: 'both' | 'left' | 'right' = 'both'): string {
  const set = characters === null ? null : new Set(characters);
  // Half of a character is never a member of a set of whole ones, so code units do where there are no pairs.
  const parts = set === null ? text : [...text];
  const isTaken = (at: number): boolean =>
    set === null ? isSpaceCode(text.charCodeAt(at)) : set.has((parts as string[])[at] ?? '');
  let start = 0;
  let end = parts.length;
  if (side !== 'right') while (start < end && isTaken(start)) start += 1;
  if (side !== 'left') while (end > start && isTaken(end - 1)) end -= 1;
  return typeof parts === 'string' ? parts.slice(start, end) : parts.slice(start, end).join('');
}

/** Words between white space. After `limit` of them (negative: all) the rest is one, with its white space inside. */
function splitSpace(text: string, limit: number): string[] {
  const words: string[] = [];
  const isSpace = (at: number): boolean => isSpaceCode(text.charCodeAt(at));
  for (let at = 0; ;) {
    while (at < text.length && isSpace(at)) at += 1;
    if (at === text.length) return words;
    if (words.length === limit) return [...words, text.slice(at)];
    const from = at;
    while (at < text.length && !isSpace(at)) at += 1;
    words.push(text.slice(from, at));
  }
}

function splitSpaceRight(text: string, limit: number): string[] {
  const words: string[] = [];
  const isSpace = (at: number): boolean => isSpaceCode(text.charCodeAt(at));
  for (let at = text.length; ;) {
    while (at > 0 && isSpace(at - 1)) at -= 1;
    if (at > 0 && words.length === limit) words.push(text.slice(0, at));
    if (at === 0 || (words.length > limit && limit >= 0)) return words.reverse();
    const end = at;
    while (at > 0 && !isSpace(at - 1)) at -= 1;
    words.push(text.slice(at, end));
  }
}

/** text.split(separator, limit). */
export function splitText(text: string, separator: string | null, limit = -1): string[] {
  if (separator === null) return splitSpace(text, limit);
  if (separator === '') throw new TemplateError('empty separator');
  const parts = text.split(separator);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(separator)];
}

/** text.rsplit(separator, limit). */
export function splitTextRight(text: string, separator: string | null, limit: number): string[] {
  if (separator === null) return splitSpaceRight(text, limit);
  if (separator === '') throw new TemplateError('empty separator');
  if (limit < 0) return splitFromRight(text, separator, Number.POSITIVE_INFINITY);
  return splitFromRight(text, separator, limit);
}

function splitFromRight(text: string, separator: string, limit: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < limit) {
    const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length);
    if (at === -1) break;
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

const LINE_END = '\\r\\n|[\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]';
const LINE_ENDS = new RegExp(LINE_END, 'g');

/** text.splitlines(keepEnds). */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(LINE_ENDS)) {
    lines.push(text.slice(from, keepEnds ? index + end.length : index));
    from = index + end.length;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** text.replace(old, fresh, limit). */
export function replaceText(run: Run, text: string, old: string, fresh: string, limit: number): string {
  if (limit < 0 && old !== '') {
    const parts = text.split(old);
    run.grow(text.length + (parts.length - 1) * fresh.length);
    return parts.length === 1 ? text : parts.join(fresh);
  }
  const parts = old === '' ? ['', ...toCharacters(text), ''] : text.split(old);
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  run.grow(text.length + count * fresh.length);
  let out = '';
  for (const [at, part] of parts.entries()) out += part + (at === parts.length - 1 ? '' : at < count ? fresh : old);
  return out;
}

const titleOf = (one: string): string => {
  // JavaScript has no title case: of the few letters that have one, the single letter is it.
  const titles: Readonly<Record<string, string>> = { ǆ: 'ǅ', Ǆ: 'ǅ', ǉ: 'ǈ', Ǉ: 'ǈ', ǌ: 'ǋ', Ǌ: 'ǋ', ǳ: 'ǲ', Ǳ: 'ǲ' };
  const title = titles[one];
  if (title !== undefined) return title;
  const upper = one.toUpperCase();
  return [...upper].length > 1 ? upper.slice(0, 1) + upper.slice(1).toLowerCase() : upper;
};

/** text.capitalize(). */
export function capitalizeText(text: string): string {
  const [first = ''] = text;
  return titleOf(first) + (first + text.slice(first.length)).toLowerCase().slice(first.toLowerCase().length);
}

export function titleText(text: string): string {
  let isInside = false;
  return Array.from(text, (one) => {
    const isCased = /^[\p{Lowercase}\p{Uppercase}\p{Lt}]$/u.test(one);
    const shown = isCased ? (isInside ? one.toLowerCase() : titleOf(one)) : one;
    isInside = isCased;
    return shown;
  }).join('');
}
