import { ErrorNotice } from '#web/ui/ErrorNotice.tsx';
import { toClock } from './clock.ts';
import { toErrorWords } from './errorWords.ts';

interface LoadFailureProps {
  error: Error;
  /** ms since 1970. */
  failedAt: number;
  onRetry: () => void;
}

/** No answer at all, and no earlier one to show. */
export function LoadFailure({ error, failedAt, onRetry }: LoadFailureProps) {
  const { detail, hint } = toErrorWords(error);
  return (
    <ErrorNotice
      title="Recommendations could not be loaded"
      detail={`${detail} (${toClock(failedAt)})`}
      hint={hint}
      onRetry={onRetry}
    />
  );
}
