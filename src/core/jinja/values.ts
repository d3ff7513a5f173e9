// Values of Python as templates see them, and the run that makes them.
import { TemplateError, TooMuchWork } from './templateError.ts';

/**
 * A value of Python. None is null; an int is a whole `number`, or a `bigint` beyond 2^53; a str is a `string`, a list an
 * array. All else is a `Thing`.
 */
export type Value = null | boolean | number | bigint | string | Value[] | Thing;

/** A value that JavaScript has no form of. */
export abstract class Thing {
  /** Name of its type in Python. */
  abstract readonly type: string;
}

export class Float extends Thing {
  readonly type = 'float';
  constructor(readonly value: number) {
    super();
  }
}

export class Tuple extends Thing {
  readonly type = 'tuple';
  constructor(readonly items: readonly Value[]) {
    super();
  }
}

/** A pair that also has names: what `groupby` gives. */
export class Group extends Tuple {
  constructor(
    readonly grouper: Value,
    readonly list: Value[],
  ) {
    super([grouper, list]);
  }
}

/** Text that `safe` and `escape` made: what is added to it is escaped. */
export class Markup extends Thing {
  readonly type = 'Markup';
  constructor(readonly text: string) {
    super();
  }
}

/** What a name, an attribute or an item is that nothing defines. Most uses of it fail with its message. */
export class Undefined extends Thing {
  readonly type = 'Undefined';
  constructor(readonly message: string) {
    super();
  }

  fail(): never {
    throw new TemplateError(this.message);
  }
}

export class Range extends Thing {
  readonly type = 'range';
  readonly length: number;
  constructor(
    readonly start: number,
    readonly stop: number,
    readonly step: number,
  ) {
    super();
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }

  at(index: number): number {
    return this.start + index * this.step;
  }
}

/** An iterator that can be read once. `type`: generator, list_reverseiterator ... `maker`: the function of a generator. */
export class Iter extends Thing {
  readonly iterator: Iterator<Value>;
  constructor(
    source: Iterable<Value>,
    readonly type = 'generator',
    readonly maker = '',
  ) {
    super();
    this.iterator = source[Symbol.iterator]();
  }
}

/** Keys, values or items of a dict. */
export class DictView extends Thing {
  readonly type: string;
  constructor(
    readonly dict: Dict,
    readonly part: 'keys' | 'values' | 'items',
  ) {
    super();
    this.type = `dict_${part}`;
  }

  *[Symbol.iterator](): Generator<Value> {
    for (const [key, value] of this.dict.entries())
      yield this.part === 'keys' ? key : this.part === 'values' ? value : new Tuple([key, value]);
  }
}

export type Kwargs = ReadonlyMap<string, Value>;
export const NO_KWARGS: Kwargs = new Map();

/** A function, method or macro. */
export class Callable extends Thing {
  constructor(
    readonly name: string,
    readonly call: (run: Run, args: readonly Value[], kwargs: Kwargs) => Value,
    readonly type = 'builtin_function_or_method',
  ) {
    super();
  }
}

/** An object with attributes of its own, such as `loop`, a macro or a namespace. */
export class Instance extends Thing {
  constructor(
    readonly type: string,
    /** undefined: it has no such attribute. */
    readonly attribute: (name: string, run: Run) => Value | undefined,
    readonly call: Callable['call'] | null = null,
    readonly iterate: ((run: Run) => Iterable<Value>) | null = null,
    readonly represent: (() => string) | null = null,
    readonly size: (() => number) | null = null,
  ) {
    super();
  }
}

/** The only object that templates may change. */
export class Namespace extends Thing {
  readonly type = 'TemplateNamespace';
  readonly values = new Map<string, Value>();
}

type Key = string | number | bigint | null | Thing | symbol;

/** A dict in the order of insertion. Keys that are equal in Python (1, 1.0, True) are one key. */
export class Dict extends Thing {
  readonly type = 'dict';
  private readonly pairs = new Map<Key, [key: Value, value: Value]>();

  get size(): number {
    return this.pairs.size;
  }

  /** undefined: there is no such key. Throws if the key can't be hashed. */
  get(key: Value): Value | undefined {
    return this.pairs.get(typeof key === 'string' ? key : toKey(key))?.[1];
  }

  set(key: Value, value: Value): void {
    const hashed = typeof key === 'string' ? key : toKey(key);
    const pair = this.pairs.get(hashed);
    if (pair === undefined) this.pairs.set(hashed, [key, value]);
    else pair[1] = value;
  }

  entries(): IterableIterator<[key: Value, value: Value]> {
    return this.pairs.values();
  }

  *keys(): Generator<Value> {
    for (const [key] of this.pairs.values()) yield key;
  }
}

const UNDEFINED_KEY = Symbol('Undefined');

/** Equal for keys that are equal in Python. */
function toKey(value: Value): Key {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === null)
    return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Float) {
    const { value: number } = value;
    return Number.isInteger(number) ? toInt(BigInt(number)) : number;
  }
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return UNDEFINED_KEY;
  if (value instanceof Tuple) {
    // No text of a template begins like this: it starts with half of a character.
    return `\u{DC00}${value.items
      .map((item) => {
        const key = toKey(item);
        return typeof key === 'string' ? `s${key.length}:${key}` : typeof key === 'bigint' ? `${key}` : String(key);
      })
      .join()}`;
  }
  if (Array.isArray(value) || value instanceof Dict || value instanceof DictView)
    throw new TemplateError(`unhashable type: '${typeOf(value)}'`);
  return value;
}

const MAX_INT = BigInt(Number.MAX_SAFE_INTEGER);

/** An int in its one form. */
export function toInt(value: bigint): number | bigint {
  return value <= MAX_INT && value >= -MAX_INT ? Number(value) : value;
}

/** Name of the type in Python. */
export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'int';
  return Array.isArray(value) ? 'list' : value.type;
}

/** The object as messages name it: "dict object". */
export function describe(value: Value): string {
  return value === null ? 'None' : `${typeOf(value)} object`;
}

export function isText(value: Value): value is string | Markup {
  return typeof value === 'string' || value instanceof Markup;
}

/** True for bool, int and float. */
export function isNumber(value: Value): value is boolean | number | bigint | Float {
  return isWhole(value) || value instanceof Float;
}

/** True for bool and int. */
export function isWhole(value: Value): value is boolean | number | bigint {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
}

/** About a second of work. Each value that is looked at counts, and 16 characters of a text that is made count as one. */
const MAX_WORK = 20_000_000;
/** Characters of one text, and of all that is written. */
const MAX_TEXT = 32 * 1024 * 1024;

/** Names that a part of the template sets; others are looked up around it. */
export class Scope {
  readonly names = new Map<string, Value>();
  constructor(readonly around: Scope | null) {}
}

/** One rendering: what is written, where names are looked up, and how much work is left. */
export class Run {
  /** What the innermost body has written. */
  out = '';
  /** What a filter without a value of its own works on. */
  captured = '';
  /** Of the statement that runs. */
  line = 1;
  readonly root: Scope;
  private left = MAX_WORK;

  constructor(
    public scope: Scope,
    /** For `strftime_now`: local time. */
    readonly now: () => Date,
  ) {
    this.root = scope;
  }

  /** Counts work. Throws TooMuchWork. */
  spend(amount: number): void {
    this.left -= amount;
    if (this.left < 0) throw new TooMuchWork('the template does not end: it takes more steps than any chat needs');
  }

  /** Counts a text or a list of this length before it is made. Throws TooMuchWork. */
  grow(length: number): void {
    if (length > MAX_TEXT) throw new TooMuchWork(`the template makes a text of more than ${MAX_TEXT} characters`);
    this.spend(1 + (length >> 4));
  }

  write(text: string): void {
    this.out += text;
    this.grow(this.out.length > MAX_TEXT ? this.out.length : text.length);
  }

  /** The value of a name; Undefined if nothing set it. */
  read(name: string): Value {
    for (let scope: Scope | null = this.scope; scope !== null; scope = scope.around) {
      const value = scope.names.get(name);
      if (value !== undefined) return value;
    }
    return new Undefined(`'${name}' is undefined`);
  }

  /** What the body writes, apart from what is written around it. */
  capture(body: () => void): string {
    const around = this.out;
    this.out = '';
    try {
      body();
      return this.out;
    } finally {
      this.out = around;
    }
  }
}
