import { WifiOff } from 'lucide-react';
import { Button } from '#web/ui/Button.tsx';
import { toClock } from './clock.ts';
import { toErrorWords } from './errorWords.ts';

interface StaleNoticeProps {
  error: Error;
  answeredAt: number;
  onCheck: () => void;
}

/** The last answer is still shown; says that it may be out of date, and why. */
export function StaleNotice({ error, answeredAt, onCheck }: StaleNoticeProps) {
  const { detail, hint } = toErrorWords(error);
  return (
    <div className="flex flex-wrap items-start gap-2.5 rounded-[10px] bg-wait-soft px-3 py-2">
      <WifiOff aria-hidden size={14} className="mt-0.5 shrink-0 text-wait" />
      <div className="min-w-0 flex-1 break-words">
        <p>
          <span className="font-semibold text-wait">Stale.</span> Shown is the answer of {toClock(answeredAt)}; the last
          try failed: {detail}
        </p>
        <p className="text-soft">{hint}</p>
      </div>
      <Button size="small" onClick={onCheck}>
        Try again
      </Button>
    </div>
  );
}
