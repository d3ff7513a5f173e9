import { isActiveStatus } from '#core/contract/statuses.ts';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { toShare } from './progressWords.ts';

interface ProgressBarProps {
  progress: TrainingProgress;
}

/** The part of the steps that is done. The step stands beside it as text. */
export function ProgressBar({ progress }: ProgressBarProps) {
  const share = toShare(progress);
  if (share === null || !isActiveStatus(progress.status)) return null;
  return (
    <div aria-hidden className="h-1.5 w-full overflow-hidden rounded-full bg-neutral-soft">
      <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  );
}
