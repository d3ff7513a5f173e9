// llama.cpp's grammar language (GBNF): named rules, literals, repetition.
import { REQUEST_LIMITS } from '#shared/contract/limits.ts';
import { SchemaProblem } from './schemaNode.ts';
import { WorkBudget } from './workBudget.ts';

/** A text as a GBNF literal. */
export function quote(text: string): string {
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}

/** All repetitions of one grammar together; llama.cpp writes each of them out as a rule. */
const MAX_TOTAL_REPEATS = REQUEST_LIMITS.schemaRepeats * 8;
const MAX_RULES = 8192;
/** llama.cpp reads the text twice for each answer, in the service's own loop. */
const MAX_TEXT = 512 * 1024;

/** Collects the rules of one request; equal bodies share one rule. */
export class Rules {
  readonly #bodies = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #shared = new Map<string, string>();
  #repeats = 0;
  #textLength = 0;
  /** `budget`: what compiling this request may still take. */
  constructor(readonly budget = new WorkBudget()) {}

  /** Adds a rule and gives its name. */
  add(hint: string, body: string): string {
    const known = this.#names.get(body);
    if (known !== undefined) return known;
    const name = this.reserve(hint);
    this.define(name, body);
    this.#names.set(body, name);
    return name;
  }

  /** What `write` gave the first time for this key. */
  share(key: string, write: () => string): string {
    const known = this.#shared.get(key) ?? write();
    this.#shared.set(key, known);
    return known;
  }

  /** A name for a rule whose body refers to itself; `define` follows. */
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

  /** `item` from `min` to `max` times; null: without an upper bound. */
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
    // llama.cpp multiplies the count with the rules that it meets first inside of brackets, and refuses 2,000 of them.
    return `${/^[\w-]+$/.test(item) ? item : this.add('item', item)}{${min},${max ?? ''}}`;
  }

  /** `item` from `min` to `max` times with commas between. */
  list(item: string, comma: string, min: number, max: number | null): string {
    if (max === 0) return '""';
    const more = this.repeat(`${comma} ${item}`, Math.max(0, min - 1), max === null ? null : max - 1);
    return min === 0 ? `(${item} ${more})?` : `${item} ${more}`;
  }

  /**
   * The whole grammar; `root` is what the text must be. Rules that lead to others come before them: llama.cpp looks for
   * left recursion from each rule that it has not yet passed, in this order, which else takes the square of their
   * number.
   */
  toText(root: string): string {
    const lines = [...this.#bodies].map(([name, body]) => `${name} ::= ${body}`);
    return [`root ::= ${root}`, ...lines.reverse()].join('\n');
  }
}
