import { useEffect, useRef } from 'react';
import type { AssistantMessage } from '#shared/stream/message.ts';
import { openCalls } from '#web/playground/desk/conversation.ts';
import { isBusy, paneSettings, shownAnswer, type AnswerTurn } from '#web/playground/desk/desk.ts';
import { usePane } from '#web/playground/desk/deskStore.ts';
import { ToolCallView } from './ToolCallView.tsx';
import { ToolResultForm } from './ToolResultForm.tsx';
import { ToolSendBar } from './ToolSendBar.tsx';

interface AnswerCallsProps {
  turn: AnswerTurn;
  paneId: string;
  /** What is seen: while a new version has brought nothing, the one before it. */
  message: AssistantMessage;
}

/** The calls of an answer, and what answers them. */
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
  /** How many calls were open when a result was given; null: none was. */
  const given = useRef<number>(null);
  useEffect(() => {
    if (given.current === null || openIds.length >= given.current) return;
    given.current = null;
    // The form that had the focus is gone: the next one takes it, behind the last the button that sends.
    box.current?.querySelector<HTMLElement>('textarea, [data-send]')?.focus();
  });
  return (
    <div ref={box}>
      <ul aria-label="Tool calls" className="mb-1.5 flex flex-col gap-1.5">
        {toolCalls.map((call) => (
          <ToolCallView key={`${toolCalls.indexOf(call)} ${call.id}`} call={call} isComplete={isComplete} tools={tools}>
            {openIds.includes(call.id) && (
              <ToolResultForm {...place} call={call} onAdd={() => void (given.current = openIds.length)} />
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
