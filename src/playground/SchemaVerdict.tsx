import { useDeferredValue, useMemo } from 'react';
import type { Answer } from './desk';
import { judgeAnswer } from './schemaVerdictText';
import { JsonVerdictLine } from './JsonVerdictLine';

interface SchemaVerdictProps {
  answer: Pick<Answer, 'phase' | 'message'>;
  /** As it is typed. */
  schema: string;
}

/** Whether an answer is what the schema asks for. */
export function SchemaVerdict({ answer: { phase, message }, schema }: SchemaVerdictProps) {
  const settled = useDeferredValue(schema);
  const verdict = useMemo(() => judgeAnswer({ phase, message }, settled), [phase, message, settled]);
  return <JsonVerdictLine label="Schema" verdict={verdict} />;
}
