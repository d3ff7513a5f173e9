import { useEffect } from 'react';
import { showLost } from '#web/ui/lazy/lostCode.ts';
import { shownAnswer, type Turn } from '#web/playground/desk/desk.ts';

/** A message whose view did not arrive: its text alone, and said once for all of them. */
export function LostTurn({ turn }: { turn: Turn }) {
  useEffect(showLost, []);
  return (
    <p className="border-b border-line px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
      {turn.role === 'assistant' ? shownAnswer(turn).message.text : turn.content}
    </p>
  );
}
