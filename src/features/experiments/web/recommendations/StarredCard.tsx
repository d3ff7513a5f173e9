import type { ReactNode } from 'react';
import { useContext } from 'react';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toCandidateName } from '#features/experiments/shared/trainingWords.ts';
import { FoldedText } from '#ui/kit/FoldedText.tsx';
import { WholeNumbers } from '#ui/kit/WholeNumbers.tsx';
import { AlreadyRun } from './AlreadyRun.tsx';
import { Card } from '#ui/kit/Card.tsx';
import { RateMark } from './listControl.ts';
import { NotTrained } from '#features/experiments/web/recommendations/trainer/NotTrained.tsx';
import { RecommendedMark } from './RecommendedMark.tsx';
import { toSettingsLine } from './starred.ts';

interface StarredCardProps {
  starred: readonly Candidate[];
  /** Starts them. */
  actions: ReactNode;
  /** Exports one of them. */
  renderExport: (candidate: Candidate) => ReactNode;
}

/** The answer of a record: what to train next, with its settings in one line, its reason and its export. */
export function StarredCard({ starred, actions, renderExport }: StarredCardProps) {
  const isAbsolute = !useContext(RateMark);
  return (
    <Card title="Train next" actions={actions}>
      <ul>
        {starred.map((candidate) => {
          const name = toCandidateName(candidate);
          const reason = candidate.reason_for_recommendation?.trim() ? candidate.reason_for_recommendation : null;
          return (
            <li key={candidate.key} className="border-line px-3 py-2.5 not-first:border-t">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h3 className="min-w-0 font-semibold">{candidate.base_model_id}</h3>
                <RecommendedMark base_model_id={candidate.base_model_id} />
                <fieldset aria-label={`Config of ${name}`} className="ml-auto flex items-center gap-x-1 print:hidden">
                  {renderExport(candidate)}
                </fieldset>
              </div>
              <p>
                <WholeNumbers text={toSettingsLine(candidate, isAbsolute)} />
              </p>
              <AlreadyRun candidate={candidate} />
              <NotTrained base={candidate.base_model_id} />
              {reason !== null && (
                <p className="mt-0.5 text-sm text-soft">
                  <FoldedText text={reason} name={`reason for the recommended ${name}`} />
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
