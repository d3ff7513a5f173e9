// Bounds the work of compiling one request: steps, so that the same request is refused on every machine, and a point in
// time, for a machine that is too busy. compiler.ts ends what does not stop.
import { SchemaProblem, type Automaton, type SchemaPath } from './schemaNode.ts';

/** Measured: what uses them up takes 0.1 to 0.5 s of one core. */
const MAX_STEPS = 1_500_000;
/** Steps between two looks at the clock. */
const CLOCK_STEPS = 5_000;

const ADVICE = 'Make it smaller or simpler here: fewer entries, shorter lists, smaller counts.';

/** Time ran out before the steps did, so it is not the schema that is too large. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export class WorkBudget {
  /** Patterns that were compiled already: many tools of one request have the same. */
  readonly patterns = new Map<string, Automaton>();
  #left: number;
  #nextLook: number;
  /** `deadline`: on the clock of performance.now(). */
  constructor(
    steps = MAX_STEPS,
    readonly deadline = Number.POSITIVE_INFINITY,
  ) {
    this.#left = steps;
    this.#nextLook = steps - CLOCK_STEPS;
  }

  /** Throws SchemaProblem with the keyword's path when the request has used up its steps, OutOfTime when its time. */
  spend(steps: number, path: SchemaPath = []): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SchemaProblem(path, `The schema takes too much work to compile. ${ADVICE}`);
    if (this.#left > this.#nextLook) return;
    this.#nextLook = this.#left - CLOCK_STEPS;
    if (performance.now() <= this.deadline) return;
    throw new OutOfTime('The time for the schema is over.');
  }
}

/** A budget of the usual size that ends after `ms`. */
export function openBudget(ms: number): WorkBudget {
  return new WorkBudget(MAX_STEPS, performance.now() + ms);
}
