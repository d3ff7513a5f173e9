import { useDeferredValue, useMemo } from 'react';
import type { AnswerToolCall } from '#shared/stream/message.ts';
import { parseTools } from '#web/playground/desk/requestSettings.ts';
import { judgeCall } from './judgeJson.ts';
import { VerdictLine } from './VerdictLine.tsx';

interface ArgumentsVerdictProps {
  call: AnswerToolCall;
  /** As they are typed. */
  tools: string;
}

/** Whether the arguments of a whole call are what its tool takes. */
export function ArgumentsVerdict({ call, tools }: ArgumentsVerdictProps) {
  const settled = useDeferredValue(tools);
  const verdict = useMemo(() => judgeCall(call, true, parseTools(settled)), [call, settled]);
  return <VerdictLine label="Arguments" verdict={verdict} />;
}
