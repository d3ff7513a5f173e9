import { useEffect, useRef } from 'react';
import type { AssistantMessage } from '#core/stream/message.ts';
import { openCalls } from '#features/playground/web/desk/conversation.ts';
import { isBusy, paneSettings, shownAnswer, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { ToolCallView } from './ToolCallView.tsx';
import { ToolResultForm } from './ToolResultForm.tsx';
import { ToolSendBar } from './ToolSendBar.tsx';

interface AnswerCallsProps {
  turn: AnswerTurn;
  paneId: string;
  /** The message on show. While a new version is empty, that is the previous version. */
  message: AssistantMessage;
}

/** The tool calls of an answer, with the forms for their results. */
export function AnswerCalls({ turn, paneId, message: { toolCalls, state } }: AnswerCallsProps) {
  const answer = shownAnswer(turn);
  const tools = usePane(paneId, (pane, desk) => paneSettings(desk, pane).tools) ?? '';
  const ids =
    usePane(paneId, (pane) =>
      openCalls(pane.turns, pane.turns.indexOf(turn))
        .map((call) => call.id)
        .join('\n'),
    ) ?? '';
  const openIds = ids === '' ? [] : ids.split('\n');
  const isComplete = state === 'complete';
  const place = { paneId, turnId: turn.id, answerId: answer.id };
  const box = useRef<HTMLDivElement>(null);
  /** The number of open calls when a result was added; null if none was added. */
  const openBefore = useRef<number>(null);
  useEffect(() => {
    if (openBefore.current === null || openIds.length >= openBefore.current) return;
    openBefore.current = null;
    // The focused form is gone. The next form takes the focus; after the last form, the send button does.
    box.current?.querySelector<HTMLElement>('textarea, [data-send]')?.focus();
  });
  return (
    <div ref={box}>
      <ul aria-label="Tool calls" className="mb-1.5 flex flex-col gap-1.5">
        {toolCalls.map((call) => (
          <ToolCallView key={`${toolCalls.indexOf(call)} ${call.id}`} call={call} isComplete={isComplete} tools={tools}>
            {openIds.includes(call.id) && (
              <ToolResultForm {...place} call={call} onAdd={() => void (openBefore.current = openIds.length)} />
            )}
          </ToolCallView>
        ))}
      </ul>
      {isComplete && !isBusy(answer.phase) && (
        <div className="mb-1.5">
          <ToolSendBar {...place} open={toolCalls.filter((call) => openIds.includes(call.id))} />
        </div>
      )}
    </div>
  );
}
