import { Button } from '#ui/kit/Button.tsx';
import { formatCount } from '#ui/kit/format.ts';
import type { JobAnswers } from '#features/experiments/web/rows/jobAnswers.ts';

interface JobsNoticeProps {
  answers: JobAnswers;
  jobCount: number;
  /** There are many jobs: they are read when a person requests them. */
  isDeferred: boolean;
  onRequest: () => void;
  onRetry: () => void;
  /** Requests all jobs, although the service hides the first few. */
  onRequestAll: () => void;
}

const LINE = 'flex min-h-6 flex-wrap items-center gap-2 text-sm text-soft';

/** Says why hyperparameters are missing and offers what helps; empty when nothing is missing. */
export function JobsNotice({ answers, jobCount, isDeferred, onRequest, onRetry, onRequestAll }: JobsNoticeProps) {
  if (isDeferred) {
    return (
      <p className={LINE}>
        Hyperparameters and results are not loaded yet.
        <Button size="small" onClick={onRequest}>
          Load them from {formatCount(jobCount)} jobs
        </Button>
      </p>
    );
  }
  if (answers.isHidden && answers.requested < jobCount) {
    return (
      <p className={LINE}>
        None of the first {formatCount(answers.requested)} jobs sends hyperparameters.
        <Button size="small" onClick={onRequestAll}>
          Load all {formatCount(jobCount)} jobs
        </Button>
      </p>
    );
  }
  if (answers.isHidden) return <p className={LINE}>This service doesn’t send the hyperparameters of runs.</p>;
  if (answers.failed === 0) return null;
  return (
    <p role="alert" className={LINE}>
      <span className="text-error">
        Hyperparameters and results of {formatCount(answers.failed)} {answers.failed === 1 ? 'job' : 'jobs'} could not
        be loaded: {answers.error?.message}
      </span>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
