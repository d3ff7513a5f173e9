// llama.cpp's grammar language (GBNF): named rules, literals, repetition.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { SchemaProblem } from '#core/schema/schemaNode.ts';
import { WorkBudget } from '#core/schema/workBudget.ts';

/** A text as a GBNF literal. */
export function quote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

/** Most repetitions in one grammar. llama.cpp writes each of them out as a rule. */
const MAX_TOTAL_REPEATS = REQUEST_LIMITS.schemaRepeats * 8;
const MAX_RULES = 8192;
/** Most characters of a grammar. llama.cpp reads the text twice for each answer, in the service's own loop. */
const MAX_TEXT = 512 * 1024;

/** Collects the rules of one request. Equal bodies share one rule. */
export class Rules {
  readonly #bodies = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #shared = new Map<string, string>();
  #repeats = 0;
  #textLength = 0;
  /** `budget`: the remaining work for compiling this request. */
  constructor(readonly budget = new WorkBudget()) {}

  /** Adds a rule and returns its name. */
  add(hint: string, body: string): string {
    const known = this.#names.get(body);
    if (known !== undefined) return known;
    const name = this.reserve(hint);
    this.define(name, body);
    this.#names.set(body, name);
    return name;
  }

  /** The cached result of the first `write` for this key. */
  share(key: string, write: () => string): string {
    const known = this.#shared.get(key) ?? write();
    this.#shared.set(key, known);
    return known;
  }

  /** Reserves a name for a rule whose body refers to itself. Call `define` next. */
  reserve(hint: string): string {
    if (this.#bodies.size >= MAX_RULES)
      throw new SchemaProblem([], 'The schema is too large to be enforced. Make it smaller.');
    const name = `${hint.replace(/[^a-zA-Z0-9]/g, '').slice(0, 16) || 'rule'}-${this.#bodies.size}`;
    this.#bodies.set(name, '');
    return name;
  }

  define(name: string, body: string): void {
    this.#textLength += name.length + body.length;
    if (this.#textLength > MAX_TEXT)
      throw new SchemaProblem([], 'The schema is too large to be enforced. Make it smaller.');
    this.#bodies.set(name, body);
  }

  /** `item` from `min` to `max` times; `max` null: no upper bound. */
  repeat(item: string, min: number, max: number | null): string {
    if (max === 0) return '""';
    if (min === 1 && max === 1) return item;
    if (min === 0 && max === 1) return `(${item})?`;
    if (min <= 1 && max === null) return `(${item})${min === 0 ? '*' : '+'}`;
    this.#repeats += max ?? min;
    if (this.#repeats > MAX_TOTAL_REPEATS) {
      throw new SchemaProblem(
        [],
        `The schema's lengths and counts add up to more than ${MAX_TOTAL_REPEATS}. Lower some of them or leave ` +
          'them out.',
      );
    }
    // llama.cpp multiplies the count by the number of rules inside brackets and refuses 2,000. A rule name counts once.
    return `${/^[\w-]+$/.test(item) ? item : this.add('item', item)}{${min},${max ?? ''}}`;
  }

  /** `item` from `min` to `max` times with commas between. */
  list(item: string, comma: string, min: number, max: number | null): string {
    if (max === 0) return '""';
    const more = this.repeat(`${comma} ${item}`, Math.max(0, min - 1), max === null ? null : max - 1);
    return min === 0 ? `(${item} ${more})?` : `${item} ${more}`;
  }

  /**
   * The whole grammar. `root`: the body of the root rule. A rule comes before the rules that it refers to: llama.cpp
   * looks for left recursion from each rule that it has not visited. In any other order, that takes time quadratic in
   * the number of rules.
   */
  toText(root: string): string {
    const lines = [...this.#bodies].map(([name, body]) => `${name} ::= ${body}`);
    return [`root ::= ${root}`, ...lines.reverse()].join('\n');
  }
}
