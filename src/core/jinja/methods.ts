// Methods and attributes of Python's own types that templates may use.
import { toIndex, withParameters, type ParameterList } from './bind.ts';
import { isEqual } from './comparing.ts';
import { iterate, toItems } from './iteration.ts';
import { TemplateError } from './templateError.ts';
import { readTextMethod } from './textMethods.ts';
import {
  Callable,
  Dict,
  DictView,
  Float,
  Group,
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

type Method<T> = readonly [ParameterList, (run: Run, self: T, ...values: Value[]) => Value];

const ITEMS_METHODS: Readonly<Record<string, Method<readonly Value[]>>> = {
  count: [['/value'], (run, self, value = null) => self.filter((item) => isEqual(run, item, value)).length],
  index: [
    ['/value', ['/start', 0], ['/stop', Number.MAX_SAFE_INTEGER]],
    (run, self, value = null, start = 0, stop = 0) => {
      const place = (bound: Value): number => {
        const at = toIndex(bound);
        return at < 0 ? Math.max(0, at + self.length) : at;
      };
      for (let at = place(start); at < Math.min(place(stop), self.length); at += 1)
        if (isEqual(run, self[at] ?? null, value)) return at;
      throw new TemplateError('the value is not in the list');
    },
  ],
};

const DICT_METHODS: Readonly<Record<string, Method<Dict>>> = {
  get: [
    ['/key', ['/default', null]],
    (_run, self, key = null, fallback = null) => {
      const value = self.get(key);
      return value === undefined ? fallback : value;
    },
  ],
  keys: [[], (_run, self) => new DictView(self, 'keys')],
  values: [[], (_run, self) => new DictView(self, 'values')],
  items: [[], (_run, self) => new DictView(self, 'items')],
  copy: [[], (run, self) => toDict(run, self)],
  fromkeys: [
    ['/iterable', ['/value', null]],
    (run, _self, keys = null, value = null) => {
      const dict = new Dict();
      for (const key of iterate(run, keys)) dict.set(key, value);
      return dict;
    },
  ],
};

/** dict(value): of a mapping, or of pairs. */
export function toDict(run: Run, value: Value): Dict {
  const dict = new Dict();
  if (value instanceof Dict) {
    for (const [key, item] of value.entries()) dict.set(key, item);
    run.spend(dict.size);
    return dict;
  }
  for (const pair of iterate(run, value)) {
    const [key, item, ...more] = toItems(run, pair);
    if (key === undefined || item === undefined || more.length > 0)
      throw new TemplateError('a dict is made of pairs, of two items each');
    dict.set(key, item);
  }
  return dict;
}

function readWhole(value: boolean | number | bigint, name: string): Value | undefined {
  const self = toInt(BigInt(value));
  const size = BigInt(value) < 0n ? -BigInt(value) : BigInt(value);
  switch (name) {
    case 'real':
    case 'numerator':
      return self;
    case 'imag':
      return 0;
    case 'denominator':
      return 1;
    case 'bit_length':
      return new Callable(name, () => (size === 0n ? 0 : size.toString(2).length));
    case 'bit_count':
      return new Callable(name, () => size.toString(2).replaceAll('0', '').length);
    case 'conjugate':
      return new Callable(name, () => self);
    case 'as_integer_ratio':
      return new Callable(name, () => new Tuple([self, 1]));
    case 'is_integer':
      return new Callable(name, () => true);
    default:
      return undefined;
  }
}

function readFloat(value: Float, name: string): Value | undefined {
  switch (name) {
    case 'real':
      return value;
    case 'imag':
      return new Float(0);
    case 'is_integer':
      return new Callable(name, () => Number.isInteger(value.value));
    case 'conjugate':
      return new Callable(name, () => value);
    default:
      return undefined;
  }
}

function bindMethod<T>(methods: Readonly<Record<string, Method<T>>>, name: string, self: T): Value | undefined {
  if (!Object.hasOwn(methods, name)) return undefined;
  const method = methods[name];
  if (method === undefined) return undefined;
  const [parameters, run] = method;
  return new Callable(
    name,
    withParameters(name, parameters, (current, ...values) => run(current, self, ...values)),
  );
}

/** A method or an attribute of the value; undefined: it has none of this name. */
export function readMethod(run: Run, value: Value, name: string): Value | undefined {
  if (value instanceof Dict) return bindMethod(DICT_METHODS, name, value);
  if (isText(value)) return readTextMethod(value, name);
  if (Array.isArray(value))
    return name === 'copy' ? new Callable(name, () => [...value]) : bindMethod(ITEMS_METHODS, name, value);
  if (value instanceof Group && (name === 'grouper' || name === 'list')) return value[name];
  if (value instanceof Tuple) return bindMethod(ITEMS_METHODS, name, value.items);
  if (value instanceof Range)
    return name === 'start' || name === 'stop' || name === 'step'
      ? value[name]
      : bindMethod(ITEMS_METHODS, name, toItems(run, value));
  if (isWhole(value)) return readWhole(value, name);
  if (value instanceof Float) return readFloat(value, name);
  if (value instanceof DictView && name === 'mapping') return value.dict;
  if (value instanceof Undefined) throw new TemplateError(`${typeOf(value)} has no attribute '${name}'`);
  return undefined;
}
