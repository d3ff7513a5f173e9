// A Python dict as `print` shows it: the Trainer's log lines, with bare numbers (transformers 4) or floats in quotes (5).

export type PythonValue = string | number | boolean | null | readonly PythonValue[] | ReadonlyMap<string, PythonValue>;

/** Longest line that is parsed, in characters. */
const MAX_LINE = 64 * 1024;
const MAX_DEPTH = 20;
const NUMBER = /-?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf\b|nan\b)/y;
const WORD = /True\b|False\b|None\b/y;
const SPACE = /\s*/y;
const WORDS = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
]);
const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** The dict of a line that holds nothing else; null for any other line. Never throws. */
export function parsePythonDict(line: string): ReadonlyMap<string, PythonValue> | null {
  const text = line.trim();
  if (!text.startsWith('{') || !text.endsWith('}') || text.length > MAX_LINE) return null;
  const reader = new DictReader(text);
  const value = reader.readValue(0);
  return value instanceof Map && reader.isAtEnd() ? value : null;
}

/** The number that a value is or spells: `1.5`, `'1.679'`, `'nan'`, `'inf'`. null: none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const word = value.trim().toLowerCase();
  if (word === 'nan') return Number.NaN;
  const infinity = /^([+-]?)inf(?:inity)?$/.exec(word);
  if (infinity) return infinity[1] === '-' ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(word) ? Number(word) : null;
}

/** Recursive descent; `undefined` says that the text is no Python value. */
class DictReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    this.#match(SPACE);
    return this.#at === this.#text.length;
  }

  readValue(depth: number): PythonValue | undefined {
    this.#match(SPACE);
    const first = this.#text[this.#at];
    if (depth > MAX_DEPTH || first === undefined) return undefined;
    if (first === '{') return this.#readDict(depth);
    if (first === '[') return this.#readList(']', depth);
    if (first === '(') return this.#readList(')', depth);
    if (first === "'" || first === '"') return this.#readString(first);
    const word = this.#match(WORD);
    if (word !== null) return WORDS.get(word);
    const number = this.#match(NUMBER);
    if (number === null) return undefined;
    return numberOf(number.replaceAll('_', '')) ?? undefined;
  }

  #readDict(depth: number): PythonValue | undefined {
    const found = new Map<string, PythonValue>();
    this.#at += 1;
    while (!this.#take('}')) {
      const key = this.readValue(depth + 1);
      if ((typeof key !== 'string' && typeof key !== 'number') || !this.#take(':')) return undefined;
      const value = this.readValue(depth + 1);
      if (value === undefined) return undefined;
      found.set(String(key), value);
      if (!this.#take(',')) return this.#take('}') ? found : undefined;
    }
    return found;
  }

  #readList(end: string, depth: number): PythonValue | undefined {
    const found: PythonValue[] = [];
    this.#at += 1;
    while (!this.#take(end)) {
      const value = this.readValue(depth + 1);
      if (value === undefined) return undefined;
      found.push(value);
      if (!this.#take(',')) return this.#take(end) ? found : undefined;
    }
    return found;
  }

  #readString(quote: string): string | undefined {
    let found = '';
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === quote) {
        this.#at = at + 1;
        return found;
      }
      if (character === '\\') {
        at += 1;
        const escaped = this.#text[at] ?? '';
        found += ESCAPES.get(escaped) ?? escaped;
      } else found += character;
    }
    return undefined;
  }

  #take(character: string): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
