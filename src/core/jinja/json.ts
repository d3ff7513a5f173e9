// JSON as Python's `json` reads and writes it: 1 and 1.0 stay apart, and an int may be of any length.
import { compareValues } from './comparing.ts';
import { floatText, parseWhole, wholeText } from './numbers.ts';
import { toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { Dict, Float, isText, isWhole, Tuple, typeOf, Undefined, type Run, type Value } from './values.ts';

const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][-+]?\d+)?/y;
const SPACES = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\[^])*"/y;
const WORDS: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', new Float(Number.NaN)],
  ['Infinity', new Float(Infinity)],
  ['-Infinity', new Float(-Infinity)],
];

class JsonReader {
  private at = 0;
  constructor(private readonly text: string) {}

  read(): Value {
    const value = this.readValue();
    this.match(SPACES);
    return this.at === this.text.length ? value : this.fail();
  }

  private fail(): never {
    throw new TemplateError(`this is no JSON at character ${this.at}`);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  private skip(mark: string): boolean {
    this.match(SPACES);
    const isThere = this.text.startsWith(mark, this.at);
    if (isThere) this.at += mark.length;
    return isThere;
  }

  private readValue(): Value {
    this.match(SPACES);
    if (this.text[this.at] === '"') return this.readString();
    if (this.skip('{')) return this.readDict();
    if (this.skip('[')) return this.readList();
    const number = this.match(NUMBER);
    if (number !== null) {
      const [all, whole = '', fraction, power] = number;
      if (fraction !== undefined || power !== undefined) return new Float(Number(all));
      // -Infinity begins as a number does.
      return parseWhole(whole) ?? this.fail();
    }
    const word = WORDS.find(([name]) => this.text.startsWith(name, this.at));
    if (word === undefined) return this.fail();
    this.at += word[0].length;
    return word[1];
  }

  private readString(): string {
    const found = this.match(STRING);
    if (found === null) return this.fail();
    try {
      return String(JSON.parse(found[0]));
    } catch {
      return this.fail();
    }
  }

  private readDict(): Dict {
    const dict = new Dict();
    if (this.skip('}')) return dict;
    do {
      this.match(SPACES);
      const key = this.readString();
      if (!this.skip(':')) this.fail();
      dict.set(key, this.readValue());
    } while (this.skip(','));
    return this.skip('}') ? dict : this.fail();
  }

  private readList(): Value[] {
    const items: Value[] = [];
    if (this.skip(']')) return items;
    do items.push(this.readValue());
    while (this.skip(','));
    return this.skip(']') ? items : this.fail();
  }
}

/** json.loads(text). Throws TemplateError for what is no JSON. */
export function parseJson(text: string): Value {
  return new JsonReader(text).read();
}

export interface JsonOptions {
  readonly isAscii: boolean;
  /** null: all in one line. */
  readonly indent: string | null;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly isSorted: boolean;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
};

function escapeCharacter(one: string): string {
  return SHORT[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

class JsonWriter {
  constructor(
    private readonly run: Run,
    private readonly options: JsonOptions,
  ) {}

  write(value: Value, depth: number): string {
    this.run.spend(1);
    if (isText(value)) return this.writeText(toText(this.run, value));
    if (value === null) return 'null';
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    if (typeof value === 'number' || typeof value === 'bigint') return wholeText(value);
    if (value instanceof Float) return this.writeFloat(value.value);
    if (Array.isArray(value)) return this.writeItems(value, depth);
    if (value instanceof Tuple) return this.writeItems(value.items, depth);
    if (value instanceof Dict) return this.writeDict(value, depth);
    if (value instanceof Undefined) throw new TemplateError(`${value.message}, so it has no JSON`);
    throw new TemplateError(`Object of type ${typeOf(value)} is not JSON serializable`);
  }

  private writeText(text: string): string {
    this.run.grow(text.length);
    const pattern = this.options.isAscii ? /["\\]|[^ -~]/g : /["\\\p{Cc}]/gu;
    return `"${text.replace(pattern, (one) => (one >= '\x7f' && !this.options.isAscii ? one : escapeCharacter(one)))}"`;
  }

  private writeFloat(value: number): string {
    if (Number.isNaN(value)) return 'NaN';
    return Number.isFinite(value) ? floatText(value) : value < 0 ? '-Infinity' : 'Infinity';
  }

  private wrap(open: string, parts: readonly string[], close: string, depth: number): string {
    if (parts.length === 0) return open + close;
    const { indent, itemSeparator } = this.options;
    if (indent === null) return open + parts.join(itemSeparator) + close;
    this.run.grow(indent.length * depth * parts.length);
    const line = `\n${indent.repeat(depth + 1)}`;
    return `${open}${line}${parts.join(itemSeparator + line)}\n${indent.repeat(depth)}${close}`;
  }

  private writeItems(items: readonly Value[], depth: number): string {
    const parts = items.map((item) => this.write(item, depth + 1));
    return this.wrap('[', parts, ']', depth);
  }

  private writeKey(key: Value): string {
    if (isText(key)) return toText(this.run, key);
    if (key === null) return 'null';
    if (typeof key === 'boolean') return String(key);
    if (isWhole(key)) return wholeText(key);
    if (key instanceof Float) return this.writeFloat(key.value);
    throw new TemplateError(`keys must be str, int, float, bool or None, not ${typeOf(key)}`);
  }

  private writeDict(dict: Dict, depth: number): string {
    const entries = [...dict.entries()];
    if (this.options.isSorted) {
      entries.sort(([left], [right]) => compareValues(this.run, left, right, '<'));
    }
    const parts = entries.map(
      ([key, value]) => this.writeText(this.writeKey(key)) + this.options.keySeparator + this.write(value, depth + 1),
    );
    return this.wrap('{', parts, '}', depth);
  }
}

/** json.dumps(value). Throws for what has no JSON. */
export function toJson(run: Run, value: Value, options: JsonOptions): string {
  return new JsonWriter(run, options).write(value, 0);
}
