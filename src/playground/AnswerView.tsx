import { memo } from 'react';
import { CopyButton } from '../ui/CopyButton';
import { AnswerNotice } from './AnswerNotice';
import { AnswerStatsRow } from './AnswerStatsRow';
import { AnswerText } from './AnswerText';
import { usePane } from './deskStore';
import { isBusy, type AnswerTurn } from './desk';
import { ReasoningView } from './ReasoningView';
import { ToolCalls } from './ToolCalls';

interface AnswerViewProps {
  turn: AnswerTurn;
  paneId: string;
}

export const AnswerView = memo(function AnswerView({ turn, paneId }: AnswerViewProps) {
  const paneModel = usePane(paneId, (pane) => pane.model);
  const { message, phase } = turn;
  const isLive = phase === 'streaming';
  // While a retry has brought nothing yet, the answer before it stays, greyed.
  const isOld = phase === 'sending' || phase === 'queued';
  return (
    <article className="border-b border-line">
      <div className="flex h-7 items-center gap-2 pr-1.5 pl-3 text-xs font-semibold text-faint">
        <h3>assistant</h3>
        <span className="min-w-0 flex-1 truncate font-mono font-normal" title={turn.model}>
          {turn.model === paneModel ? '' : turn.model}
        </span>
        {message.text !== '' && !isBusy(phase) && <CopyButton label="Copy answer" text={message.text} />}
      </div>
      <div className={`px-3 pb-1 ${isOld ? 'opacity-55' : ''}`}>
        {message.reasoning !== '' && <ReasoningView turn={turn} />}
        {message.text !== '' && <AnswerText text={message.text} isLive={isLive} />}
        {message.toolCalls.length > 0 && <ToolCalls calls={message.toolCalls} isComplete={message.state === 'complete'} />}
        {phase === 'done' && message.text === '' && message.toolCalls.length === 0 && <p className="pb-1 text-faint">The model answered with nothing.</p>}
      </div>
      <AnswerNotice turn={turn} paneId={paneId} />
      <AnswerStatsRow turn={turn} />
    </article>
  );
});
