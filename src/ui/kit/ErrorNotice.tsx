import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

interface ErrorNoticeProps {
  /** What happened. */
  title: string;
  /** The cause, as the failing part reports it. */
  detail: ReactNode;
  /** What to do next. */
  hint?: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  /** Another action beside "try again". */
  action?: ReactNode;
}

export function ErrorNotice({ title, detail, hint, onRetry, retryLabel = 'Try again', action }: ErrorNoticeProps) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-lg border border-error/40 bg-error-soft px-3 py-2.5">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-error" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-semibold text-error">{title}</p>
        <div>{detail}</div>
        {hint !== undefined && hint !== '' && <div className="text-soft">{hint}</div>}
        {onRetry !== undefined && (
          <div className="mt-1 flex flex-wrap gap-2">
            <Button size="small" onClick={onRetry}>
              {retryLabel}
            </Button>
            {action}
          </div>
        )}
      </div>
    </div>
  );
}
