// Finds the same message in other panes, so that one edit can change all. Pure.
import type { Desk, Turn } from './desk.ts';

export interface TurnPlace {
  readonly paneId: string;
  readonly turnId: string;
}

const userTurns = (turns: readonly Turn[]) => turns.filter((turn) => turn.role === 'user');

/** The messages of other panes on show with the same text at the same place among their users' messages. */
export function findSameMessages({ panes }: Desk, paneId: string, turnId: string): readonly TurnPlace[] {
  const own = userTurns(panes.find((pane) => pane.id === paneId)?.turns ?? []);
  const place = own.findIndex((turn) => turn.id === turnId);
  const turn = own[place];
  if (!turn) return [];
  return panes.flatMap((pane) => {
    const other = pane.id === paneId ? undefined : userTurns(pane.turns)[place];
    return other?.content === turn.content ? [{ paneId: pane.id, turnId: other.id }] : [];
  });
}
