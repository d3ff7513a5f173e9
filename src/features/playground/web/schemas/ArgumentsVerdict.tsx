import { useDeferredValue, useMemo } from 'react';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { parseTools } from '#features/playground/web/desk/requestSettings.ts';
import { judgeCall } from './judgeJson.ts';
import { VerdictLine } from './VerdictLine.tsx';

interface ArgumentsVerdictProps {
  call: AnswerToolCall;
  /** The typed text. */
  tools: string;
}

/** Whether the arguments of a complete call match the schema of its tool. */
export function ArgumentsVerdict({ call, tools }: ArgumentsVerdictProps) {
  const settled = useDeferredValue(tools);
  const verdict = useMemo(() => judgeCall(call, true, parseTools(settled)), [call, settled]);
  return <VerdictLine label="Arguments" verdict={verdict} />;
}
