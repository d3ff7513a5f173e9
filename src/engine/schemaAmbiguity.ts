// Bounds how many readings of a half-written answer a grammar keeps open at once. Without this, two entries of an
// anyOf that begin alike, inside of a definition that contains itself, double them with every bracket.
import { areDisjoint, type DisjointContext } from './schemaDisjoint';
import { SchemaProblem, type SchemaDocument, type SchemaNode } from './schemaNode';

/** Readings that may stay open; each costs time with every character. */
const MAX_READINGS = 256;

/** With what a node's text begins; nodes that begin differently are told apart by one character. */
type Start = 'text' | 'number' | 'object' | 'array' | 'word';

const ALL: readonly Start[] = ['text', 'number', 'object', 'array', 'word'];

/** `known` keeps the starts of definitions; the schema is grounded, so that they lead to an end. */
function startsOf(node: SchemaNode, definitions: ReadonlyMap<string, SchemaNode>, known: Map<string, ReadonlySet<Start>>): ReadonlySet<Start> {
  switch (node.kind) {
    case 'string':
    case 'format':
    case 'pattern':
      return new Set(['text']);
    case 'number':
      return new Set(['number']);
    case 'array':
      return new Set(['array']);
    case 'object':
    case 'map':
      return new Set(['object']);
    case 'any':
      return new Set(ALL);
    case 'union':
      return new Set(node.options.flatMap((option) => [...startsOf(option, definitions, known)]));
    case 'ref': {
      const target = definitions.get(node.name);
      const starts = known.get(node.name) ?? (target === undefined ? new Set<Start>() : startsOf(target, definitions, known));
      known.set(node.name, starts);
      return starts;
    }
    default:
      // Lists of values end by themselves: however many begin alike, none of them leads back.
      return new Set(['word']);
  }
}

function childrenOf(node: SchemaNode): readonly SchemaNode[] {
  switch (node.kind) {
    case 'array':
      return node.items === null ? node.prefix : [...node.prefix, node.items];
    case 'object':
      return node.members.map((member) => member.node);
    case 'map':
      return [node.values];
    case 'union':
      return node.options;
    default:
      return [];
  }
}

class Counter {
  readonly #reach = new Map<string, ReadonlySet<string>>();
  readonly #counts = new Map<string, number>();
  readonly #starts = new Map<string, ReadonlySet<Start>>();
  constructor(readonly context: DisjointContext) {}

  /** Readings that a text of this node can have at once; `within`: the definitions that lead to it. */
  count(node: SchemaNode, within: readonly string[]): number {
    if (node.kind === 'ref') return this.#countRef(node.name, within);
    if (node.kind !== 'union') return childrenOf(node).reduce((most, child) => Math.max(most, this.count(child, within)), 1);
    let most = 1;
    for (const start of ALL) {
      const alike = node.options.filter((option) => startsOf(option, this.context.definitions, this.#starts).has(start));
      most = Math.max(most, this.#countAlike(alike, within));
    }
    return most;
  }

  #countAlike(options: readonly SchemaNode[], within: readonly string[]): number {
    const counts = options.map((option) => this.count(option, within));
    if (options.length < 2 || this.#areToldApartFirst(options)) return Math.max(1, ...counts);
    if (options.some((option) => within.some((name) => this.#reachOf(option).has(name)))) {
      throw new SchemaProblem([], 'The schema refers to itself from entries of "anyOf" or "oneOf" that begin alike. Give each entry a required member with a different const, and name it first.');
    }
    const sum = counts.reduce((total, count) => total + count, 0);
    if (sum > MAX_READINGS) throw new SchemaProblem([], `The schema has more than ${MAX_READINGS} combinations of entries that begin alike. Make fewer of them, or tell them apart by a required const that comes first.`);
    return sum;
  }

  /** Objects whose first member is required and has other values in each of them. */
  #areToldApartFirst(options: readonly SchemaNode[]): boolean {
    const firsts = options.map((option) => {
      const node = option.kind === 'ref' ? this.context.definitions.get(option.name) : option;
      return node?.kind === 'object' && node.members[0]?.isRequired === true ? node.members[0] : null;
    });
    return firsts.every((one, index) =>
      firsts.slice(index + 1).every((two) => one !== null && two !== null && one.name === two.name && areDisjoint(one.node, two.node, this.context)),
    );
  }

  #countRef(name: string, within: readonly string[]): number {
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const target = this.context.definitions.get(name);
    if (target === undefined || within.includes(name)) return 1;
    const count = this.count(target, [...within, name]);
    this.#counts.set(name, count);
    return count;
  }

  /** All definitions that a node leads to, directly or not. */
  #reachOf(node: SchemaNode): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.kind !== 'ref') open.push(...childrenOf(next));
      else if (!found.has(next.name)) {
        found.add(next.name);
        const known = this.#reach.get(next.name);
        const target = this.context.definitions.get(next.name);
        if (known !== undefined) for (const name of known) found.add(name);
        else if (target !== undefined) open.push(target);
      }
    }
    if (node.kind === 'ref') this.#reach.set(node.name, found);
    return found;
  }
}

/** Throws SchemaProblem for a schema that would keep too many readings open. */
export function assertUnambiguous({ root }: SchemaDocument, context: DisjointContext): void {
  new Counter(context).count(root, []);
}
