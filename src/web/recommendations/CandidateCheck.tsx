import type { Candidate } from '#shared/training/candidates.ts';
import type { CompareControl } from './listControl.ts';
import { checkClass } from '#web/ui/series.ts';
import { toCandidateName } from '#shared/training/trainingWords.ts';

interface CandidateCheckProps {
  candidate: Candidate;
  compare: CompareControl;
}

/** Takes a candidate into the compare, or out of it; checked it has its series colour. */
export function CandidateCheck({ candidate, compare }: CandidateCheckProps) {
  const series = compare.seriesOf(candidate.key);
  return (
    <label className="inline-flex size-6 cursor-pointer items-center justify-center" title="Compare">
      <span className="sr-only">Compare {toCandidateName(candidate)}</span>
      <input
        type="checkbox"
        checked={series !== null}
        onChange={() => compare.onToggle(candidate.key)}
        className={`size-3.5 cursor-pointer ${series === null ? '' : checkClass(series)}`}
      />
    </label>
  );
}
