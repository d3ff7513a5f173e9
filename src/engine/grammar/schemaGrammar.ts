// Writes a schema's nodes as grammar rules. Every text that matches the rules satisfies the schema.
import { quote, type Rules } from './gbnf.ts';
import { toFormatRule } from './formatRules.ts';
import type { JsonRules } from './jsonRules.ts';
import { toIntegerRule, toNumberRule } from './numberRules.ts';
import { toLiteralRule } from './literalRules.ts';
import { writeAutomaton } from './patternGrammar.ts';
import type { ObjectMember, SchemaDocument, SchemaNode } from '#core/schema/schemaNode.ts';

type NodeOf<K extends SchemaNode['kind']> = Extract<SchemaNode, { kind: K }>;

class Writer {
  readonly #names = new Map<string, string>();
  constructor(
    readonly rules: Rules,
    readonly json: JsonRules,
    readonly definitions: ReadonlyMap<string, SchemaNode>,
  ) {}

  /** Returns the name of a rule for the node. */
  write(node: SchemaNode): string {
    switch (node.kind) {
      case 'any':
        return this.json.value();
      case 'boolean':
        return this.json.boolean;
      case 'null':
        return this.rules.add('null', '"null"');
      case 'literal':
        return this.rules.add('literal', toLiteralRule(node.values.map((value) => JSON.stringify(value))));
      case 'string':
        return this.#writeString(node);
      case 'format':
        return this.#writeQuoted('format', toFormatRule(node.format));
      case 'pattern':
        return this.#writePattern(node);
      case 'number':
        return this.#writeNumber(node);
      case 'array':
        return this.#writeArray(node);
      case 'object':
        return this.#writeObject(node.members);
      case 'map':
        return this.#writeMap(node);
      case 'union':
        return this.rules.add('union', [...new Set(node.options.map((option) => this.write(option)))].join(' | '));
      case 'ref':
        return this.#writeRef(node.name);
      default: {
        const missing: never = node;
        return missing;
      }
    }
  }

  #writeQuoted(hint: string, body: string): string {
    return this.rules.add(hint, String.raw`"\"" (${body}) "\""`);
  }

  #writePattern({ pattern, automaton }: NodeOf<'pattern'>): string {
    return this.#writeQuoted(
      'pattern',
      this.rules.share(`pattern ${pattern}`, () => writeAutomaton(automaton, this.rules)),
    );
  }

  #writeString({ min, max }: NodeOf<'string'>): string {
    if (min === 0 && max === null) return this.json.text;
    return this.rules.add('text', String.raw`"\"" ${this.rules.repeat(this.json.character, min, max)} "\""`);
  }

  #writeNumber({ isInteger, min, max }: NodeOf<'number'>): string {
    if (isInteger) return this.rules.add('integer', toIntegerRule(min, max));
    return min === null && max === null ? this.json.number : this.rules.add('number', toNumberRule(min, max));
  }

  #writeRef(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const rule = this.rules.reserve('ref');
    this.#names.set(name, rule);
    this.rules.define(rule, this.write(this.definitions.get(name) ?? { kind: 'any' }));
    return rule;
  }

  #writeArray({ prefix, items, min, max }: NodeOf<'array'>): string {
    const { space, comma } = this.json;
    const rest = items === null ? null : this.write(items);
    if (prefix.length === 0) {
      if (rest === null) return this.rules.add('array', `"[" ${space} "]"`);
      return this.rules.add('array', `"[" ${space} ${this.rules.list(rest, comma, min, max)} ${space} "]"`);
    }
    // Built from the last item to the first. `tail`: what may follow item n.
    const room = max === null ? null : max - prefix.length;
    let tail = rest === null ? '""' : this.rules.repeat(`${comma} ${rest}`, Math.max(0, min - prefix.length), room);
    for (const [index, node] of [...prefix.entries()].reverse()) {
      const own = `${index === 0 ? '' : comma} ${this.write(node)} ${this.rules.add('tail', tail)}`;
      tail = index < min ? own : `(${own})?`;
    }
    return this.rules.add('array', `"[" ${space} ${tail} ${space} "]"`);
  }

  /**
   * Built from the last member to the first. The comma and the quote before a name are the same for all members, so they
   * are written once, before the alternatives. Otherwise llama.cpp would follow every alternative through them.
   */
  #writeObject(members: readonly ObjectMember[]): string {
    const { space, comma, colon } = this.json;
    const open = String.raw`"\""`;
    /** The rule for the next member, without the quote before its name. */
    let next: string | null = null;
    let isNextRequired = false;
    for (const { name, node, isRequired } of [...members].reverse()) {
      const pair = this.rules.add('pair', `${quote(JSON.stringify(name).slice(1))} ${colon} ${this.write(node)}`);
      const more: string =
        next === null ? '' : isNextRequired ? `${comma} ${open} ${next}` : `(${comma} ${open} ${next})?`;
      const others: string = isRequired || next === null ? '' : ` | ${next}`;
      next = this.rules.add('next', `${pair} ${more}${others}`);
      isNextRequired ||= isRequired;
    }
    if (next === null) return this.rules.add('object', `"{" ${space} "}"`);
    return this.rules.add(
      'object',
      isNextRequired ? `"{" ${space} ${open} ${next} ${space} "}"` : `"{" ${space} (${open} ${next} ${space})? "}"`,
    );
  }

  #writeMap({ values, min, max }: NodeOf<'map'>): string {
    const { space, comma, colon, text } = this.json;
    const pair = this.rules.add('pair', `${text} ${colon} ${this.write(values)}`);
    return this.rules.add('map', `"{" ${space} ${this.rules.list(pair, comma, min, max)} ${space} "}"`);
  }
}

/** Adds the rules of a schema and returns the name of its root rule. Throws SchemaProblem if they are too many. */
export function writeSchema(document: SchemaDocument, rules: Rules, json: JsonRules): string {
  return new Writer(rules, json, document.definitions).write(document.root);
}
