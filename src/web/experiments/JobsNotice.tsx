import { Button } from '#web/ui/Button.tsx';
import { formatCount } from '#web/ui/format.ts';
import type { JobAnswers } from '#web/experiments/rows/jobAnswers.ts';

interface JobsNoticeProps {
  answers: JobAnswers;
  jobCount: number;
  /** The jobs are many: they are asked when the person wants it. */
  isHeld: boolean;
  onAsk: () => void;
  onRetry: () => void;
  /** Asks all jobs, though the service hides the first few. */
  onAskAll: () => void;
}

const LINE = 'flex min-h-6 flex-wrap items-center gap-2 text-sm text-soft';

/** What keeps hyperparameters from being shown, and what to do about it; nothing while all is well. */
export function JobsNotice({ answers, jobCount, isHeld, onAsk, onRetry, onAskAll }: JobsNoticeProps) {
  if (isHeld) {
    return (
      <p className={LINE}>
        Hyperparameters and losses are read from the jobs.
        <Button size="small" onClick={onAsk}>
          Read hyperparameters of {formatCount(jobCount)} jobs
        </Button>
      </p>
    );
  }
  if (answers.isHidden && answers.asked < jobCount) {
    return (
      <p className={LINE}>
        None of the {formatCount(answers.asked)} jobs asked gives its experiments’ hyperparameters.
        <Button size="small" onClick={onAskAll}>
          Read all {formatCount(jobCount)} jobs
        </Button>
      </p>
    );
  }
  if (answers.isHidden) return <p className={LINE}>This service doesn’t give experiments’ hyperparameters.</p>;
  if (answers.failed === 0) return null;
  return (
    <p role="alert" className={LINE}>
      <span className="text-bad">
        Hyperparameters of {formatCount(answers.failed)} {answers.failed === 1 ? 'job' : 'jobs'} could not be read:{' '}
        {answers.error?.message}
      </span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
