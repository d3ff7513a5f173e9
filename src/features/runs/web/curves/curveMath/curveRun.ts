// A run whose curves may be drawn. Pure.
export interface CurveRun {
  readonly id: string;
  /** No other run here has it. */
  readonly label: string;
  readonly isActive: boolean;
  /** Its place among the runs chosen in the table, which gives its colour; null: not chosen. */
  readonly chosenPlace: number | null;
}

/** More runs are not drawn unless a person chooses them: their lines would hide each other. */
export const MOST_RUNS = 200;

export interface RunChoice {
  readonly runs: readonly CurveRun[];
  readonly isChosen: boolean;
  /** Runs that would fit the choice, but are too many. */
  readonly left: number;
}

/** The runs chosen in the table if there are any and nobody asked for all; else all below the node. */
export function toRunChoice(all: readonly CurveRun[], wanted: 'chosen' | 'all' | null): RunChoice {
  const chosen = all.filter(({ chosenPlace }) => chosenPlace !== null);
  const isChosen = wanted !== 'all' && chosen.length > 0;
  const fitting = isChosen ? chosen : all;
  const runs = fitting.slice(0, MOST_RUNS);
  return { runs, isChosen, left: fitting.length - runs.length };
}
