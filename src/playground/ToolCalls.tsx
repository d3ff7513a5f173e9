import { Wrench } from 'lucide-react';
import type { AnswerToolCall } from '../stream/message';
import { CopyButton } from '../ui/CopyButton';

interface ToolCallsProps {
  calls: readonly AnswerToolCall[];
  /** Until then the arguments may be half a JSON text. */
  isComplete: boolean;
}

/** Calls as far as they have arrived; nothing is completed or repaired. */
export function ToolCalls({ calls, isComplete }: ToolCallsProps) {
  return (
    <ul aria-label="Tool calls" className="mb-1.5 flex flex-col gap-1.5">
      {calls.map((call) => (
        <li key={call.id} className="overflow-hidden rounded-lg border border-line bg-raised">
          <div className="flex h-7 items-center gap-1.5 pl-2.5 text-sm">
            <Wrench aria-hidden size={12} className="shrink-0 text-faint" />
            <b className="truncate font-mono">{call.name || '…'}</b>
            <span className="min-w-0 flex-1 truncate font-mono text-xs text-faint">{call.id}</span>
            {!isComplete && <span className="pr-2 text-xs text-soft">incomplete</span>}
            {isComplete && <CopyButton label="Copy arguments" text={call.arguments} />}
          </div>
          <pre className="max-h-72 overflow-y-auto border-t border-line px-2.5 py-1.5 font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">{call.arguments}</pre>
        </li>
      ))}
    </ul>
  );
}
