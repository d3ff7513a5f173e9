import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toReasonSubject } from '#features/experiments/shared/trainingWords.ts';
import { FoldedText } from '#ui/kit/FoldedText.tsx';

interface CompareReasonProps {
  /** The hovered candidate, else the baseline. */
  candidate: Candidate;
}

/** Why the service recommends a candidate, or why a run failed. */
export function CompareReason({ candidate }: CompareReasonProps) {
  const name = toReasonSubject(candidate);
  const reason = candidate.reason_for_recommendation?.trim() ? candidate.reason_for_recommendation : null;
  return (
    <div className="min-h-14 border-t border-line px-3 py-2 text-soft">
      {candidate.failure !== null && (
        <p className="mb-1">
          <span className="font-semibold text-bad">{name} failed:</span>{' '}
          <FoldedText key={candidate.key} text={candidate.failure} name={`failure of ${name}`} />
        </p>
      )}
      {(reason !== null || (candidate.failure === null && candidate.origin !== 'run')) && (
        <p>
          <span className="font-medium text-ink">{reason === null ? name : `Why ${name}`}:</span>{' '}
          {reason === null ? 'No reason given.' : <FoldedText key={name} text={reason} name={`reason for ${name}`} />}
        </p>
      )}
    </div>
  );
}
