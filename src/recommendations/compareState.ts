// Which candidates are compared, against which baseline. A pure fold of what a person does.
// It must not know what candidates hold, nor where the state is kept.
import type { Choices } from './candidates';

/** A compared candidate and its colour, which it keeps until it leaves: 0 is the first series. */
export interface ChosenCandidate {
  readonly key: string;
  readonly series: number;
}

export interface CompareState {
  /** In the order of the columns. */
  readonly chosen: readonly ChosenCandidate[];
  /** null: the first column. */
  readonly baseline: string | null;
  readonly isOnlyDifferences: boolean;
}

export type CompareEvent =
  | { readonly type: 'candidate-toggle'; readonly key: string }
  | { readonly type: 'baseline-choose'; readonly key: string }
  | { readonly type: 'differences-toggle'; readonly isOnlyDifferences: boolean }
  | { readonly type: 'choice-clear' };

const START_COUNT = 4;

function toFreeSeries(chosen: readonly ChosenCandidate[]): number {
  const taken = new Set(chosen.map((entry) => entry.series));
  let series = 0;
  while (taken.has(series)) series += 1;
  return series;
}

/** What is compared before anyone has chosen: the first experiments, else the advice on base models. */
export function toStartState(choices: Choices): CompareState {
  const source = choices.experiments.length > 1 ? choices.experiments : choices.candidates;
  return {
    chosen: source.slice(0, START_COUNT).map((candidate, series) => ({ key: candidate.key, series })),
    baseline: null,
    isOnlyDifferences: false,
  };
}

function toggleCandidate(state: CompareState, key: string): CompareState {
  if (!state.chosen.some((entry) => entry.key === key)) {
    return { ...state, chosen: [...state.chosen, { key, series: toFreeSeries(state.chosen) }] };
  }
  return {
    ...state,
    chosen: state.chosen.filter((entry) => entry.key !== key),
    baseline: state.baseline === key ? null : state.baseline,
  };
}

/** Folds one event; an event that changes nothing gives the very same state. */
export function reduceCompare(state: CompareState, event: CompareEvent): CompareState {
  switch (event.type) {
    case 'candidate-toggle':
      return toggleCandidate(state, event.key);
    case 'baseline-choose':
      return state.baseline === event.key ? state : { ...state, baseline: event.key };
    case 'differences-toggle':
      return state.isOnlyDifferences === event.isOnlyDifferences
        ? state
        : { ...state, isOnlyDifferences: event.isOnlyDifferences };
    case 'choice-clear':
      return state.chosen.length === 0 ? state : { ...state, chosen: [], baseline: null };
    default: {
      const impossible: never = event;
      return impossible;
    }
  }
}
