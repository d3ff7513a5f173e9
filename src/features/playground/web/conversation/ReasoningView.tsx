import { useState } from 'react';
import { formatDuration } from '#ui/kit/format.ts';
import { AnswerText } from './AnswerText.tsx';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import { toStats } from '#features/playground/web/inspector/stats.ts';
import { useStickToBottom } from './useStickToBottom.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface ReasoningViewProps {
  answer: Answer;
}

/** In a box of its own, which follows what is added. */
function ReasoningText({ text, isLive }: { text: string; isLive: boolean }) {
  const { box, content } = useStickToBottom(isLive, null);
  return (
    <section {...SCROLLING} ref={box} aria-label="Reasoning" className="max-h-80 overflow-y-auto overscroll-contain">
      <div ref={content}>
        <AnswerText text={text} isLive={isLive} />
      </div>
    </section>
  );
}

/** Folded at first. The text is rendered only when it is opened. */
export function ReasoningView({ answer }: ReasoningViewProps) {
  const [isOpen, setOpen] = useState(false);
  const { reasoningMs } = toStats(answer, String);
  const isLive = answer.phase === 'streaming' && answer.message.text === '';
  const isTimed = reasoningMs !== null && reasoningMs >= 1;
  const done = isTimed ? `Reasoned for ${formatDuration(reasoningMs)}` : 'Reasoning';
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mb-2 border-l-2 border-line-strong pl-2.5 text-soft"
    >
      <summary className="min-h-6 py-0.5 text-sm">{isLive ? 'Reasoning…' : done}</summary>
      {isOpen && <ReasoningText text={answer.message.reasoning} isLive={isLive} />}
    </details>
  );
}
