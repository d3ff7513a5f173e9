import { useDeferredValue, useMemo } from 'react';
import type { AnswerToolCall } from '../stream/message';
import { parseTools } from './requestSettings';
import { judgeCall } from './schemaVerdictText';
import { JsonVerdictLine } from './JsonVerdictLine';

interface ArgumentsVerdictProps {
  call: AnswerToolCall;
  /** As they are typed. */
  tools: string;
}

/** Whether the arguments of a whole call are what its tool takes. */
export function ArgumentsVerdict({ call, tools }: ArgumentsVerdictProps) {
  const settled = useDeferredValue(tools);
  const verdict = useMemo(() => judgeCall(call, true, parseTools(settled)), [call, settled]);
  return <JsonVerdictLine label="Arguments" verdict={verdict} />;
}
