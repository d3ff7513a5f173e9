// Joins one snapshot's compare state with its candidates. The state's place (compareStore) is known here alone.
import { useMemo } from 'react';
import type { Candidate, Choices } from './candidates';
import type { CompareControl } from './compareControl';
import { toStartState, type CompareState } from './compareState';
import { changeCompare, useCompareState } from './compareStore';

export interface Compare extends CompareControl {
  readonly state: CompareState;
  /** Chosen candidates that the record still has, in the order of the columns. */
  readonly columns: readonly Candidate[];
  readonly onBaselineChoose: (key: string) => void;
  readonly onDifferencesToggle: (isOnlyDifferences: boolean) => void;
  readonly onClear: () => void;
}

export function useCompare(snapshotId: string, choices: Choices): Compare {
  const start = useMemo(() => toStartState(choices), [choices]);
  const state = useCompareState(snapshotId, start);
  return useMemo(() => {
    const byKey = new Map(choices.candidates.map((candidate) => [candidate.key, candidate]));
    const series = new Map(state.chosen.map((entry) => [entry.key, entry.series]));
    return {
      state,
      columns: state.chosen.flatMap((entry) => byKey.get(entry.key) ?? []),
      seriesOf: (key) => series.get(key) ?? null,
      onToggle: (key) => changeCompare(snapshotId, start, { type: 'candidate-toggle', key }),
      onBaselineChoose: (key) => changeCompare(snapshotId, start, { type: 'baseline-choose', key }),
      onDifferencesToggle: (isOnlyDifferences) =>
        changeCompare(snapshotId, start, { type: 'differences-toggle', isOnlyDifferences }),
      onClear: () => changeCompare(snapshotId, start, { type: 'choice-clear' }),
    };
  }, [snapshotId, choices, start, state]);
}
