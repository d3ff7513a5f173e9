// Selects the unsaved texts to store for a reload: changed texts of existing messages and calls. Memory keeps the
// others, so that a restored message gets its unsaved text back. Pure.
import { openCalls } from '#features/playground/web/desk/conversation.ts';
import { shownAnswer, type Desk, type Turn } from '#features/playground/web/desk/desk.ts';
import { turnText } from '#features/playground/web/desk/turns.ts';
import { NOTHING_UNSAVED, type Unsaved } from '#features/playground/web/desk/unsaved.ts';

function isChanged(turn: Turn, { content, name, tool_call_id }: Unsaved['text']): boolean {
  const saved = turnText(turn);
  return (
    content !== saved.content ||
    (name ?? saved.name) !== saved.name ||
    (tool_call_id ?? saved.tool_call_id) !== saved.tool_call_id
  );
}

/** The call has no result. Calls of a hidden version count as open, because results follow the shown version only. */
function isOpenCall(turns: readonly Turn[], answerId: string, callId: string): boolean {
  const index = turns.findIndex((turn) => turn.role === 'assistant' && turn.versions.some(({ id }) => id === answerId));
  const turn = turns[index];
  if (turn?.role !== 'assistant') return false;
  return shownAnswer(turn).id !== answerId || openCalls(turns, index).some(({ id }) => id === callId);
}

export function toStoredUnsaved({ panes, parked, unsaved = NOTHING_UNSAVED }: Desk): readonly Unsaved[] {
  if (unsaved.length === 0) return NOTHING_UNSAVED;
  const conversations = [...panes, ...parked].map((pane) => pane.turns);
  const turns = new Map(conversations.flat().map((turn) => [turn.id, turn]));
  return unsaved.filter((entry) => {
    if (entry.kind === 'result')
      return conversations.some((conversation) => isOpenCall(conversation, entry.answerId, entry.callId));
    const turn = turns.get(entry.turnId);
    if (!turn) return false;
    return entry.kind === 'edit' ? isChanged(turn, entry.text) : Object.values(entry.text).some((text) => text !== '');
  });
}
