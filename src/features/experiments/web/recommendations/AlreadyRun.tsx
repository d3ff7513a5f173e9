import { useContext } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { KnownRuns } from './useKnownRuns.ts';

interface AlreadyRunProps {
  /** null: the service gave no such candidate. */
  candidate: Candidate | null;
  /** Which of several candidates it is about. */
  label?: string;
}

/** `Already run: Experiment 2 · full, exact match 100 %`, each run a link; nothing if no run had these settings. */
export function AlreadyRun({ candidate, label }: AlreadyRunProps) {
  const findRuns = useContext(KnownRuns);
  const groups = candidate ? findRuns(candidate) : [];
  return groups.map(({ words, runs }) => (
    <p key={words} className="mt-0.5 text-sm text-ink">
      {label === undefined ? words : `${words} (${label})`}
      {': '}
      {runs.map(({ id, label: name, outcome }, index) => (
        <span key={id}>
          {index > 0 && '; '}
          <button
            type="button"
            className="min-h-6 rounded text-accent hover:underline"
            onClick={() => selectNode({ id, type: 'experiment' })}
          >
            {name}
          </button>
          , {outcome}
        </span>
      ))}
    </p>
  ));
}
