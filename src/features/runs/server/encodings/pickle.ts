// Reads a pickle as data: numbers, texts, booleans, None, lists, tuples, dicts, members of enumerations, and the attributes
// of objects. Nothing is imported or called. What would have to be called, or needs any other opcode, is refused.
import { Unreadable } from '#features/runs/server/reader.ts';

/** An object by its class, with its attributes. */
export class PickledObject {
  constructor(
    /** `trl.trainer.sft_config.SFTConfig`. */
    readonly className: string,
    readonly attributes: Map<string, PickleValue> = new Map(),
  ) {}
}

/** A class or function that is only named, such as `torch.bfloat16`. */
export class PickledName {
  constructor(readonly name: string) {}
}

export type PickleValue =
  | null
  | boolean
  | number
  | string
  | PickleValue[]
  | Map<string, PickleValue>
  | PickledObject
  | PickledName;

/** Values of a pickle, and entries of its stack. The arguments of a training have about 500. */
const MAX_VALUES = 50_000;

/** Libraries of training: of their enumerations, devices and types one text is the whole value. */
const KNOWN =
  /^(?:torch|transformers|trl|accelerate|peft|datasets|unsloth|unsloth_compiled_cache|axolotl|llamafactory|swift|Unsloth\w*)\./;
/** Calls of the standard library without a value that can be shown. */
const PLAIN_CALLS: ReadonlySet<string> = new Set([
  'collections.OrderedDict',
  'datetime.timedelta',
  'pathlib.PosixPath',
  'pathlib.WindowsPath',
]);

const MARK = Symbol('mark');
type Entry = PickleValue | typeof MARK;

const text = new TextDecoder('utf-8', { fatal: true });

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #stack: Entry[] = [];
  readonly #memo = new Map<number, PickleValue>();
  #at = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): PickleValue {
    for (;;) {
      const code = this.#byte();
      if (code === 0x2e) return this.#pop(); // STOP
      this.#count += 1;
      if (this.#count > MAX_VALUES) throw new Unreadable('It holds more values than the arguments of a training have');
      this.#step(code);
    }
  }

  #step(code: number): void {
    switch (String.fromCodePoint(code)) {
      case '\x80': // PROTO
        return void this.#byte();
      case '\x95': // FRAME
        return void this.#take(8);
      case '(':
        return void this.#stack.push(MARK);
      case 'N':
        return this.#push(null);
      case '\x88':
        return this.#push(true);
      case '\x89':
        return this.#push(false);
      case 'K': // BININT1
        return this.#push(this.#byte());
      case 'M': // BININT2
        return this.#push(this.#view.getUint16(this.#skip(2), true));
      case 'J': // BININT
        return this.#push(this.#view.getInt32(this.#skip(4), true));
      case '\x8a': // LONG1
        return this.#push(toLong(this.#take(this.#byte())));
      case 'G': // BINFLOAT
        return this.#push(this.#view.getFloat64(this.#skip(8), false));
      case 'X': // BINUNICODE
        return this.#push(this.#text(this.#view.getUint32(this.#skip(4), true)));
      case '\x8c': // SHORT_BINUNICODE
        return this.#push(this.#text(this.#byte()));
      case '}':
        return this.#push(new Map());
      case ']':
      case ')':
        return this.#push([]);
      case '\x85': // TUPLE1
        return this.#push([this.#pop()]);
      case '\x86': // TUPLE2
        return this.#push([this.#pop(), this.#pop()].reverse());
      case '\x87': // TUPLE3
        return this.#push([this.#pop(), this.#pop(), this.#pop()].reverse());
      case 't': // TUPLE
        return this.#push(this.#popMark());
      case 'a': // APPEND
        return this.#append([this.#pop()]);
      case 'e': // APPENDS
        return this.#append(this.#popMark());
      case 's': // SETITEM
        return this.#setItems([this.#pop(), this.#pop()].reverse());
      case 'u': // SETITEMS
        return this.#setItems(this.#popMark());
      case 'q': // BINPUT
        return this.#keep(this.#byte());
      case 'r': // LONG_BINPUT
        return this.#keep(this.#view.getUint32(this.#skip(4), true));
      case '\x94': // MEMOIZE
        return this.#keep(this.#memo.size);
      case 'h': // BINGET
        return this.#recall(this.#byte());
      case 'j': // LONG_BINGET
        return this.#recall(this.#view.getUint32(this.#skip(4), true));
      case 'c': // GLOBAL
        return this.#push(new PickledName(`${this.#line()}.${this.#line()}`));
      case '\x93': {
        // STACK_GLOBAL
        const [name, module] = [this.#pop(), this.#pop()];
        return this.#push(new PickledName(`${String(module)}.${String(name)}`));
      }
      case 'R': // REDUCE
        return this.#reduce();
      case '\x81': // NEWOBJ
        this.#pop();
        return this.#push(new PickledObject(this.#popName()));
      case 'b': // BUILD
        return this.#build();
      default:
        throw new Unreadable(`It holds more than plain values (opcode ${code})`);
    }
  }

  #byte(): number {
    return this.#bytes[this.#skip(1)] ?? 0;
  }

  /** The place of so many bytes, which are then behind. */
  #skip(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw new Unreadable('It ends within a value');
    this.#at += length;
    return at;
  }

  #take(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  #text(length: number): string {
    try {
      return text.decode(this.#take(length));
    } catch (error) {
      // Python writes halves of surrogate pairs too.
      throw error instanceof Unreadable ? error : new Unreadable('It holds a text that is no UTF-8');
    }
  }

  #line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end === -1) throw new Unreadable('It ends within a name');
    const line = this.#text(end - this.#at);
    this.#skip(1);
    return line;
  }

  #push(value: PickleValue): void {
    this.#stack.push(value);
  }

  #pop(): PickleValue {
    const value = this.#stack.pop();
    if (value === undefined || value === MARK) throw new Unreadable('Its values are out of order');
    return value;
  }

  #popName(): string {
    const value = this.#pop();
    if (!(value instanceof PickledName)) throw new Unreadable('It makes something of a value that is no class');
    return value.name;
  }

  #popMark(): PickleValue[] {
    const at = this.#stack.lastIndexOf(MARK);
    if (at === -1) throw new Unreadable('Its values are out of order');
    const values = this.#stack.splice(at).slice(1);
    return values.filter((value): value is PickleValue => value !== MARK);
  }

  #peek(): PickleValue {
    const value = this.#pop();
    this.#push(value);
    return value;
  }

  #append(values: readonly PickleValue[]): void {
    const list = this.#peek();
    if (!Array.isArray(list)) throw new Unreadable('It adds to something that is no list');
    list.push(...values);
  }

  #setItems(items: readonly PickleValue[]): void {
    const map = this.#peek();
    // An OrderedDict is filled after it was made.
    const target = map instanceof PickledObject ? map.attributes : map;
    if (!(target instanceof Map)) throw new Unreadable('It adds to something that is no dict');
    for (let at = 0; at + 1 < items.length; at += 2) {
      const key = items[at];
      if (typeof key === 'string' || typeof key === 'number') target.set(String(key), items[at + 1] ?? null);
    }
  }

  #keep(place: number): void {
    this.#memo.set(place, this.#peek());
  }

  #recall(place: number): void {
    const value = this.#memo.get(place);
    if (value === undefined) throw new Unreadable('It refers to a value that it does not hold');
    this.#push(value);
  }

  #reduce(): void {
    const given = this.#pop();
    const name = this.#popName();
    if (PLAIN_CALLS.has(name)) return this.#push(new PickledObject(name));
    if (!KNOWN.test(name)) throw new Unreadable(`It calls ${name}, and nothing in it is run`);
    const [value, ...more] = Array.isArray(given) ? given : [];
    const isEnum = more.length === 0 && (typeof value === 'string' || typeof value === 'number');
    return this.#push(isEnum ? value : new PickledObject(name));
  }

  #build(): void {
    const state = this.#pop();
    const target = this.#peek();
    if (!(target instanceof PickledObject) || !(state instanceof Map)) return;
    for (const [name, value] of state) target.attributes.set(name, value);
  }
}

/** Little-endian, two's complement. Longer ones are no settings. */
function toLong(bytes: Uint8Array): number {
  let value = 0n;
  bytes.forEach((byte, at) => (value |= BigInt(byte) << BigInt(8 * at)));
  return Number(BigInt.asIntN(Math.max(8, 8 * bytes.length), value));
}

/** Throws Unreadable. */
export const readPickle = (bytes: Uint8Array): PickleValue => new Reader(bytes).read();
