import { formatCount } from '#web/ui/format.ts';
import type { JobAnswers } from '#web/experiments/rows/jobAnswers.ts';

interface JobsProgressProps {
  answers: JobAnswers;
  jobCount: number;
}

const BAR =
  'keeps-color h-1.5 w-32 appearance-none overflow-hidden rounded-full bg-off-soft ' +
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-off-soft [&::-webkit-progress-value]:bg-accent';

/**
 * How many jobs have answered; nothing once all have. It stands below the table, so that no row moves when it goes.
 */
export function JobsProgress({ answers, jobCount }: JobsProgressProps) {
  const { size } = answers.pending;
  if (size === 0) return null;
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-2 text-sm text-soft">
      <progress aria-label="Jobs read" value={answers.asked - size} max={answers.asked} className={BAR} />
      Reading hyperparameters: {formatCount(answers.asked - size)} of {formatCount(Math.max(answers.asked, jobCount))}{' '}
      jobs
    </div>
  );
}
