// Filters that work on lists and other iterables.
import { getItem } from './attributes.ts';
import { toIndex } from './bind.ts';
import { compareValues, isEqual } from './comparing.ts';
import type { Filter, FreeFilter } from './filter.ts';
import { isTrue, iterate, lengthOf, toCharacters, toItems } from './iteration.ts';
import { add } from './operators.ts';
import { toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { applyTest } from './tests.ts';
import { toStr } from './textFunctions.ts';
import {
  Dict,
  Group,
  DictView,
  isText,
  Iter,
  Range,
  Tuple,
  Undefined,
  type Kwargs,
  type Run,
  type Value,
  typeOf,
} from './values.ts';

export type Getter = (item: Value) => Value;

function toParts(attribute: Value): readonly Value[] {
  if (attribute === null) return [];
  if (!isText(attribute)) return [attribute];
  return toStr(attribute)
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function lowerText(value: Value): Value {
  return isText(value) ? toStr(value).toLowerCase() : value;
}

/** Reads `a.b.0` of items. `fallback` not null: for what is undefined on the way. */
export function toGetter(run: Run, attribute: Value, isLowered = false, fallback: Value = null): Getter {
  const parts = toParts(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(run, value, part);
      if (fallback !== null && value instanceof Undefined) value = fallback;
    }
    return isLowered ? lowerText(value) : value;
  };
}

/** Sorted by `<` alone, as Python does; equal ones keep their order, also in reverse. */
function sortItems(run: Run, items: readonly Value[], getKey: Getter, isReverse: boolean): Value[] {
  const keyed = items.map((item) => ({ item, key: getKey(item) }));
  const [first] = keyed;
  // A list of one is compared with nothing.
  if (first !== undefined && keyed.length > 1) run.spend(keyed.length * Math.ceil(Math.log2(keyed.length)));
  keyed.sort((left, right) =>
    isReverse ? compareValues(run, right.key, left.key, '<') : compareValues(run, left.key, right.key, '<'),
  );
  return keyed.map(({ item }) => item);
}

function findExtreme(run: Run, value: Value, sensitive: Value, attribute: Value, isLargest: boolean): Value {
  const getKey = toGetter(run, attribute, !isTrue(sensitive));
  let best: { item: Value; key: Value } | null = null;
  for (const item of iterate(run, value)) {
    run.spend(1);
    const key = getKey(item);
    if (best === null) best = { item, key };
    else {
      const order = compareValues(run, key, best.key, isLargest ? '>' : '<');
      if (isLargest ? order > 0 : order < 0) best = { item, key };
    }
  }
  return best === null ? new Undefined('No aggregated item, sequence was empty.') : best.item;
}

/** A generator: nothing is read until something reads it. */
export function generate(maker: string, source: () => Generator<Value>): Iter {
  return new Iter({ [Symbol.iterator]: source }, 'generator', maker);
}

function toChosen(run: Run, args: readonly Value[], kwargs: Kwargs, byAttribute: boolean): (item: Value) => boolean {
  if (byAttribute && args.length === 0) throw new TemplateError('Missing parameter for attribute name');
  const getValue = byAttribute ? toGetter(run, args[0] ?? null) : (item: Value): Value => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  if (name === undefined) return (item) => isTrue(getValue(item));
  return (item) => applyTest(run, toStr(name), getValue(item), rest, kwargs);
}

const selecting =
  (byAttribute: boolean, keeps: boolean): FreeFilter =>
  (run, value, args, kwargs) =>
    generate('select_or_reject', function* () {
      if (!isTrue(value)) return;
      const isChosen = toChosen(run, args, kwargs, byAttribute);
      for (const item of iterate(run, value)) {
        run.spend(1);
        if (isChosen(item) === keeps) yield item;
      }
    });

/** Filters that read their arguments themselves. */
export const CHOOSING_FILTERS: Readonly<Record<string, FreeFilter>> = {
  select: selecting(false, true),
  reject: selecting(false, false),
  selectattr: selecting(true, true),
  rejectattr: selecting(true, false),
};

function reverse(run: Run, value: Value): Value {
  if (isText(value)) return toCharacters(toStr(value)).toReversed().join('');
  if (Array.isArray(value)) return new Iter(value.toReversed(), 'list_reverseiterator');
  if (value instanceof Tuple) return new Iter(value.items.toReversed(), 'reversed');
  if (value instanceof Dict) return new Iter([...value.keys()].reverse(), 'dict_reversekeyiterator');
  if (value instanceof DictView)
    return new Iter([...value].reverse(), `dict_reverse${value.type.slice(5, -1)}iterator`);
  if (value instanceof Range) return new Iter(toItems(run, value).reverse(), 'range_iterator');
  if (value instanceof Undefined) return new Iter([], 'reversed');
  return toItems(run, value).reverse();
}

function last(run: Run, value: Value): Value {
  if (value instanceof Undefined) return new Undefined('No last item, sequence was empty.');
  if (value instanceof Iter || lengthOf(value) === null)
    throw new TemplateError(`'${typeOf(value)}' object is not reversible`);
  const item = toItems(run, value).at(-1);
  return item === undefined ? new Undefined('No last item, sequence was empty.') : item;
}

function first(run: Run, value: Value): Value {
  for (const item of iterate(run, value)) return item;
  return new Undefined('No first item, sequence was empty.');
}

function join(run: Run, value: Value, separator: Value, attribute: Value): string {
  const getValue = attribute === null ? null : toGetter(run, attribute);
  const between = toText(run, separator);
  const parts: string[] = [];
  let length = 0;
  for (const item of iterate(run, value)) {
    const part = toText(run, getValue === null ? item : getValue(item));
    length += part.length + between.length;
    run.grow(length > 1_000_000 ? length : part.length);
    parts.push(part);
  }
  return parts.join(between);
}

function* batch(run: Run, value: Value, size: Value, filler: Value): Generator<Value> {
  let items: Value[] = [];
  for (const item of iterate(run, value)) {
    if (isEqual(run, items.length, size)) {
      yield items;
      items = [];
    }
    items.push(item);
  }
  if (items.length === 0) return;
  if (filler !== null && compareValues(run, items.length, size, '<') < 0) {
    const missing = toIndex(size) - items.length;
    run.grow(missing * 16);
    yield [...items, ...Array.from({ length: missing }, () => filler)];
  } else yield items;
}

function* slice(run: Run, value: Value, count: Value, filler: Value): Generator<Value> {
  const items = toItems(run, value);
  const slices = toIndex(count);
  if (slices === 0) throw new TemplateError('integer division or modulo by zero');
  const size = Math.floor(items.length / slices);
  const larger = items.length - size * slices;
  let at = 0;
  for (let place = 0; place < slices; place += 1) {
    run.spend(1);
    const end = at + size + (place < larger ? 1 : 0);
    const part = items.slice(at, end);
    if (filler !== null && place >= larger) part.push(filler);
    yield part;
    at = end;
  }
}

function* unique(run: Run, value: Value, sensitive: Value, attribute: Value): Generator<Value> {
  const getKey = toGetter(run, attribute, !isTrue(sensitive));
  const seen = new Dict();
  for (const item of iterate(run, value)) {
    run.spend(1);
    const key = getKey(item);
    if (seen.get(key) !== undefined) continue;
    seen.set(key, true);
    yield item;
  }
}

function groupBy(run: Run, value: Value, attribute: Value, fallback: Value, sensitive: Value): Value {
  const isLowered = !isTrue(sensitive);
  const getKey = toGetter(run, attribute, isLowered, fallback);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sortItems(run, toItems(run, value), getKey, false)) {
    const key = getKey(item);
    const group = groups.at(-1);
    if (group !== undefined && isEqual(run, group.key, key)) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  const getShown = toGetter(run, attribute, false, fallback);
  return groups.map(({ key, items }) => new Group(isLowered ? getShown(items[0] ?? null) : key, items));
}

function dictSort(run: Run, value: Value, sensitive: Value, by: Value, isReverse: Value): Value {
  const part = toText(run, by);
  if (part !== 'key' && part !== 'value') throw new TemplateError("You can only sort by either 'key' or 'value'");
  if (!(value instanceof Dict)) {
    if (value instanceof Undefined) value.fail();
    throw new TemplateError(`'${typeOf(value)}' object has no attribute 'items'`);
  }
  const getKey: Getter = (pair) => {
    const key = pair instanceof Tuple ? (pair.items[part === 'key' ? 0 : 1] ?? null) : null;
    return isTrue(sensitive) ? key : lowerText(key);
  };
  return sortItems(run, [...new DictView(value, 'items')], getKey, isTrue(isReverse));
}

function sort(run: Run, value: Value, isReverse: Value, sensitive: Value, attribute: Value): Value {
  const parts: readonly Value[] = isText(attribute) ? toStr(attribute).split(',') : [attribute];
  const getters = parts.map((part) => toGetter(run, part, !isTrue(sensitive)));
  return sortItems(run, toItems(run, value), (item) => getters.map((getValue) => getValue(item)), isTrue(isReverse));
}

function sum(run: Run, value: Value, attribute: Value, start: Value): Value {
  if (isText(start)) throw new TemplateError("sum() can't sum strings [use ''.join(seq) instead]");
  const getValue = attribute === null ? null : toGetter(run, attribute);
  let total: Value = start;
  for (const item of iterate(run, value)) {
    run.spend(1);
    total = add(run, total, getValue === null ? item : getValue(item));
  }
  return total;
}

const BY_VALUE = [
  ['case_sensitive', false],
  ['attribute', null],
] as const;

export const LIST_FILTERS: Readonly<Record<string, Filter>> = {
  batch: {
    parameters: ['linecount', ['fill_with', null]],
    apply: (run, value, size = null, filler = null) => generate('do_batch', () => batch(run, value, size, filler)),
  },
  dictsort: {
    parameters: [
      ['case_sensitive', false],
      ['by', 'key'],
      ['reverse', false],
    ],
    apply: (run, value, sensitive = false, by = 'key', isReverse = false) =>
      dictSort(run, value, sensitive, by, isReverse),
  },
  first: { parameters: [], apply: first },
  groupby: {
    parameters: ['attribute', ['default', null], ['case_sensitive', false]],
    apply: (run, value, attribute = null, fallback = null, sensitive = false) =>
      groupBy(run, value, attribute, fallback, sensitive),
  },
  items: {
    parameters: [],
    apply: (_run, value) =>
      generate('do_items', function* () {
        if (value instanceof Undefined) return;
        if (!(value instanceof Dict)) throw new TemplateError('Can only get item pairs from a mapping.');
        yield* new DictView(value, 'items');
      }),
  },
  join: {
    parameters: [
      ['d', ''],
      ['attribute', null],
    ],
    apply: (run, value, separator = '', attribute = null) => join(run, value, separator, attribute),
  },
  last: { parameters: [], apply: last },
  list: { parameters: [], apply: toItems },
  max: {
    parameters: BY_VALUE,
    apply: (run, value, sensitive = false, attribute = null) => findExtreme(run, value, sensitive, attribute, true),
  },
  min: {
    parameters: BY_VALUE,
    apply: (run, value, sensitive = false, attribute = null) => findExtreme(run, value, sensitive, attribute, false),
  },
  reverse: { parameters: [], apply: reverse },
  slice: {
    parameters: ['slices', ['fill_with', null]],
    apply: (run, value, count = null, filler = null) =>
      generate('sync_do_slice', () => slice(run, value, count, filler)),
  },
  sort: {
    parameters: [
      ['reverse', false],
      ['case_sensitive', false],
      ['attribute', null],
    ],
    apply: (run, value, isReverse = false, sensitive = false, attribute = null) =>
      sort(run, value, isReverse, sensitive, attribute),
  },
  sum: {
    parameters: [
      ['attribute', null],
      ['start', 0],
    ],
    apply: (run, value, attribute = null, start = 0) => sum(run, value, attribute, start),
  },
  unique: {
    parameters: BY_VALUE,
    apply: (run, value, sensitive = false, attribute = null) =>
      generate('sync_do_unique', () => unique(run, value, sensitive, attribute)),
  },
};
