import { formatCount } from '#ui/kit/format.ts';
import type { JobAnswers } from '#features/experiments/web/rows/jobAnswers.ts';

interface JobsProgressProps {
  answers: JobAnswers;
  jobCount: number;
}

const BAR =
  'keeps-color h-1.5 w-32 appearance-none overflow-hidden rounded-full bg-off-soft ' +
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-off-soft [&::-webkit-progress-value]:bg-accent';

/** How many jobs have answered; empty once all have. It is below the table, so no row moves when it disappears. */
export function JobsProgress({ answers, jobCount }: JobsProgressProps) {
  const { size } = answers.pending;
  if (size === 0) return null;
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-2 text-sm text-soft">
      <progress aria-label="Jobs loaded" value={answers.requested - size} max={answers.requested} className={BAR} />
      Loading hyperparameters: {formatCount(answers.requested - size)} of{' '}
      {formatCount(Math.max(answers.requested, jobCount))} jobs
    </div>
  );
}
