// JSON as Python's `json` reads and writes it: 1 and 1.0 stay apart, and an int may be of any length.
import { JsonReader } from '#core/contract/jsonText.ts';
import { compareValues } from './comparing.ts';
import { floatText, parseWhole, wholeText } from './numbers.ts';
import { toText } from './representation.ts';
import { TemplateError } from './templateError.ts';
import { Dict, Float, isText, isWhole, Tuple, typeOf, Undefined, type Run, type Value } from './values.ts';

const WORDS = new Map<string, Value>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function toScalar(token: string): Value {
  if (token.startsWith('"')) return String(JSON.parse(token));
  const word = WORDS.get(token);
  if (word !== undefined) return word;
  const number = /[.eE]/.test(token) ? new Float(Number(token)) : parseWhole(token);
  if (number === null) throw new TemplateError('an int of more than 4300 digits cannot be read');
  return number;
}

/** json.loads(text). Throws TemplateError for what is no JSON. */
export function parseJson(text: string): Value {
  const reader = new JsonReader(text);
  let whole: Value = null;
  /** The lists and dicts that are open, and the last key of each. */
  const open: { readonly of: Value[] | Dict; key: string }[] = [];
  const add = (value: Value): void => {
    const around = open.at(-1);
    if (around === undefined) whole = value;
    else if (around.of instanceof Dict) around.of.set(around.key, value);
    else around.of.push(value);
  };
  while (reader.next()) {
    const token = text.slice(reader.from, reader.to);
    const around = open.at(-1);
    if (reader.kind === 'key' && around) around.key = String(JSON.parse(token));
    else if (reader.kind === 'close') open.pop();
    else if (reader.kind === 'scalar') add(toScalar(token));
    else if (reader.kind === 'open') {
      const of = token === '{' ? new Dict() : [];
      add(of);
      open.push({ of, key: '' });
    }
  }
  if (!reader.isWhole) throw new TemplateError(`this is no JSON at character ${reader.from}`);
  return whole;
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
