// Bounds the work of compiling one request. A number of steps gives the same result on every machine; a deadline is for
// a machine that is too busy. If neither stops the work, compilerThread.ts ends the thread.
import { SchemaProblem, type Automaton, type SchemaPath } from './schemaNode.ts';

/** Measured: this many steps take 0.1 to 0.5 s of one core. */
export const MAX_STEPS = 1_500_000;
/** Steps between two readings of the clock. */
const CLOCK_STEPS = 5_000;

const ADVICE = 'Make it smaller or simpler here: fewer entries, shorter lists, smaller counts.';

/** The time ran out before the steps. The schema may be small enough. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export class WorkBudget {
  /** Compiled patterns: tools of one request often have the same. */
  readonly patterns = new Map<string, Automaton>();
  #remaining: number;
  #nextClockCheck: number;
  /** `isOver`: whether the time is over, for a machine that is too busy. */
  constructor(
    steps = MAX_STEPS,
    private readonly isOver: () => boolean = () => false,
  ) {
    this.#remaining = steps;
    this.#nextClockCheck = steps - CLOCK_STEPS;
  }

  /** Throws SchemaProblem with the keyword's path if the steps are used up, OutOfTime if the time is over. */
  spend(steps: number, path: SchemaPath = []): void {
    this.#remaining -= steps;
    if (this.#remaining < 0) throw new SchemaProblem(path, `The schema takes too much work to compile. ${ADVICE}`);
    if (this.#remaining > this.#nextClockCheck) return;
    this.#nextClockCheck = this.#remaining - CLOCK_STEPS;
    if (this.isOver()) throw new OutOfTime('The time for the schema is over.');
  }
}
