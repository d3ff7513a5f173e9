// `value.name`, `value[key]` and `value[start:stop:step]`, as Jinja2's immutable sandbox allows them.
import { toIndex } from './bind.ts';
import { formatText } from './formatText.ts';
import { sliceText, textLength, toCharacters } from './iteration.ts';
import { readMethod } from './methods.ts';
import { quote, reprText, toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import {
  Callable,
  describe,
  Dict,
  Instance,
  isText,
  isWhole,
  Markup,
  Namespace,
  Range,
  Tuple,
  Undefined,
  type Run,
  type Value,
  typeOf,
} from './values.ts';

function missing(run: Run, value: Value, name: Value): Undefined {
  if (typeof name === 'string') return new Undefined(`'${describe(value)}' has no attribute ${quote(name)}`);
  return new Undefined(`${describe(value)} has no element ${reprText(run, name)}`);
}

const MUTATING: Readonly<Record<string, ReadonlySet<string>>> = {
  list: new Set(['append', 'clear', 'pop', 'reverse', 'insert', 'sort', 'extend', 'remove']),
  dict: new Set(['clear', 'pop', 'popitem', 'setdefault', 'update']),
};

/** Names that each object of Python has. */
const DUNDERS: ReadonlySet<string> = new Set(
  (
    'class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex ' +
    'repr setattr sizeof str subclasshook'
  )
    .split(' ')
    .map((name) => `__${name}__`),
);

/** text.format and text.format_map. */
function toFormatter(value: string | Markup, name: string): Callable {
  const text = value instanceof Markup ? value.text : value;
  const readers = { getAttribute, getItem };
  return new Callable(name, (run, args, kwargs) => {
    if (name === 'format') return formatText(run, text, args, kwargs, readers);
    const [map] = args;
    if (!(map instanceof Dict) || args.length > 1 || kwargs.size > 0)
      throw new TemplateError('format_map() takes exactly one argument, a mapping');
    const named = new Map(Array.from(map.entries(), ([key, item]) => [toText(run, key), item]));
    return formatText(run, text, [], named, readers);
  });
}

function unsafe(value: Value, name: string): Undefined {
  return new Undefined(`access to attribute '${name}' of '${describe(value)}' is unsafe`);
}

/** A method or an attribute; undefined: there is none. */
function readAttribute(run: Run, value: Value, name: string): Value | undefined {
  if (DUNDERS.has(name)) return unsafe(value, name);
  if (value instanceof Undefined) return value.fail();
  if (value instanceof Instance) return name.startsWith('_') ? undefined : value.attribute(name, run);
  if (value instanceof Namespace) return value.values.get(name);
  if (isText(value) && (name === 'format' || name === 'format_map')) return toFormatter(value, name);
  const kind = Array.isArray(value) ? 'list' : value instanceof Dict ? 'dict' : '';
  if (MUTATING[kind]?.has(name)) return unsafe(value, name);
  return readMethod(run, value, name);
}

/** An item by its key or place; undefined: there is none. */
function readItem(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict) {
    try {
      return value.get(key);
    } catch (error) {
      // A key that can't be hashed is none.
      if (error instanceof TemplateError) return undefined;
      throw error;
    }
  }
  if (value instanceof Undefined) return value.fail();
  if (!isWhole(key)) return undefined;
  const place = Number(key);
  if (Array.isArray(value)) return value[place < 0 ? value.length + place : place];
  if (isText(value)) {
    const text = value instanceof Markup ? value.text : value;
    const from = place < 0 ? textLength(text) + place : place;
    const one = from < 0 ? '' : sliceText(text, from, from + 1);
    return one === '' ? undefined : value instanceof Markup ? new Markup(one) : one;
  }
  if (value instanceof Tuple) return value.items[place < 0 ? value.items.length + place : place];
  if (value instanceof Range) {
    const at = place < 0 ? value.length + place : place;
    return at >= 0 && at < value.length ? value.at(at) : undefined;
  }
  return undefined;
}

/** `value.name`: an attribute, else the item of this name, else Undefined. */
export function getAttribute(run: Run, value: Value, name: string): Value {
  run.spend(1);
  const attribute = readAttribute(run, value, name);
  if (attribute !== undefined) return attribute;
  const item = readItem(value, name);
  return item === undefined ? missing(run, value, name) : item;
}

/** `value[key]`: an item, else the attribute of this name, else Undefined. */
export function getItem(run: Run, value: Value, key: Value): Value {
  run.spend(1);
  const item = readItem(value, key);
  if (item !== undefined) return item;
  if (isText(key)) {
    const attribute = readAttribute(run, value, key instanceof Markup ? key.text : key);
    if (attribute !== undefined) return attribute;
  }
  return missing(run, value, key);
}

/** The attribute alone: `value | attr(name)`. */
export function getOwnAttribute(run: Run, value: Value, name: string): Value {
  const attribute = readAttribute(run, value, name);
  return attribute === undefined ? missing(run, value, name) : attribute;
}

/** Places of a slice, as slice.indices gives them. */
function toPlaces(length: number, bounds: readonly Value[]): readonly number[] {
  const [start = null, stop = null, step = null] = bounds;
  const by = step === null ? 1 : toIndex(step);
  if (by === 0) throw new TemplateError('slice step cannot be zero');
  const clamp = (bound: Value, usual: number): number => {
    if (bound === null) return usual;
    const place = toIndex(bound);
    const from = place < 0 ? place + length : place;
    return by > 0 ? Math.min(Math.max(from, 0), length) : Math.min(Math.max(from, -1), length - 1);
  };
  const from = clamp(start, by > 0 ? 0 : length - 1);
  const to = clamp(stop, by > 0 ? length : -1);
  const places: number[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) places.push(at);
  return places;
}

function isPlain(bounds: readonly Value[]): boolean {
  return bounds[2] === null || bounds[2] === 1;
}

/** `value[start:stop:step]`. Throws for what can't be cut. */
export function getSlice(run: Run, value: Value, bounds: readonly Value[]): Value {
  run.spend(1);
  if (value instanceof Undefined) return value.fail();
  if (isText(value)) {
    const text = value instanceof Markup ? value.text : value;
    const length = textLength(text);
    run.grow(length);
    let cut: string;
    if (isPlain(bounds)) {
      const places = toEnds(length, bounds);
      cut = sliceText(text, places.from, places.to);
    } else {
      const characters = toCharacters(text);
      cut = toPlaces(length, bounds)
        .map((place) => characters[place] ?? '')
        .join('');
    }
    return value instanceof Markup ? new Markup(cut) : cut;
  }
  const items = value instanceof Tuple ? value.items : value;
  if (Array.isArray(items)) {
    const all: readonly Value[] = items;
    run.grow(all.length * 16);
    const { from, to } = toEnds(all.length, bounds);
    const cut = isPlain(bounds) ? all.slice(from, to) : toPlaces(all.length, bounds).map((place) => all[place] ?? null);
    return value instanceof Tuple ? new Tuple(cut) : cut;
  }
  if (value instanceof Range) {
    const places = toPlaces(value.length, bounds);
    const by = bounds[2] === null ? 1 : toIndex(bounds[2] ?? 1);
    const start = places[0] ?? 0;
    return new Range(value.at(start), value.at(start + places.length * by), value.step * by);
  }
  throw new TemplateError(`'${typeOf(value)}' object can't be cut into a slice`);
}

/** Ends of a slice of step 1. */
function toEnds(length: number, [start = null, stop = null]: readonly Value[]): { from: number; to: number } {
  const clamp = (bound: Value, usual: number): number => {
    if (bound === null) return usual;
    const place = toIndex(bound);
    return Math.min(Math.max(place < 0 ? place + length : place, 0), length);
  };
  const from = clamp(start, 0);
  return { from, to: Math.max(from, clamp(stop, length)) };
}

/** The function in a value. Throws for what can't be called. */
export function toCallable(value: Value): Callable['call'] {
  if (value instanceof Callable) return value.call;
  if (value instanceof Instance && value.call !== null) return value.call;
  if (value instanceof Undefined) value.fail();
  throw new TemplateError(`'${describe(value).replace(' object', '')}' object is not callable`);
}
