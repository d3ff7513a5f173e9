import { useEffect } from 'react';
import { showLoadError } from '#ui/lazy/loadErrors.ts';
import { shownAnswer, type Turn } from '#features/playground/web/desk/desk.ts';

/** Shows only the text of a message whose view failed to load. All such messages report one error. */
export function LoadErrorTurn({ turn }: { turn: Turn }) {
  useEffect(showLoadError, []);
  return (
    <p className="border-b border-line px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {turn.role === 'assistant' ? shownAnswer(turn).message.text : turn.content}
    </p>
  );
}
