import { useDeferredValue, useMemo } from 'react';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import { judgeAnswer } from './judgeJson.ts';
import { VerdictLine } from './VerdictLine.tsx';

interface SchemaVerdictProps {
  answer: Pick<Answer, 'phase' | 'message'>;
  /** The typed text. */
  schema: string;
  /** The request of the answer had another schema, or none. */
  isOther: boolean;
}

const CURRENT_SCHEMA = {
  text: 'against current schema',
  title: 'This answer was requested with a different schema, or with none. It is checked against the current schema.',
};

/** Whether an answer matches the schema. */
export function SchemaVerdict({ answer: { phase, message }, schema, isOther }: SchemaVerdictProps) {
  const settled = useDeferredValue(schema);
  const verdict = useMemo(() => judgeAnswer({ phase, message }, settled), [phase, message, settled]);
  return <VerdictLine label="Schema" verdict={verdict} about={isOther ? CURRENT_SCHEMA : null} />;
}
