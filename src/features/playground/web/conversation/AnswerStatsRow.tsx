import type { ReactNode } from 'react';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import { toStats } from '#features/playground/web/inspector/stats.ts';

interface AnswerStatsRowProps {
  answer: Answer;
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <span title={title} className="[&>b]:font-semibold [&>b]:text-ink">
      {children}
    </span>
  );
}

/** The height is always reserved, so late figures move nothing. */
export function AnswerStatsRow({ answer }: AnswerStatsRowProps) {
  // The figures belong to the text that the model wrote. The heading marks this answer as edited.
  if (answer.isEdited) return <div className="min-h-7" />;
  const { timeToFirst, total, tokensPerSecond, usage } = toStats(answer, formatCount);
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 px-3 text-sm whitespace-nowrap text-soft">
      {timeToFirst !== null && (
        <Figure title="Time to the first token, measured in this browser">
          TTFT <b>{formatDuration(timeToFirst)}</b>
        </Figure>
      )}
      {tokensPerSecond !== null && (
        <Figure title="Tokens per second after the first token, from what the service says">
          <b>{formatCount(Number(tokensPerSecond.toPrecision(3)))}</b> tok/s
        </Figure>
      )}
      {usage !== null && <Figure title="Tokens of the prompt → tokens of the answer, from the service">{usage}</Figure>}
      {total !== null && <Figure title="From sending to the end">{formatDuration(total)}</Figure>}
      {answer.phase === 'done' && answer.message.finish_reason === 'stop' && (
        <Figure title="Why the answer ended, as the service says">stop</Figure>
      )}
    </div>
  );
}
