// Regular expressions as deterministic automata: after any text, one state says what may follow. So llama.cpp keeps a
// single reading of the text. With patterns such as `[ab]*[ab]*` or `(a|b|ab)*`, the readings would multiply.
import type { CharRange } from './charClass.ts';
import { SchemaProblem, type Automaton, type Move } from './schemaNode.ts';
import type { WorkBudget } from './workBudget.ts';

export type Expression =
  /** One character of `ranges`, which have at least one writable character. */
  | { readonly kind: 'char'; readonly ranges: readonly CharRange[] }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  /** `max` null: no bound. */
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number | null };

/** Most characters of a pattern after its counts are written out. */
const MAX_PLACES = 8192;
const MAX_STATES = 2048;

function fail(what: string): never {
  throw new SchemaProblem(['pattern'], `The pattern ${what}. Lower its counts, or make it shorter.`);
}

function countPlaces(expression: Expression): number {
  switch (expression.kind) {
    case 'char':
      return 1;
    case 'sequence':
      return expression.items.reduce((sum, item) => sum + countPlaces(item), 1);
    case 'choice':
      return expression.options.reduce((sum, option) => sum + countPlaces(option), 1);
    default:
      return countPlaces(expression.item) * Math.max(1, expression.max ?? expression.min + 1) + 1;
  }
}

/** A nondeterministic automaton: edges read a character, skips read none. */
class Network {
  readonly edges: { readonly ranges: readonly CharRange[]; readonly to: number }[][] = [];
  readonly skips: number[][] = [];

  add(): number {
    this.edges.push([]);
    this.skips.push([]);
    return this.edges.length - 1;
  }

  /** Adds the expression after `from` and returns the place after it. */
  build(expression: Expression, from: number): number {
    switch (expression.kind) {
      case 'char': {
        const to = this.add();
        this.edges[from]?.push({ ranges: expression.ranges, to });
        return to;
      }
      case 'sequence':
        return expression.items.reduce((at, item) => this.build(item, at), from);
      case 'choice': {
        const ends = expression.options.map((option) => this.build(option, this.#skipFrom(from)));
        const end = this.add();
        for (const at of ends) this.skips[at]?.push(end);
        return end;
      }
      default:
        return this.#repeat(expression.item, expression.min, expression.max, from);
    }
  }

  #skipFrom(from: number): number {
    const to = this.add();
    this.skips[from]?.push(to);
    return to;
  }

  #repeat(item: Expression, min: number, max: number | null, from: number): number {
    let at = from;
    for (let count = 0; count < min; count += 1) at = this.build(item, at);
    if (max === null) {
      const hub = this.#skipFrom(at);
      this.skips[this.build(item, hub)]?.push(hub);
      return hub;
    }
    // Each optional copy has a skip to the end, so a place has two exits, and not one for each copy.
    const end = this.add();
    for (let count = min; count < max; count += 1) {
      this.skips[at]?.push(end);
      at = this.build(item, at);
    }
    this.skips[at]?.push(end);
    return end;
  }
}

class Determinizer {
  readonly #network = new Network();
  readonly #end: number;
  /** The places of each state. */
  readonly #sets: (readonly number[])[] = [];
  /** The state of each set of places. */
  readonly #stateBySet = new Map<string, number>();
  readonly #states: Automaton['states'][number][] = [];
  constructor(
    expression: Expression,
    readonly budget: WorkBudget,
  ) {
    this.#end = this.#network.build(expression, this.#network.add());
  }

  run(): Automaton {
    this.#findState([0]);
    for (let at = 0; at < this.#sets.length; at += 1) {
      if (at >= MAX_STATES) fail(`needs more than ${MAX_STATES} states to be enforced`);
      const places = this.#sets[at] ?? [];
      this.#states.push({ isEnd: places.includes(this.#end), moves: this.#toMoves(places) });
    }
    // A class of characters can have up to four escapes in addition.
    const width = this.#states.reduce((most, { moves }) => Math.max(most, moves.length), 1) + 4;
    return { states: this.#states, width };
  }

  #findState(places: Iterable<number>): number {
    const seen = new Set<number>(places);
    for (const place of seen) for (const next of this.#network.skips[place] ?? []) seen.add(next);
    this.budget.spend(seen.size, ['pattern']);
    const { edges } = this.#network;
    const isRelevant = (place: number): boolean => place === this.#end || (edges[place]?.length ?? 0) > 0;
    const relevant = [...seen].filter(isRelevant).sort((one, two) => one - two);
    const key = relevant.join();
    const known = this.#stateBySet.get(key);
    if (known !== undefined) return known;
    this.#stateBySet.set(key, this.#sets.length);
    this.#sets.push(relevant);
    return this.#sets.length - 1;
  }

  /** Divides the possible next characters into ranges, each with one next state. */
  #toMoves(places: readonly number[]): readonly Move[] {
    const marks: { at: number; to: number; step: 1 | -1 }[] = [];
    for (const place of places) {
      for (const { ranges, to } of this.#network.edges[place] ?? []) {
        for (const [low, high] of ranges) marks.push({ at: low, to, step: 1 }, { at: high + 1, to, step: -1 });
      }
    }
    this.budget.spend(marks.length, ['pattern']);
    marks.sort((one, two) => one.at - two.at);
    const open = new Map<number, number>();
    const moves = new Map<number, { readonly ranges: CharRange[]; readonly to: number }>();
    for (const [index, { at, to, step }] of marks.entries()) {
      const count = (open.get(to) ?? 0) + step;
      if (count === 0) open.delete(to);
      else open.set(to, count);
      const next = marks[index + 1]?.at ?? at;
      if (next === at || open.size === 0) continue;
      const state = this.#findState(open.keys());
      const move = moves.get(state) ?? { ranges: [], to: state };
      moves.set(state, move);
      const last = move.ranges.at(-1);
      if (last?.[1] === at - 1) move.ranges[move.ranges.length - 1] = [last[0], next - 1];
      else move.ranges.push([at, next - 1]);
    }
    return [...moves.values()];
  }
}

/** Throws SchemaProblem with the path `pattern` if the expression needs too many states or too much work. */
export function toAutomaton(expression: Expression, budget: WorkBudget): Automaton {
  const places = countPlaces(expression);
  if (places > MAX_PLACES) fail(`has more than ${MAX_PLACES} characters once its counts are multiplied out`);
  return new Determinizer(expression, budget).run();
}
