// Bounds what a half-written answer leaves open: readings of it, which multiply, and ways to go on, which add up.
// llama.cpp follows each of them with every token; without a bound, a small schema stops it for minutes.
import { countBranches } from './literalRules.ts';
import { areDisjoint, type DisjointContext } from './schemaDisjoint.ts';
import {
  SchemaProblem,
  type ObjectMember,
  type SchemaDocument,
  type SchemaNode,
  type SchemaPath,
} from './schemaNode.ts';

/** Readings that may stay open. Measured with the sample model: 32 take up to 5 ms a token, 64 take 9, 250 take 17. */
const MAX_READINGS = 32;
/** Ways to go on at one place. Measured with the sample model: 1,000 take 1 ms a token, 2,000 take 9. */
const MAX_WAYS = 1024;

/** What a node leaves open at once, at most. */
interface Width {
  /** Readings of one text. */
  readonly readings: number;
  /** Ways to go on, over all readings. */
  readonly ways: number;
  /** Ways to begin. */
  readonly first: number;
}

/** Ways of numbers with bounds: their digits are written out by length. */
const NUMBER_WAYS = 24;
const FEW_WAYS = 8;
/** Steps of work for each value of a list. */
const VALUE_COST = 5;

/** With what a node's text begins; nodes that begin differently are told apart by one character. */
type Start = 'text' | 'number' | 'object' | 'array' | 'word';

const ALL: readonly Start[] = ['text', 'number', 'object', 'array', 'word'];

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

/** The most members in a row of which each may be left out. */
function longestOptionalRun(members: readonly { readonly isRequired: boolean }[]): number {
  let run = 0;
  let most = 0;
  for (const { isRequired } of members) {
    run = isRequired ? 0 : run + 1;
    most = Math.max(most, run);
  }
  return most;
}

class Counter {
  readonly #reach = new Map<SchemaNode, ReadonlySet<string>>();
  readonly #widths = new Map<SchemaNode, Width>();
  readonly #starts = new Map<SchemaNode, ReadonlySet<Start>>();
  /** The definitions that lead to the node at hand. */
  readonly #within = new Set<string>();
  constructor(
    readonly context: DisjointContext,
    readonly paths: ReadonlyMap<SchemaNode, SchemaPath>,
  ) {}

  widthOf(node: SchemaNode): Width {
    const known = this.#widths.get(node);
    if (known !== undefined) return known;
    this.#spend(node, 1);
    const width = this.#measure(node);
    if (width.ways > MAX_WAYS) {
      const advice = 'Make members required, or split long lists of choices into groups.';
      throw this.#problem(node, `The schema leaves more than ${MAX_WAYS} ways to go on at one place. ${advice}`);
    }
    this.#widths.set(node, width);
    return width;
  }

  #spend(node: SchemaNode, steps: number): void {
    this.context.budget.spend(steps, this.paths.get(node));
  }

  #problem(node: SchemaNode, message: string): SchemaProblem {
    return new SchemaProblem(this.paths.get(node) ?? [], message);
  }

  #measure(node: SchemaNode): Width {
    switch (node.kind) {
      case 'literal': {
        const texts = node.values.map((value) => JSON.stringify(value));
        this.#spend(node, texts.length * VALUE_COST);
        const ways = countBranches(texts);
        return { readings: 1, ways, first: ways };
      }
      case 'pattern':
        return { readings: 1, ways: node.automaton.width, first: 1 };
      case 'number': {
        const ways = node.min === null && node.max === null ? FEW_WAYS : NUMBER_WAYS;
        return { readings: 1, ways, first: ways };
      }
      case 'any':
        return { readings: 1, ways: FEW_WAYS, first: FEW_WAYS };
      case 'array':
      case 'object':
      case 'map':
        return this.#measureContainer(node);
      case 'union':
        return this.#measureUnion(node);
      case 'ref':
        return this.#measureRef(node.name);
      default:
        return { readings: 1, ways: FEW_WAYS, first: node.kind === 'boolean' ? 2 : 1 };
    }
  }

  #measureContainer(node: Extract<SchemaNode, { kind: 'array' | 'object' | 'map' }>): Width {
    // Where a member or an item may end, what follows it is open beside what goes on in it.
    const after = node.kind === 'object' ? longestOptionalRun(node.members) : FEW_WAYS;
    let readings = 1;
    let ways = 0;
    for (const child of childrenOf(node)) {
      const width = this.widthOf(child);
      readings = Math.max(readings, width.readings);
      ways = Math.max(ways, width.ways);
    }
    return { readings, ways: ways + after + 1, first: 1 };
  }

  #measureRef(name: string): Width {
    const target = this.context.definitions.get(name);
    if (target === undefined || this.#within.has(name)) return { readings: 1, ways: 1, first: 1 };
    this.#within.add(name);
    const width = this.widthOf(target);
    this.#within.delete(name);
    return width;
  }

  #measureUnion(node: Extract<SchemaNode, { kind: 'union' }>): Width {
    const widths = node.options.map((option) => this.widthOf(option));
    const first = widths.reduce((sum, width) => sum + width.first, 0);
    let readings = 1;
    let ways = first;
    for (const start of ALL) {
      const alike = node.options.filter((option) => this.#startsOf(option).has(start));
      const width = this.#measureAlike(node, alike);
      readings = Math.max(readings, width.readings);
      ways = Math.max(ways, width.ways);
    }
    return { readings, ways, first };
  }

  /** Options of a union that begin alike. */
  #measureAlike(union: SchemaNode, options: readonly SchemaNode[]): Omit<Width, 'first'> {
    const widths = options.map((option) => this.widthOf(option));
    const areApart = options.length < 2 || this.#areToldApartFirst(union, options);
    if (areApart) {
      return {
        readings: Math.max(1, ...widths.map((width) => width.readings)),
        ways: Math.max(options.length, ...widths.map((width) => width.ways)),
      };
    }
    if (options.some((option) => [...this.#reachOf(option)].some((name) => this.#within.has(name)))) {
      const advice = 'Give each entry a required member with a different const, and name it first.';
      const what = 'The schema refers to itself from entries of "anyOf" or "oneOf" that begin alike.';
      throw this.#problem(union, `${what} ${advice}`);
    }
    const readings = widths.reduce((sum, width) => sum + width.readings, 0);
    if (readings > MAX_READINGS) {
      const advice = 'Make fewer of them, or tell them apart by a required const that comes first.';
      const what = `The schema has more than ${MAX_READINGS} combinations of entries that begin alike.`;
      throw this.#problem(union, `${what} ${advice}`);
    }
    return { readings, ways: widths.reduce((sum, width) => sum + width.ways, 0) };
  }

  /** Objects whose first member is required and has other values in each of them. */
  #areToldApartFirst(union: SchemaNode, options: readonly SchemaNode[]): boolean {
    const firsts = options.map((option) => {
      const node = option.kind === 'ref' ? this.context.definitions.get(option.name) : option;
      return node?.kind === 'object' && node.members[0]?.isRequired === true ? node.members[0] : null;
    });
    if (firsts.includes(null)) return false;
    this.#spend(union, firsts.length ** 2);
    const areApart = (one: ObjectMember | null, two: ObjectMember | null): boolean =>
      one !== null && two !== null && one.name === two.name && areDisjoint(one.node, two.node, this.context);
    return firsts.every((one, index) => firsts.slice(index + 1).every((two) => areApart(one, two)));
  }

  /** The schema is grounded, so that references lead to an end. */
  #startsOf(node: SchemaNode): ReadonlySet<Start> {
    const known = this.#starts.get(node);
    if (known !== undefined) return known;
    const starts = this.#readStarts(node);
    this.#starts.set(node, starts);
    return starts;
  }

  #readStarts(node: SchemaNode): ReadonlySet<Start> {
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
        return new Set(node.options.flatMap((option) => [...this.#startsOf(option)]));
      case 'ref': {
        const target = this.context.definitions.get(node.name);
        return target === undefined ? new Set() : this.#startsOf(target);
      }
      default:
        // Lists of values end by themselves: however many begin alike, none of them leads back.
        return new Set(['word']);
    }
  }

  /** All definitions that a node leads to, directly or not. */
  #reachOf(node: SchemaNode): ReadonlySet<string> {
    const cached = this.#reach.get(node);
    if (cached !== undefined) return cached;
    const found = new Set<string>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#spend(node, 1);
      if (next.kind !== 'ref') open.push(...childrenOf(next));
      else if (!found.has(next.name)) {
        found.add(next.name);
        const target = this.context.definitions.get(next.name);
        const known = target === undefined ? undefined : this.#reach.get(target);
        if (known !== undefined) for (const name of known) found.add(name);
        else if (target !== undefined) open.push(target);
      }
    }
    this.#reach.set(node, found);
    return found;
  }
}

/** Throws SchemaProblem for a schema that would leave too much open; `paths`: where its nodes stand. */
export function assertUnambiguous(
  { root }: SchemaDocument,
  context: DisjointContext,
  paths: ReadonlyMap<SchemaNode, SchemaPath>,
): void {
  new Counter(context, paths).widthOf(root);
}
