import { useEffect } from 'react';
import { showLoadError } from '#web/ui/lazy/loadErrors.ts';
import { shownAnswer, type Turn } from '#web/playground/desk/desk.ts';

/** A message whose view did not arrive: its text alone, and said once for all of them. */
export function LoadErrorTurn({ turn }: { turn: Turn }) {
  useEffect(showLoadError, []);
  return (
    <p className="border-b border-line px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {turn.role === 'assistant' ? shownAnswer(turn).message.text : turn.content}
    </p>
  );
}
