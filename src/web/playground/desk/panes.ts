// Which panes there are, in which order: the list of models in the address turned into panes, keeping conversations,
// and panes added, forked, moved, closed and brought back.
import { MAX_MODELS } from '#web/session/urlState.ts';
import { changePane, findPane, toPane, type Desk, type Pane, type Turn } from './desk.ts';
import { copyTurns } from './turns.ts';

export function toModels(desk: Desk): readonly string[] {
  return desk.panes.map((pane) => pane.model);
}

export const isFull = (desk: Desk): boolean => desk.panes.length >= MAX_MODELS;

function isSame(panes: readonly Pane[], models: readonly string[]): boolean {
  return panes.length === models.length && panes.every((pane, index) => pane.model === models[index]);
}

/**
 * What an address asks for is something else than the conversation that is stored: showing it would take panes away.
 */
export function isOtherConversation(desk: Desk, models: readonly string[]): boolean {
  return models.length > 0 && desk.panes.some((pane) => pane.turns.length > 0) && !isSame(desk.panes, models);
}

/** Panes with a conversation are set aside instead of dropped, the newest first; none is ever dropped by itself. */
function park(parked: readonly Pane[], leaving: readonly Pane[]): readonly Pane[] {
  const kept = leaving.filter((pane) => pane.turns.length > 0);
  return kept.length === 0 ? parked : [...kept, ...parked];
}

/**
 * The desk with one pane per model. A model that already has a pane keeps it (the one at the same place first), one
 * that had a pane gets it back with its conversation, any other gets a new pane. The same models change nothing.
 */
export function toDesk(desk: Desk, models: readonly string[], makeId: () => string): Desk {
  const wanted = models.slice(0, MAX_MODELS);
  if (isSame(desk.panes, wanted)) return desk;
  const free = new Set(desk.panes);
  const stored = new Set(desk.parked);
  const found: (Pane | undefined)[] = wanted.map((model, index) => {
    const pane = desk.panes[index];
    if (pane?.model !== model) return undefined;
    free.delete(pane);
    return pane;
  });
  const take = (from: Set<Pane>, model: string): Pane | undefined => {
    const pane = [...from].find((each) => each.model === model);
    if (pane) from.delete(pane);
    return pane;
  };
  const panes = wanted.map(
    (model, index) =>
      found[index] ?? take(free, model) ?? (model === '' ? undefined : take(stored, model)) ?? toPane(makeId(), model),
  );
  return { ...desk, panes, parked: park([...stored], [...free]) };
}

const takeOver = (turns: readonly Turn[]): readonly Turn[] =>
  turns.flatMap((turn) => (turn.role === 'user' ? [{ ...turn, isTakenOver: true }] : []));

/**
 * A pane behind the last one, with its settings. The same model goes on with its conversation; another one gets the
 * questions alone: what it says to them is to be its own, and said before it is asked anything else.
 */
export function addPane(desk: Desk, model: string, makeId: () => string): Desk {
  if (isFull(desk)) return desk;
  const left = desk.panes.at(-1);
  const pane: Pane = {
    ...toPane(makeId(), model),
    ...(left && {
      own: left.own,
      turns: copyTurns(left.model === model ? left.turns : takeOver(left.turns), null, makeId),
    }),
  };
  return { ...desk, panes: [...desk.panes, pane] };
}

/** A pane right of this one that has its conversation up to and with a turn (null: all of it). */
export function forkPane(desk: Desk, paneId: string, turnId: string | null, makeId: () => string): Desk {
  const index = desk.panes.findIndex((each) => each.id === paneId);
  const pane = desk.panes[index];
  if (!pane || isFull(desk)) return desk;
  const fork: Pane = { ...pane, id: makeId(), turns: copyTurns(pane.turns, turnId, makeId) };
  return { ...desk, panes: desk.panes.toSpliced(index + 1, 0, fork) };
}

/** Puts a pane at a place; the others close up. Where there is no such place nothing happens. */
export function movePane(desk: Desk, paneId: string, to: number): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane || !desk.panes[to] || desk.panes[to] === pane) return desk;
  return { ...desk, panes: desk.panes.filter((each) => each !== pane).toSpliced(to, 0, pane) };
}

/** The last pane can't be closed; its conversation is parked. */
export function closePane(desk: Desk, paneId: string): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane || desk.panes.length < 2) return desk;
  return { ...desk, panes: desk.panes.filter((each) => each !== pane), parked: park(desk.parked, [pane]) };
}

/** A closed pane comes back to its place. Where there is no room, or it is back already, nothing happens. */
export function reopenPane(desk: Desk, closed: Pane, index: number): Desk {
  if (isFull(desk) || desk.panes.some((pane) => pane.id === closed.id)) return desk;
  // What came in since it was parked counts.
  const pane = desk.parked.find((each) => each.id === closed.id) ?? closed;
  return { ...desk, panes: desk.panes.toSpliced(index, 0, pane), parked: desk.parked.filter((each) => each !== pane) };
}

/** Why a closed pane can't come back now; null where it can, is in view already, or is not there any more. */
export function reopenObstacle(desk: Desk, paneId: string): string | null {
  if (!isFull(desk) || !desk.parked.some((pane) => pane.id === paneId)) return null;
  return `There can be ${MAX_MODELS} panes at most. Close one, then use “Reopen closed pane”.`;
}

/** Empties the conversations of these panes. */
export function clearPanes(desk: Desk, paneIds: readonly string[]): Desk {
  return {
    ...desk,
    panes: desk.panes.map((pane) =>
      pane.turns.length === 0 || !paneIds.includes(pane.id) ? pane : { ...pane, turns: [] },
    ),
  };
}

/** Where a pane is gone (an empty one is not kept when it is closed), it is set aside as it was, without its turns. */
export function ensurePane(desk: Desk, pane: Pane): Desk {
  return findPane(desk, pane.id) ? desk : { ...desk, parked: [{ ...pane, turns: [] }, ...desk.parked] };
}

/** Puts cleared conversations back, in front of what was said since. */
export function restoreTurns(desk: Desk, cleared: readonly Pane[]): Desk {
  return cleared.reduce((before, { turns, ...pane }) => {
    if (turns.length === 0) return before;
    return changePane(ensurePane(before, { ...pane, turns }), pane.id, (each) => ({
      ...each,
      turns: [...turns, ...each.turns],
    }));
  }, desk);
}

/** The panes of before in view again, with what came in since; those that took their place are set aside. */
export function returnToPanes(desk: Desk, before: readonly Pane[]): Desk {
  const ids = new Set(before.map((pane) => pane.id));
  const others = (panes: readonly Pane[]): readonly Pane[] => panes.filter((pane) => !ids.has(pane.id));
  return {
    ...desk,
    panes: before.map((pane) => findPane(desk, pane.id) ?? pane),
    parked: park(others(desk.parked), others(desk.panes)),
  };
}
