// Truth, length and items of values.
import { TemplateError } from './templateError.ts';
import {
  Dict,
  DictView,
  Float,
  Instance,
  isText,
  Iter,
  Markup,
  Range,
  Tuple,
  Undefined,
  type Run,
  type Value,
  typeOf,
} from './values.ts';

export function isTrue(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value !== '';
  if (value === null) return false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'bigint') return true;
  if (value instanceof Undefined) return false;
  if (value instanceof Float) return value.value !== 0;
  return (lengthOf(value) ?? 1) > 0;
}

/** Whether the text may hold characters that JavaScript counts twice. */
function hasPairs(text: string): boolean {
  return /[\uD800-\uDBFF]/.test(text);
}

/** Characters (code points) of the text. */
export function textLength(text: string): number {
  if (!hasPairs(text)) return text.length;
  let length = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) length += 1;
  return length;
}

/** The text's characters (code points). */
export function toCharacters(text: string): readonly string[] {
  return hasPairs(text) ? [...text] : text.split('');
}

/** Characters from `start` to before `end`; both count characters, and neither is negative. */
export function sliceText(text: string, start: number, end: number): string {
  return hasPairs(text) ? [...text].slice(start, end).join('') : text.slice(start, end);
}

/** Number of items; null: the value has none, such as a number or a generator. */
export function lengthOf(value: Value): number | null {
  if (typeof value === 'string') return textLength(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Range) return value.length;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof Markup) return textLength(value.text);
  if (value instanceof Undefined) return 0;
  return value instanceof Instance && value.size !== null ? value.size() : null;
}

/** len(value). */
export function measure(value: Value): number {
  const length = lengthOf(value);
  if (length === null) throw new TemplateError(`object of type '${typeOf(value)}' has no len()`);
  return length;
}

/** iter(value). Throws for what can't be iterated. A generator goes on where it was left. */
export function iterate(run: Run, value: Value): Iterable<Value> {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return toCharacters(value);
  if (value instanceof Dict) return value.keys();
  if (value instanceof Tuple) return value.items;
  if (value instanceof DictView) return value;
  if (value instanceof Undefined) return [];
  if (value instanceof Iter) {
    const { iterator } = value;
    // Without `return`: leaving a loop early does not end a generator.
    return { [Symbol.iterator]: () => ({ next: () => iterator.next() }) };
  }
  if (value instanceof Range) return Array.from({ length: value.length }, (_, index) => value.at(index));
  if (value instanceof Markup) return toCharacters(value.text);
  if (value instanceof Instance && value.iterate !== null) return value.iterate(run);
  throw new TemplateError(`'${typeOf(value)}' object is not iterable`);
}

/** Whether `iterate` takes it. */
export function isIterable(value: Value): boolean {
  return (
    isText(value) ||
    Array.isArray(value) ||
    value instanceof Dict ||
    value instanceof Tuple ||
    value instanceof Range ||
    value instanceof DictView ||
    value instanceof Iter ||
    value instanceof Undefined ||
    (value instanceof Instance && value.iterate !== null)
  );
}

/** Items of what can be iterated, as a new array. */
export function toItems(run: Run, value: Value): Value[] {
  const items: Value[] = [];
  for (const item of iterate(run, value)) {
    run.spend(1);
    items.push(item);
  }
  return items;
}
