// Regular expressions of JSON schema's `pattern` as grammars for the text between the quotes of a JSON text.
// `pattern` may match anywhere in a text; what is written is the match alone, which satisfies it in every case.
import { REQUEST_LIMITS } from '../contract/limits';
import { classOf, toClassRule, type CharRange } from './charClass';
import type { Rules } from './gbnf';
import { SchemaProblem } from './schemaNode';

const ESCAPED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 };
const MAX_DEPTH = 32;

/** A part of a grammar, with what decides whether it can be repeated. */
interface Part {
  readonly rule: string;
  /** How many characters it matches; null when that varies. */
  readonly length: number | null;
  /** Whether it matches the empty text: repeated without bound, that would never end. */
  readonly isNullable: boolean;
  /** Places inside of it. Repeating a part of varying length leaves open which of them was reached how often. */
  readonly states: number;
}

/** Readings of one text that llama.cpp may have to keep: 256 cost some milliseconds a token, and the time grows with their square. */
const MAX_READINGS = 256;

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function toAlternatives(options: readonly Part[]): Part {
  const lengths = new Set(options.map(({ length }) => length));
  return {
    rule: options.map(({ rule }) => rule).join(' | '),
    length: lengths.size === 1 ? (options[0]?.length ?? null) : null,
    isNullable: options.some(({ isNullable }) => isNullable),
    states: sumOf(options.map(({ states }) => states)),
  };
}

function toSequence(items: readonly Part[]): Part {
  const isFixed = items.every(({ length }) => length !== null);
  return {
    rule: items.length === 0 ? '""' : items.map(({ rule }) => rule).join(' '),
    length: isFixed ? sumOf(items.map(({ length }) => length ?? 0)) : null,
    isNullable: items.every(({ isNullable }) => isNullable),
    states: sumOf(items.map(({ states }) => states)),
  };
}

class PatternParser {
  #at = 0;
  #depth = 0;
  readonly #chars: readonly string[];
  constructor(
    readonly pattern: string,
    readonly rules: Rules,
  ) {
    this.#chars = [...pattern];
  }

  parse(): string {
    const options: Part[] = [];
    do {
      this.#take('^');
      options.push(this.#sequence());
      this.#take('$');
    } while (this.#take('|'));
    if (this.#at < this.#chars.length) this.#fail(`"${this.#peek()}" at position ${this.#at + 1}`);
    return toAlternatives(options).rule;
  }

  #fail(what: string): never {
    throw new SchemaProblem(['pattern'], `The pattern ${JSON.stringify(this.pattern)} uses ${what}, which can't be enforced. Use letters, classes, groups, "|" and counts.`);
  }

  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  #take(text: string): boolean {
    if (this.#chars.slice(this.#at, this.#at + text.length).join('') !== text) return false;
    this.#at += text.length;
    return true;
  }

  #sequence(): Part {
    const items: Part[] = [];
    while (this.#at < this.#chars.length && !'|)$'.includes(this.#peek())) items.push(this.#quantified(this.#take('(') ? this.#group() : this.#character()));
    return toSequence(items);
  }

  #character(): Part {
    return { rule: toClassRule(this.#ranges()), length: 1, isNullable: false, states: 1 };
  }

  #ranges(): readonly CharRange[] {
    if (this.#take('[')) return this.#charClass();
    if (this.#take('.')) return classOf('any');
    if (this.#take('\\')) return this.#escape();
    const char = this.#peek();
    if ('*+?{^'.includes(char)) this.#fail(`"${char}" at position ${this.#at + 1}`);
    this.#at += 1;
    return [[char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0]];
  }

  #group(): Part {
    if (this.#take('?') && !this.#take(':')) this.#fail('a lookaround or a named group');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail('too many nested groups');
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth -= 1;
    if (!this.#take(')')) this.#fail('"(" without ")"');
    const part = toAlternatives(options);
    return { ...part, rule: this.rules.add('group', part.rule) };
  }

  #escape(): readonly CharRange[] {
    const char = this.#peek();
    this.#at += 1;
    if ('dDwWsS'.includes(char) && char !== '') return classOf(char as 'd' | 'D' | 'w' | 'W' | 's' | 'S');
    const hexLength = char === 'x' ? 2 : char === 'u' ? 4 : 0;
    if (hexLength > 0) {
      const hex = this.#chars.slice(this.#at, this.#at + hexLength).join('');
      if (!/^[0-9a-fA-F]+$/.test(hex) || hex.length !== hexLength) this.#fail(`"\\${char}"`);
      this.#at += hexLength;
      return [[Number.parseInt(hex, 16), Number.parseInt(hex, 16)]];
    }
    const code = ESCAPED[char] ?? (/[a-zA-Z0-9]/.test(char) ? undefined : char.codePointAt(0));
    return code === undefined ? this.#fail(`"\\${char}"`) : [[code, code]];
  }

  #charClass(): readonly CharRange[] {
    const isNegated = this.#take('^');
    const ranges: CharRange[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#chars.length) this.#fail('"[" without "]"');
      const from = this.#classItem();
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']' && from.length === 1 && from[0]?.[0] === from[0]?.[1];
      if (!isRange) {
        ranges.push(...from);
        continue;
      }
      this.#at += 1;
      const to = this.#classItem();
      const [low, high] = [from[0]?.[0] ?? 0, to[0]?.[1] ?? 0];
      if (to.length !== 1 || to[0]?.[0] !== high || low > high) this.#fail('a range that is no range');
      ranges.push([low, high]);
    }
    return isNegated ? classOf('not', ranges) : ranges;
  }

  #classItem(): readonly CharRange[] {
    if (this.#take('\\')) return this.#take('b') ? [[8, 8]] : this.#escape();
    const code = this.#peek().codePointAt(0) ?? 0;
    this.#at += 1;
    return [[code, code]];
  }

  #quantified(atom: Part): Part {
    const counts = this.#counts();
    if (counts === null) return atom;
    this.#take('?');
    if ('*+?{'.includes(this.#peek()) && this.#peek() !== '') this.#fail('two counts after one another');
    const { min, max } = counts;
    if (atom.isNullable && max !== 1) this.#fail('a repeated group that may be empty');
    const states = Math.max(1, atom.states) * Math.max(1, max ?? min + 1);
    if (max !== 1 && atom.length === null && states > MAX_READINGS) this.#fail(`counts within counts that multiply to more than ${MAX_READINGS}`);
    const length = min === max && atom.length !== null ? atom.length * min : null;
    return { rule: this.rules.repeat(atom.rule, min, max), length, isNullable: atom.isNullable || min === 0, states };
  }

  #counts(): { readonly min: number; readonly max: number | null } | null {
    if (this.#take('*')) return { min: 0, max: null };
    if (this.#take('+')) return { min: 1, max: null };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (!this.#take('{')) return null;
    const found = /^(\d{1,6})(,(\d{1,6})?)?\}/.exec(this.#chars.slice(this.#at).join(''));
    if (found === null) return this.#fail('"{" without a count');
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === undefined ? null : Number(found[3]);
    if (Math.max(min, max ?? 0) > REQUEST_LIMITS.schemaRepeats) this.#fail(`a count above ${REQUEST_LIMITS.schemaRepeats}`);
    if (max !== null && max < min) this.#fail('a count that allows nothing');
    return { min, max };
  }
}

/** Throws SchemaProblem for what goes beyond letters, classes, groups, alternatives and counts. */
export function toPatternRule(pattern: string, rules: Rules): string {
  return new PatternParser(pattern, rules).parse();
}
