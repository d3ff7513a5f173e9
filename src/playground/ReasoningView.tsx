import { useState } from 'react';
import { formatDuration } from '../ui/format';
import { AnswerText } from './AnswerText';
import type { AnswerTurn } from './desk';
import { toStats } from './stats';

interface ReasoningViewProps {
  turn: AnswerTurn;
}

/** Folded until opened; only then is it rendered at all. */
export function ReasoningView({ turn }: ReasoningViewProps) {
  const [isOpen, setOpen] = useState(false);
  const { reasoningMs } = toStats(turn, String);
  const isLive = turn.phase === 'streaming' && turn.message.text === '';
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="mb-2 border-l-2 border-line2 pl-2.5 text-soft">
      <summary className="min-h-6 py-0.5 text-sm">
        Reasoning{isLive ? '…' : ''}
        {!isLive && reasoningMs !== null && reasoningMs >= 1 && ` · ${formatDuration(reasoningMs)}`}
      </summary>
      {isOpen && <AnswerText text={turn.message.reasoning} isLive={isLive} />}
    </details>
  );
}
