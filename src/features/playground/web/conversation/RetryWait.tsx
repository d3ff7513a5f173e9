import { Clock } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { stopPane } from '#features/playground/web/desk/actions.ts';

interface RetryWaitProps {
  paneId: string;
  /** Unix milliseconds. */
  until: number;
  /** The engine's process has ended; otherwise the service asked to wait. */
  isRestart: boolean;
  reason: string;
}

export function RetryWait({ paneId, until, isRestart, reason }: RetryWaitProps) {
  const now = useNow(250);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div className="mx-3 mb-1.5 flex items-start gap-2 rounded-lg bg-wait-soft px-2.5 py-1.5 text-sm">
      <Clock aria-hidden size={13} className="mt-1 shrink-0 text-wait" />
      <p className="min-w-0 flex-1 py-0.5 [overflow-wrap:anywhere]">
        <b className="text-wait">
          {isRestart ? 'The engine restarts' : 'The service asked to wait (429)'}. Trying again in {seconds} s.
        </b>{' '}
        {reason}
      </p>
      <Button size="small" onClick={() => stopPane(paneId)}>
        Cancel
      </Button>
    </div>
  );
}
