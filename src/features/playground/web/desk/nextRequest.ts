// The request that a pane would send now: with the draft, or for the message that waits. If nothing waits, the request
// of the last answer. Pure.
import { BUSY_REASON, isBusy, panePhase, type Desk, type Pane } from './desk.ts';
import { hasOpenMessage, toPaneRequest, type PaneRequest, type PaneRequestOptions } from './paneRequest.ts';

export type NextRequest =
  | (Extract<PaneRequest, { ok: true }> & { /** Nothing waits to be sent. */ readonly isLast: boolean })
  | Extract<PaneRequest, { ok: false }>;

export function toNextRequest(desk: Desk, pane: Pane, mode: PaneRequestOptions['mode'] = null): NextRequest {
  const last = pane.turns.at(-1);
  const isLast = desk.draft.trim() === '' && last !== undefined && !hasOpenMessage(pane);
  if (!isLast && isBusy(panePhase(pane))) return { ok: false, problem: BUSY_REASON };
  const made = toPaneRequest(desk, pane, isLast ? { untilTurn: last.id, mode } : { draft: desk.draft, mode });
  return made.ok ? { ...made, isLast } : made;
}
