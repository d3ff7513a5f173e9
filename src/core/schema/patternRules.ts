// Reads the regular expressions of JSON schema's `pattern`, for the text between the quotes of a JSON text.
// `pattern` may match anywhere in a text. Only the match is written, which always satisfies it.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { classOf, toWritable, type CharRange } from './charClass.ts';
import { toAutomaton, type Expression } from './patternAutomaton.ts';
import { SchemaProblem, type Automaton } from './schemaNode.ts';
import type { WorkBudget } from './workBudget.ts';

const ESCAPED: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 };
const MAX_DEPTH = 32;
const MAX_LENGTH = 16_384;
/** Steps of work for each character of a pattern. */
const CHARACTER_COST = 5;
/** Most characters of a pattern that an error quotes. */
const MAX_QUOTED = 200;
/** A count after its `{`: six digits, a comma, six digits, `}`. */
const MAX_COUNT_LENGTH = 14;

class PatternParser {
  #at = 0;
  #depth = 0;
  readonly #chars: readonly string[];
  constructor(readonly pattern: string) {
    this.#chars = [...pattern];
  }

  parse(): Expression {
    const options: Expression[] = [];
    do {
      this.#take('^');
      options.push(this.#sequence());
      this.#take('$');
    } while (this.#take('|'));
    if (this.#at < this.#chars.length) this.#fail(`"${this.#peek()}" at position ${this.#at + 1}`);
    return { kind: 'choice', options };
  }

  #fail(what: string): never {
    const shown = this.pattern.length > MAX_QUOTED ? `${this.pattern.slice(0, MAX_QUOTED)}…` : this.pattern;
    throw new SchemaProblem(
      ['pattern'],
      `The pattern ${JSON.stringify(shown)} uses ${what}, which can't be enforced. Use letters, classes, groups, ` +
        '"|" and counts.',
    );
  }

  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  /** Reads `text` if it is the next character. */
  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at += 1;
    return true;
  }

  #sequence(): Expression {
    const items: Expression[] = [];
    while (this.#at < this.#chars.length && !'|)$'.includes(this.#peek())) {
      items.push(this.#quantified(this.#take('(') ? this.#group() : this.#character()));
    }
    return { kind: 'sequence', items };
  }

  #character(): Expression {
    const ranges = toWritable(this.#ranges());
    if (ranges.length > 0) return { kind: 'char', ranges };
    throw new SchemaProblem(
      ['pattern'],
      "The pattern has a class of characters that can't be written. Use printable characters.",
    );
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

  #group(): Expression {
    if (this.#take('?') && !this.#take(':')) this.#fail('a lookaround or a named group');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail('too many nested groups');
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    this.#depth -= 1;
    if (!this.#take(')')) this.#fail('"(" without ")"');
    return { kind: 'choice', options };
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
      const isRange =
        this.#peek() === '-' && this.#chars[this.#at + 1] !== ']' && from.length === 1 && from[0]?.[0] === from[0]?.[1];
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

  #quantified(item: Expression): Expression {
    const counts = this.#counts();
    if (counts === null) return item;
    this.#take('?');
    if ('*+?{'.includes(this.#peek()) && this.#peek() !== '') this.#fail('two counts after one another');
    return { kind: 'repeat', item, ...counts };
  }

  #counts(): { readonly min: number; readonly max: number | null } | null {
    if (this.#take('*')) return { min: 0, max: null };
    if (this.#take('+')) return { min: 1, max: null };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (!this.#take('{')) return null;
    const found = /^(\d{1,6})(,(\d{1,6})?)?\}/.exec(this.#chars.slice(this.#at, this.#at + MAX_COUNT_LENGTH).join(''));
    if (found === null) return this.#fail('"{" without a count');
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === undefined ? null : Number(found[3]);
    if (Math.max(min, max ?? 0) > REQUEST_LIMITS.schemaRepeats)
      this.#fail(`a count above ${REQUEST_LIMITS.schemaRepeats}`);
    if (max !== null && max < min) this.#fail('a count that allows nothing');
    return { min, max };
  }
}

/**
 * Throws SchemaProblem with the path `pattern` for syntax other than letters, classes, groups, alternatives and counts.
 */
export function readPattern(pattern: string, budget: WorkBudget): Automaton {
  if (pattern.length > MAX_LENGTH) {
    throw new SchemaProblem(
      ['pattern'],
      `The pattern has ${pattern.length} characters; at most ${MAX_LENGTH} can be enforced. Make it shorter.`,
    );
  }
  const known = budget.patterns.get(pattern);
  if (known !== undefined) return known;
  budget.spend(pattern.length * CHARACTER_COST, ['pattern']);
  const automaton = toAutomaton(new PatternParser(pattern).parse(), budget);
  budget.patterns.set(pattern, automaton);
  return automaton;
}
