import type { ReactNode } from 'react';
import type { AnswerToolCall } from '#shared/stream/message.ts';
import { ToolCallView } from './ToolCallView.tsx';

interface ToolCallsProps {
  calls: readonly AnswerToolCall[];
  isComplete: boolean;
  /** The tools of now, as they are typed. */
  tools?: string;
  /** Calls that nobody has answered. */
  openIds: readonly string[];
  /** Where an open call is answered. */
  renderAnswer: (call: AnswerToolCall) => ReactNode;
}

/** The calls of an answer as far as they have arrived. */
export function ToolCalls({ calls, isComplete, tools = '', openIds, renderAnswer }: ToolCallsProps) {
  return (
    <ul aria-label="Tool calls" className="mb-1.5 flex flex-col gap-1.5">
      {calls.map((call) => (
        <ToolCallView key={`${calls.indexOf(call)} ${call.id}`} call={call} isComplete={isComplete} tools={tools}>
          {openIds.includes(call.id) && renderAnswer(call)}
        </ToolCallView>
      ))}
    </ul>
  );
}
