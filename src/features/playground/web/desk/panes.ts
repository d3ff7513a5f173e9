// The list of panes: turns the models in the address into panes and keeps conversations; adds, forks, moves, closes and
// reopens panes.
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { changePane, findPane, toPane, type Desk, type Pane, type Turn } from './desk.ts';
import { copyTurns } from './turns.ts';

export function toModels(desk: Desk): readonly string[] {
  return desk.panes.map((pane) => pane.model);
}

export const isFull = (desk: Desk): boolean => desk.panes.length >= MAX_MODELS;

function isSame(panes: readonly Pane[], models: readonly string[]): boolean {
  return panes.length === models.length && panes.every((pane, index) => pane.model === models[index]);
}

/** The address names other models than the stored conversation, so following it would remove panes. */
export function isOtherConversation(desk: Desk, models: readonly string[]): boolean {
  return models.length > 0 && desk.panes.some((pane) => pane.turns.length > 0) && !isSame(desk.panes, models);
}

/** Adds leaving panes with a conversation to the parked ones, the newest first. Parked panes are never dropped. */
function park(parked: readonly Pane[], leaving: readonly Pane[]): readonly Pane[] {
  const added = leaving.filter((pane) => pane.turns.length > 0);
  return added.length === 0 ? parked : [...added, ...parked];
}

/**
 * The desk with one pane per model. A model keeps a pane that it already has, preferably the one at the same place.
 * Else it gets its parked pane back with the conversation, or a new pane. The same models change nothing.
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
 * Adds a pane after the last one, with its settings. For the same model it copies the conversation. For another model
 * it copies the questions only: the model answers them itself, before it gets anything new.
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

/** Adds a pane to the right with the conversation up to and including a turn (null: all of it). */
export function forkPane(desk: Desk, paneId: string, turnId: string | null, makeId: () => string): Desk {
  const index = desk.panes.findIndex((each) => each.id === paneId);
  const pane = desk.panes[index];
  if (!pane || isFull(desk)) return desk;
  const fork: Pane = { ...pane, id: makeId(), turns: copyTurns(pane.turns, turnId, makeId) };
  return { ...desk, panes: desk.panes.toSpliced(index + 1, 0, fork) };
}

/** Moves a pane to a place; the others close up. Nothing happens if there is no such place. */
export function movePane(desk: Desk, paneId: string, to: number): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane || !desk.panes[to] || desk.panes[to] === pane) return desk;
  return { ...desk, panes: desk.panes.filter((each) => each !== pane).toSpliced(to, 0, pane) };
}

/** Closes a pane and parks its conversation. The last pane can't be closed. */
export function closePane(desk: Desk, paneId: string): Desk {
  const pane = desk.panes.find((each) => each.id === paneId);
  if (!pane || desk.panes.length < 2) return desk;
  return { ...desk, panes: desk.panes.filter((each) => each !== pane), parked: park(desk.parked, [pane]) };
}

/** Reopens a closed pane at its place. Nothing happens if there is no room, or if it is open already. */
export function reopenPane(desk: Desk, closed: Pane, index: number): Desk {
  if (isFull(desk) || desk.panes.some((pane) => pane.id === closed.id)) return desk;
  // The parked pane also has what arrived after it was closed.
  const pane = desk.parked.find((each) => each.id === closed.id) ?? closed;
  return { ...desk, panes: desk.panes.toSpliced(index, 0, pane), parked: desk.parked.filter((each) => each !== pane) };
}

/** Why a closed pane can't be reopened now; null if it can, or if it is no longer parked. */
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

/** Parks the pane without turns if the desk no longer has it: closing an empty pane drops it. */
export function ensurePane(desk: Desk, pane: Pane): Desk {
  return findPane(desk, pane.id) ? desk : { ...desk, parked: [{ ...pane, turns: [] }, ...desk.parked] };
}

/** Restores cleared conversations, before the messages added since. */
export function restoreTurns(desk: Desk, cleared: readonly Pane[]): Desk {
  return cleared.reduce((before, { turns, ...pane }) => {
    if (turns.length === 0) return before;
    return changePane(ensurePane(before, { ...pane, turns }), pane.id, (each) => ({
      ...each,
      turns: [...turns, ...each.turns],
    }));
  }, desk);
}

/** Shows the earlier panes again, with what arrived since; parks the panes that had replaced them. */
export function returnToPanes(desk: Desk, before: readonly Pane[]): Desk {
  const ids = new Set(before.map((pane) => pane.id));
  const others = (panes: readonly Pane[]): readonly Pane[] => panes.filter((pane) => !ids.has(pane.id));
  return {
    ...desk,
    panes: before.map((pane) => findPane(desk, pane.id) ?? pane),
    parked: park(others(desk.parked), others(desk.panes)),
  };
}
