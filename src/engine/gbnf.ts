// llama.cpp's grammar language (GBNF): named rules, literals, repetition. It must not know JSON schema.
import { REQUEST_LIMITS } from '../contract/limits';
import { SchemaProblem } from './schemaNode';

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

/** Collects rules; equal bodies share one rule. */
export class Rules {
  readonly #bodies = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #repeats = 0;

  /** Adds a rule and gives its name. */
  add(hint: string, body: string): string {
    const known = this.#names.get(body);
    if (known !== undefined) return known;
    const name = this.reserve(hint);
    this.define(name, body);
    this.#names.set(body, name);
    return name;
  }

  /** A name for a rule whose body refers to itself; `define` follows. */
  reserve(hint: string): string {
    if (this.#bodies.size >= MAX_RULES) throw new SchemaProblem([], 'The schema is too large to be enforced. Make it smaller.');
    const name = `${hint.replace(/[^a-zA-Z0-9]/g, '').slice(0, 16) || 'rule'}-${this.#bodies.size}`;
    this.#bodies.set(name, '');
    return name;
  }

  define(name: string, body: string): void {
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
      throw new SchemaProblem([], `The schema's lengths and counts add up to more than ${MAX_TOTAL_REPEATS}. Lower some of them or leave them out.`);
    }
    return `(${item}){${min},${max ?? ''}}`;
  }

  /** `item` from `min` to `max` times with commas between. */
  list(item: string, comma: string, min: number, max: number | null): string {
    if (max === 0) return '""';
    const more = this.repeat(`${comma} ${item}`, Math.max(0, min - 1), max === null ? null : max - 1);
    return min === 0 ? `(${item} ${more})?` : `${item} ${more}`;
  }

  /** The whole grammar; `root` is what the text must be. */
  toText(root: string): string {
    const lines = [`root ::= ${root}`];
    for (const [name, body] of this.#bodies) lines.push(`${name} ::= ${body}`);
    return lines.join('\n');
  }
}
