import { Button } from '#web/ui/Button.tsx';
import { keepFocus } from '#web/ui/keepFocus.ts';
import { usePane } from '#web/playground/desk/deskStore.ts';
import { findDoubledTurn } from '#web/playground/desk/doubledTurns.ts';
import { joinTurns, removeUnanswered } from '#web/playground/desk/turnActions.ts';
import { toTitle } from '#web/playground/desk/sessionTitle.ts';

/** Warns before sending that two user messages follow each other in the request, which some models refuse. */
export function DoubledNotice({ paneId }: { paneId: string }) {
  const turn =
    usePane(paneId, (pane, desk) => findDoubledTurn(pane, desk.draft.trim() !== '', desk.isAlone === true)) ?? null;
  if (turn === null) return null;
  return (
    <section
      aria-label="Messages without an answer between them"
      data-keep-clear
      className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-wait-soft px-3 py-1.5 text-sm"
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
