// Bounds how ambiguous an unfinished answer may be: its readings, which multiply, and its continuations, which add up.
// llama.cpp follows each of them with every token. Without a bound, a small schema stops it for minutes.
import { countBranches } from './literalTree.ts';
import { areDisjoint, type DisjointContext } from './schemaDisjoint.ts';
import {
  SchemaProblem,
  type ObjectMember,
  type SchemaDocument,
  type SchemaNode,
  type SchemaPath,
} from './schemaNode.ts';

/** Most readings of an answer. Measured with the sample model: 32 take up to 5 ms a token, 64 take 9, 250 take 17. */
const MAX_READINGS = 32;
/** Most continuations at one place. Measured with the sample model: 1,000 take 1 ms a token, 2,000 take 9. */
const MAX_CONTINUATIONS = 1024;

/** The ambiguity of a node at its worst place. */
interface Ambiguity {
  /** Readings of one text. */
  readonly readings: number;
  /** Continuations, over all readings. */
  readonly continuations: number;
  /** Possible beginnings. */
  readonly first: number;
}

/** Continuations of a number with bounds: its digits are written out by length. */
const NUMBER_CONTINUATIONS = 24;
/** Continuations of most other nodes. */
const FEW_CONTINUATIONS = 8;
/** Steps of work for each value of a list. */
const VALUE_COST = 5;

/** How a node's text begins. The first character distinguishes nodes that begin differently. */
type Start = 'text' | 'number' | 'object' | 'array' | 'word';

const ALL_STARTS: readonly Start[] = ['text', 'number', 'object', 'array', 'word'];

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

/** The length of the longest run of optional members. */
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
  readonly #reachable = new Map<SchemaNode, ReadonlySet<string>>();
  readonly #widths = new Map<SchemaNode, Ambiguity>();
  readonly #starts = new Map<SchemaNode, ReadonlySet<Start>>();
  /** The definitions that contain the current node. */
  readonly #openDefinitions = new Set<string>();
  constructor(
    readonly context: DisjointContext,
    readonly paths: ReadonlyMap<SchemaNode, SchemaPath>,
  ) {}

  widthOf(node: SchemaNode): Ambiguity {
    const known = this.#widths.get(node);
    if (known !== undefined) return known;
    this.#spend(node, 1);
    const width = this.#measure(node);
    if (width.continuations > MAX_CONTINUATIONS) {
      const advice = 'Make members required, or split long lists of choices into groups.';
      throw this.#problem(
        node,
        `The schema leaves more than ${MAX_CONTINUATIONS} ways to go on at one place. ${advice}`,
      );
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

  #measure(node: SchemaNode): Ambiguity {
    switch (node.kind) {
      case 'literal': {
        const texts = node.values.map((value) => JSON.stringify(value));
        this.#spend(node, texts.length * VALUE_COST);
        const continuations = countBranches(texts);
        return { readings: 1, continuations, first: continuations };
      }
      case 'pattern':
        return { readings: 1, continuations: node.automaton.width, first: 1 };
      case 'number': {
        const continuations = node.min === null && node.max === null ? FEW_CONTINUATIONS : NUMBER_CONTINUATIONS;
        return { readings: 1, continuations, first: continuations };
      }
      case 'any':
        return { readings: 1, continuations: FEW_CONTINUATIONS, first: FEW_CONTINUATIONS };
      case 'array':
      case 'object':
      case 'map':
        return this.#measureContainer(node);
      case 'union':
        return this.#measureUnion(node);
      case 'ref':
        return this.#measureRef(node.name);
      default:
        return { readings: 1, continuations: FEW_CONTINUATIONS, first: node.kind === 'boolean' ? 2 : 1 };
    }
  }

  #measureContainer(node: Extract<SchemaNode, { kind: 'array' | 'object' | 'map' }>): Ambiguity {
    // Where a member or an item may end, its own continuations and those after it are both open.
    const after = node.kind === 'object' ? longestOptionalRun(node.members) : FEW_CONTINUATIONS;
    let readings = 1;
    let continuations = 0;
    for (const child of childrenOf(node)) {
      const width = this.widthOf(child);
      readings = Math.max(readings, width.readings);
      continuations = Math.max(continuations, width.continuations);
    }
    return { readings, continuations: continuations + after + 1, first: 1 };
  }

  #measureRef(name: string): Ambiguity {
    const target = this.context.definitions.get(name);
    if (target === undefined || this.#openDefinitions.has(name)) return { readings: 1, continuations: 1, first: 1 };
    this.#openDefinitions.add(name);
    const width = this.widthOf(target);
    this.#openDefinitions.delete(name);
    return width;
  }

  #measureUnion(node: Extract<SchemaNode, { kind: 'union' }>): Ambiguity {
    const widths = node.options.map((option) => this.widthOf(option));
    const first = widths.reduce((sum, width) => sum + width.first, 0);
    let readings = 1;
    let continuations = first;
    for (const start of ALL_STARTS) {
      const alike = node.options.filter((option) => this.#findStarts(option).has(start));
      const width = this.#measureAlike(node, alike);
      readings = Math.max(readings, width.readings);
      continuations = Math.max(continuations, width.continuations);
    }
    return { readings, continuations, first };
  }

  /** Measures the options of a union that begin alike. */
  #measureAlike(union: SchemaNode, options: readonly SchemaNode[]): Omit<Ambiguity, 'first'> {
    const widths = options.map((option) => this.widthOf(option));
    const areApart = options.length < 2 || this.#differInFirstMember(union, options);
    if (areApart) {
      return {
        readings: Math.max(1, ...widths.map((width) => width.readings)),
        continuations: Math.max(options.length, ...widths.map((width) => width.continuations)),
      };
    }
    if (options.some((option) => [...this.#findReachable(option)].some((name) => this.#openDefinitions.has(name)))) {
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
    return { readings, continuations: widths.reduce((sum, width) => sum + width.continuations, 0) };
  }

  /** True for objects whose first member is required and has different values in each object. */
  #differInFirstMember(union: SchemaNode, options: readonly SchemaNode[]): boolean {
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

  /** Ends, because the schema is grounded: no reference leads only back to itself. */
  #findStarts(node: SchemaNode): ReadonlySet<Start> {
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
        return new Set(ALL_STARTS);
      case 'union':
        return new Set(node.options.flatMap((option) => [...this.#findStarts(option)]));
      case 'ref': {
        const target = this.context.definitions.get(node.name);
        return target === undefined ? new Set() : this.#findStarts(target);
      }
      default:
        // A list of fixed values ends by itself. However many begin alike, none refers back to the schema.
        return new Set(['word']);
    }
  }

  /** All definitions that a node refers to, directly or indirectly. */
  #findReachable(node: SchemaNode): ReadonlySet<string> {
    const cached = this.#reachable.get(node);
    if (cached !== undefined) return cached;
    const found = new Set<string>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#spend(node, 1);
      if (next.kind !== 'ref') open.push(...childrenOf(next));
      else if (!found.has(next.name)) {
        found.add(next.name);
        const target = this.context.definitions.get(next.name);
        const known = target === undefined ? undefined : this.#reachable.get(target);
        if (known !== undefined) for (const name of known) found.add(name);
        else if (target !== undefined) open.push(target);
      }
    }
    this.#reachable.set(node, found);
    return found;
  }
}

/** Throws SchemaProblem if a schema is too ambiguous. `paths`: the places of its nodes in the schema. */
export function assertUnambiguous(
  { root }: SchemaDocument,
  context: DisjointContext,
  paths: ReadonlyMap<SchemaNode, SchemaPath>,
): void {
  new Counter(context, paths).widthOf(root);
}
