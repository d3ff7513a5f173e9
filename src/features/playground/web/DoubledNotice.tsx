import { Button } from '#ui/kit/Button.tsx';
import { keepFocus } from '#ui/kit/keepFocus.ts';
import { usePane } from '#features/playground/web/desk/deskStore.ts';
import { findDoubledTurn } from '#features/playground/web/desk/doubledTurns.ts';
import { joinTurns, removeUnanswered } from '#features/playground/web/desk/turnActions.ts';
import { toTitle } from '#features/playground/web/desk/sessionTitle.ts';

/** Warns before sending that two user messages follow each other in the request, which some models refuse. */
export function DoubledNotice({ paneId }: { paneId: string }) {
  const turn =
    usePane(paneId, (pane, desk) => findDoubledTurn(pane, desk.draft.trim() !== '', desk.isAlone === true)) ?? null;
  if (turn === null) return null;
  return (
    <section
      aria-label="Messages without an answer between them"
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-warning-soft px-3 py-1.5 text-sm"
    >
      <p className="min-w-[16rem] flex-1 [overflow-wrap:anywhere]">
        There is no answer between “{toTitle(turn.content)}” and the next message. Chat templates such as those of Gemma
        and Mistral refuse two user messages in a row.
      </p>
      <Button size="small" onClick={(event) => (keepFocus(event.currentTarget), joinTurns(paneId, turn.id, true))}>
        Send both as one
      </Button>
      <Button size="small" onClick={(event) => (keepFocus(event.currentTarget), removeUnanswered(paneId, turn.id))}>
        Delete the first
      </Button>
    </section>
  );
}
