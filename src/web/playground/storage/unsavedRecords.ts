// What of the unsaved texts is worth keeping over a reload: what was really written, for messages and calls that are
// there. In memory the rest stays, so that a message that comes back does so with what was being written into it. Pure.
import { openCalls } from '#web/playground/desk/conversation.ts';
import { shownAnswer, type Desk, type Turn } from '#web/playground/desk/desk.ts';
import { turnText } from '#web/playground/desk/turns.ts';
import { NOTHING_UNSAVED, type Unsaved } from '#web/playground/desk/unsaved.ts';

function isChanged(turn: Turn, { content, name, tool_call_id }: Unsaved['text']): boolean {
  const was = turnText(turn);
  return (
    content !== was.content ||
    (name ?? was.name) !== was.name ||
    (tool_call_id ?? was.tool_call_id) !== was.tool_call_id
  );
}

/** The call has no result; of a version that is not shown nobody can tell. */
function isOpenCall(turns: readonly Turn[], answerId: string, callId: string): boolean {
  const index = turns.findIndex((turn) => turn.role === 'assistant' && turn.versions.some(({ id }) => id === answerId));
  const turn = turns[index];
  if (turn?.role !== 'assistant') return false;
  return shownAnswer(turn).id !== answerId || openCalls(turns, index).some(({ id }) => id === callId);
}

export function toStoredUnsaved({ panes, parked, unsaved = NOTHING_UNSAVED }: Desk): readonly Unsaved[] {
  if (unsaved.length === 0) return NOTHING_UNSAVED;
  const talks = [...panes, ...parked].map((pane) => pane.turns);
  const turns = new Map(talks.flat().map((turn) => [turn.id, turn]));
  return unsaved.filter((entry) => {
    if (entry.kind === 'result') return talks.some((talk) => isOpenCall(talk, entry.answerId, entry.callId));
    const turn = turns.get(entry.turnId);
    if (!turn) return false;
    return entry.kind === 'edit' ? isChanged(turn, entry.text) : Object.values(entry.text).some((text) => text !== '');
  });
}
