import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ToolTurn } from '#features/playground/web/desk/desk.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { MessageView } from './MessageView.tsx';
import { hasMatchingCall } from '#features/playground/web/desk/toolAnswers.ts';

interface ToolMessageProps {
  turn: ToolTurn;
  paneId: string;
  toolbar: ReactNode;
}

/** The result of a tool, under the tool's name. */
export function ToolMessage({ turn, paneId, toolbar }: ToolMessageProps) {
  const isStray = usePane(paneId, (pane) => !hasMatchingCall(pane.turns, turn.id)) ?? false;
  return (
    <>
      <MessageView
        author={turn.name === '' ? 'tool' : `tool ${turn.name}`}
        about={turn.tool_call_id}
        text={turn.content}
        toolbar={toolbar}
      />
      {isStray && (
        <p className="flex items-start gap-1.5 border-b border-line px-3 py-1.5 text-sm text-warning">
          <TriangleAlert aria-hidden size={13} className="mt-0.5 shrink-0" />
          The answer before it makes no call {turn.tool_call_id === '' ? 'without an id' : `“${turn.tool_call_id}”`}.
          Services may refuse this.
        </p>
      )}
    </>
  );
}
