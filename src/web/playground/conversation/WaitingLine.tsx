import { LoaderCircle } from 'lucide-react';
import { formatDuration } from '#web/ui/format.ts';
import { useNow } from '#web/ui/useNow.ts';

interface WaitingLineProps {
  what: string;
  /** Unix milliseconds. */
  since: number;
}

export function WaitingLine({ what, since }: WaitingLineProps) {
  const now = useNow(200);
  return (
    <p className="flex h-6 items-center gap-1.5 px-3 text-sm text-soft">
      <LoaderCircle aria-hidden size={13} className="animate-turn text-run" />
      Waiting for {what} · {formatDuration(Math.max(0, now - since))}
    </p>
  );
}
