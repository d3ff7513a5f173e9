import { ArrowDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button';
import { AnswerView } from './AnswerView';
import { isBusy, panePhase, type Turn } from './desk';
import { useDesk, usePane } from './deskStore';
import { MessageView } from './MessageView';
import { useStickToBottom } from './useStickToBottom';

interface TranscriptProps {
  paneId: string;
  /** Shown while nothing has been said. */
  empty: ReactNode;
}

const NO_TURNS: readonly Turn[] = [];

export function Transcript({ paneId, empty }: TranscriptProps) {
  const turns = usePane(paneId, (pane) => pane.turns) ?? NO_TURNS;
  const isStreaming = usePane(paneId, (pane) => isBusy(panePhase(pane))) ?? false;
  const systemPrompt = useDesk(({ desk }) => desk.systemPrompt.trim());
  const { box, content, isAway, toEnd } = useStickToBottom(isStreaming);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={box} className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain">
        <div ref={content}>
          {turns.length === 0 && empty}
          {turns.length > 0 && systemPrompt !== '' && <MessageView author="system" text={systemPrompt} />}
          {turns.map((turn) =>
            turn.role === 'user' ? (
              <MessageView key={turn.id} author="user" text={turn.content} />
            ) : (
              <AnswerView key={turn.id} turn={turn} paneId={paneId} />
            ),
          )}
        </div>
      </div>
      {isAway && isStreaming && (
        <div className="absolute inset-x-0 bottom-2 flex justify-center">
          <Button size="small" className="shadow-pop" onClick={toEnd}>
            <ArrowDown aria-hidden size={12} /> New text below
          </Button>
        </div>
      )}
    </div>
  );
}
